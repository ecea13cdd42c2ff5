import type { ClusterDatabase, Standby } from '@ithings/contract/features/cluster.ts'
import { t } from '@ithings/contract/text.ts'
import { DurabilityText } from '#blocks/cluster/durability.tsx'
import { FactList } from '#blocks/facts.tsx'
import '#blocks/cluster/cluster.css'
import { sizeText } from '#kit/size-text.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { behindText, lagText, replicaLooks } from '../labels.ts'

const Replica = ({ standby }: { standby: Standby }) => (
  <li className="row wrap gap-4-12">
    <span className="anywhere">
      {standby.name || t('未命名')} <span className="mono">{standby.address}</span>
    </span>
    <StatusTag looks={replicaLooks} value={standby.syncState} />
    <span className="meta">
      {t('落后 {amount}', { amount: sizeText(standby.behindBytes) })}
      {standby.behindMs >= 0 && t('，{time}', { time: lagText(standby.behindMs) })}
      {standby.state !== 'streaming' && t('（{state}）', { state: standby.state })}
    </span>
  </li>
)

function Replicas({ database }: { database: ClusterDatabase }) {
  const { standbys, standbysVisible, standbyCount } = database
  if (standbyCount === 0) return t('无')
  if (!standbysVisible) return t('{count} 台（无权限查看，授予 pg_monitor 后显示）', { count: standbyCount })
  return (
    <ul className="bare-list column gap-4">
      {standbys.map((standby, at) => (
        // Two of them may have the same name.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is read anew as a whole
        <Replica key={at} standby={standby} />
      ))}
    </ul>
  )
}

/** What all servers share: the database, who follows it, and how far the history is packed. */
export function DatabaseCard({ database, packBehind }: { database: ClusterDatabase; packBehind: number }) {
  const { embedded, version, primary, connections, maxConnections } = database
  const main = (
    <>
      {embedded ? t('内置') : primary || t('本机套接字')} <span className="meta">PostgreSQL {version}</span>
    </>
  )
  const packed = (
    <>
      {t('落后 {amount}', { amount: behindText(packBehind) })}{' '}
      <span className="meta">{t('每小时整理上一小时，不超过 65 分钟为正常')}</span>
    </>
  )
  return (
    <section className="list-card cluster-database above-16" aria-labelledby="cluster-database">
      <h2 id="cluster-database" className="title below-12">
        {t('数据库')}
      </h2>
      <FactList
        facts={[
          { label: t('可靠性'), value: <DurabilityText {...database} /> },
          { label: t('主库'), value: main },
          { label: t('启动时间'), value: <TimeText value={database.startedTime} /> },
          { label: t('备库'), value: <Replicas database={database} /> },
          { label: t('连接'), value: `${connections} / ${maxConnections}` },
          { label: t('历史整理'), value: packed },
        ]}
      />
    </section>
  )
}
