import {
  type ClusterDisagreement,
  type ClusterServer,
  ServerState,
  serverStateLabels,
} from '@ithings/contract/features/cluster.ts'
import { t } from '@ithings/contract/text.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const stateLooks: StatusLooks = {
  [ServerState.serving]: { text: serverStateLabels[ServerState.serving], tone: 'success' },
  [ServerState.draining]: { text: serverStateLabels[ServerState.draining], tone: 'processing' },
  [ServerState.drained]: { text: serverStateLabels[ServerState.drained], tone: 'warning' },
  [ServerState.stopping]: { text: serverStateLabels[ServerState.stopping], tone: 'default' },
}

/** A server of an older version tells no number. */
export const serverTitle = ({ node, name }: Pick<ClusterServer, 'node' | 'name'>): string =>
  node < 0 ? t('未知服务器') : t('{node} 号 {name}', { node, name })

export const lagText = (ms: number): string => (ms < 0 ? '—' : `${ms < 10 ? ms : Math.round(ms)} ms`)

/** Hours are packed when they are over, so an hour behind is what it always is. */
export function behindText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? t('{count} 分钟', { count: minutes }) : t('{count} 小时', { count: Math.round(minutes / 60) })
}

export const replicaLooks: StatusLooks = {
  sync: { text: '同步', tone: 'success' },
  quorum: { text: '同步（多数）', tone: 'success' },
  potential: { text: '后备同步', tone: 'default' },
  async: { text: '异步', tone: 'warning' },
}

/** Who has which value, and what comes of it. */
export function disagreementText({ setting, list }: ClusterDisagreement): string {
  const values = list.map((server) => `${serverTitle(server)} ${server.value || t('未设置')}`).join(t('，'))
  const effect =
    setting === 'NATS_URL'
      ? t('服务器之间的通知可能收不到：/readyz 返回 503，权限改为查询数据库')
      : t('只有先取得消息的一方继续取，其余服务器不参与，直到设置一致')
  return t('{setting} 不一致：{values}。{effect}。', { setting, values, effect })
}
