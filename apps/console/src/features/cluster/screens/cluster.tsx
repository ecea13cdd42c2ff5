import {
  type Cluster,
  type ClusterServer,
  drainServer,
  restoreServer,
  ServerState,
} from '@ithings/contract/features/cluster.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { clusterQuery } from '#blocks/cluster/cluster-query.ts'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { numberText } from '#kit/number-text.ts'
import { useMemo } from '#language/use-memo.ts'
import { disagreementText, serverTitle } from '../labels.ts'
import { DatabaseCard } from '../parts/database-card.tsx'
import { serverColumns } from '../parts/server-columns.tsx'
import { useServerWork } from '../queries.ts'

const sum = (data: Cluster | undefined, of: (server: ClusterServer) => number) =>
  data && Math.round(data.list.reduce((all, server) => all + of(server), 0))

function useServerActions(cluster: Cluster | undefined) {
  const confirm = useConfirm()
  const work = useServerWork()
  const askDrain = (server: ClusterServer, others: number) => {
    const devices = numberText(server.devices)
    confirm({
      title: t('排空服务器「{name}」？', { name: serverTitle(server) }),
      content:
        others > 0
          ? t(
              '它的 {devices} 台设备会陆续断开，连接到其余 {others} 台服务器。它不再接收设备，直到点击“恢复”或重新启动。',
              { devices, others },
            )
          : t('没有其他服务器可以接收设备：它的 {devices} 台设备会断开，并且无法再连接，直到点击“恢复”或重新启动。', {
              devices,
            }),
      danger: others === 0,
      okText: t('排空'),
      ...(others === 0 && { typeToConfirm: server.name }),
      onOk: () => work.drain({ serverID: server.serverID, force: others === 0 }),
      done: t('已开始排空'),
    })
  }
  const askRestore = (server: ClusterServer) =>
    confirm({
      title: t('恢复服务器「{name}」？', { name: serverTitle(server) }),
      content: t('它会重新接收设备；已经连接到其他服务器的设备不会移动。'),
      okText: t('恢复'),
      onOk: () => work.restore({ serverID: server.serverID }),
      done: t('已恢复'),
    })
  return (server: ClusterServer): RowAction[] => {
    // With a database of its own there is nobody to send devices to; one that stops does so anyway.
    if (!cluster || cluster.database.embedded || server.state === ServerState.stopping) return []
    const others = cluster.list.filter(
      ({ serverID, state }) => serverID !== server.serverID && state === ServerState.serving,
    )
    return server.state === ServerState.serving
      ? [{ key: 'drain', label: t('排空'), needs: drainServer, onClick: () => askDrain(server, others.length) }]
      : [{ key: 'restore', label: t('恢复'), needs: restoreServer, onClick: () => askRestore(server) }]
  }
}

/** screens.md 32: the servers on one database, and what the database promises. */
export function ClusterScreen() {
  const { data } = useQuery(clusterQuery)
  const columns = useMemo(() => serverColumns(data?.serverID), [data?.serverID])
  const actionsOf = useServerActions(data)
  return (
    <>
      <ListPage<ClusterServer>
        title={t('集群')}
        exportName={t('集群')}
        subtitle={t('共用一个数据库的服务器，每 5 秒更新')}
        counters={[
          { key: 'servers', label: t('服务器'), value: data?.total },
          { key: 'devices', label: t('设备连接'), value: sum(data, ({ devices }) => devices) },
          { key: 'messages', label: t('消息/秒'), value: sum(data, ({ messageRate }) => messageRate) },
        ]}
        columns={columns}
        rowKey="serverID"
        storageKey="cluster"
        query={() => clusterQuery}
        rowActions={actionsOf}
        toolbar={
          data?.database.embedded && (
            <span className="meta">{t('只有一台服务器（内置数据库），没有可以接收设备的服务器，不能排空')}</span>
          )
        }
        empty={{ title: t('没有服务器'), text: t('服务器每 5 秒报告一次，稍后会出现在这里。') }}
      />
      {data?.disagreements.map((one) => (
        <Alert key={one.setting} className="above-16" type="warning" showIcon title={disagreementText(one)} />
      ))}
      {data && <DatabaseCard database={data.database} packBehind={data.packBehindSeconds} />}
    </>
  )
}
