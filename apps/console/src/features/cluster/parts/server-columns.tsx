import type { ClusterServer } from '@ithings/contract/features/cluster.ts'
import { t } from '@ithings/contract/text.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { sizeText } from '#kit/size-text.ts'
import { lagText, serverTitle, stateLooks } from '../labels.ts'

/** @param here the server that answers this browser */
export const serverColumns = (here: string | undefined): ListColumn<ClusterServer>[] => [
  {
    key: 'name',
    title: t('服务器', { context: 'column' }),
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <>
        {serverTitle(row)}
        {row.serverID === here && <span className="meta">{t('（当前）')}</span>}
      </>
    ),
    exportText: serverTitle,
  },
  { key: 'state', title: t('状态'), phone: 'status', looks: stateLooks },
  {
    key: 'version',
    title: t('版本'),
    phone: 'subtitle',
    render: (_value, row) => <span className="mono">{row.version || '—'}</span>,
    exportText: (row) => row.version,
  },
  { key: 'startedTime', title: t('启动时间'), phone: 'meta', time: 'relative' },
  { key: 'devices', title: t('设备连接'), phone: 'meta', render: (_value, row) => numberText(row.devices) },
  { key: 'messageRate', title: t('消息/秒'), phone: 'meta', render: (_value, row) => numberText(row.messageRate) },
  {
    key: 'memoryBytes',
    title: t('内存'),
    phone: 'meta',
    render: (_value, row) => sizeText(row.memoryBytes),
    exportText: (row) => row.memoryBytes,
  },
  {
    key: 'signalLagMs',
    title: t('通知延迟'),
    phone: 'meta',
    render: (_value, row) => lagText(row.signalLagMs),
    exportText: (row) => row.signalLagMs,
  },
  { key: 'databaseConnections', title: t('数据库连接上限'), dataIndex: 'databaseConnections', hiddenAtFirst: true },
]
