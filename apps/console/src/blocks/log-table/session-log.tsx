import { listHubLog } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useSearchParams } from 'react-router'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { parseTimeChoice } from '#kit/time-choice.ts'
import { useMemo } from '#language/use-memo.ts'
import type { Exchange } from './exchanges.ts'
import { defaultTime, keywordField, timeField } from './hub-log-filters.ts'
import { LiveTail } from './live-tail.tsx'
import { type HubLogFilters, hubLogQuery, type LogScope } from './log-query.ts'
import './log-table.css'
import { resultOf } from './result-view.ts'
import { flapCount, flapping, lengthText, reasonText, sessionLengths } from './sessions.ts'
import { deviceColumn, timeColumn } from './shared-columns.tsx'

const actions = ['connected', 'disconnected']
const fields = [keywordField, timeField]
/** Sessions are measured over this many lines, whatever page is shown. */
const measured = 1000

const looks: StatusLooks = {
  connected: { text: '上线', tone: 'success' },
  disconnected: { text: '下线', tone: 'error' },
}

const columnsOf = (lengths: ReadonlyMap<string, number>, device: boolean): ListColumn<Exchange>[] => {
  const lengthOf = (row: Exchange) => {
    const length = lengths.get(row.tranceID)
    return length === undefined ? '' : lengthText(length)
  }
  return [
    timeColumn<Exchange>(),
    ...(device ? [deviceColumn<Exchange>('title')] : []),
    {
      key: 'action',
      title: t('动作'),
      phone: device ? 'status' : 'title',
      render: (_v, row) => <StatusTag looks={looks} value={row.action} />,
      exportText: (row) => t(looks[row.action]?.text ?? row.action),
    },
    {
      key: 'length',
      title: t('会话时长'),
      phone: 'meta',
      render: (_v, row) => lengthOf(row) || <span className="no-value">—</span>,
      exportText: lengthOf,
    },
    {
      key: 'reason',
      title: t('原因'),
      phone: 'meta',
      render: (_v, row) => <span className={resultOf(row).ok ? '' : 'tone-error'}>{reasonText(row)}</span>,
      exportText: reasonText,
    },
  ]
}

/** screens.md 6.6 上下线日志: with the length of each session, its end and a warning about flapping. */
export function SessionLog({ scope }: { scope: LogScope }) {
  const [params] = useSearchParams()
  const time = parseTimeChoice(params.get('time') ?? defaultTime)
  const page = { page: 1, size: measured }
  const { data } = useQuery(hubLogQuery({ scope, filters: { time }, page, actions, grouped: false }))
  const rows = data?.list
  const lengths = useMemo(() => sessionLengths(rows ?? []), [rows])
  const restless = useMemo(() => flapping(rows ?? []), [rows])
  return (
    <>
      {restless.length > 0 && (
        <Alert
          className="below-16"
          type="warning"
          showIcon
          title={t('{devices}（达到 {count} 次视为频繁）。检查网络和供电，以及是否有两个客户端用了同一个身份。', {
            devices: restless
              .map(({ deviceName, times }) => t('{name} 10 分钟内上线 {count} 次', { name: deviceName, count: times }))
              .join(t('，')),
            count: flapCount,
          })}
        />
      )}
      <ListPage<Exchange, HubLogFilters>
        embedded
        title={t('上下线日志')}
        storageKey="session-log"
        rowKey="tranceID"
        columns={columnsOf(lengths, scope.deviceNames?.length !== 1)}
        filters={fields}
        query={({ page: wanted, filters }) => hubLogQuery({ scope, filters, page: wanted, actions, grouped: false })}
        exportName={t('上下线日志')}
        empty={{ title: t('这段时间没有上下线'), text: t('设备连接和断开都会记录在这里，带有断开的原因。') }}
        toolbarExtra={<LiveTail path={listHubLog.path} scope={scope} />}
      />
    </>
  )
}
