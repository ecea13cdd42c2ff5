import { type AlarmLog, listAlarmLogs } from '@ithings/contract/features/alarms/record.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { alarmQueuePath } from '#blocks/alarm-records/alarm-paths.ts'
import type { FilterField, ListPaging, ListResult } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { parseTimeChoice, type TimeChoice } from '#kit/time-choice.ts'
import { neighboursOf } from '../neighbours.ts'
import { FrequencyChart, timeRangeOf } from '../parts/log/frequency-chart.tsx'
import { logColumns } from '../parts/log/log-columns.tsx'
import { LogDrawer } from '../parts/log/log-drawer.tsx'
import '../parts/log/log.css'
import { RecordSummary } from '../parts/log/record-summary.tsx'
import { logsQuery, recordQuery } from '../queries.ts'
import { useAlarmLive } from '../record-queries.ts'

const fields: FilterField[] = [{ name: 'time', label: '时间', control: 'date-range' }]

const filteredLogs = (alarmRecordID: number, page: ListPaging, time: TimeChoice | undefined) =>
  logsQuery({ alarmRecordID, page, time }, () => {
    const timeRange = timeRangeOf(time)
    return { alarmRecordID, page, ...(timeRange && { timeRange }) }
  })

/** The rows on screen: the arrows of the drawer follow them. */
const shownRows = (client: QueryClient): AlarmLog[] =>
  client
    .getQueryCache()
    .findAll({ queryKey: [listAlarmLogs.path], type: 'active' })
    .flatMap((query) => (query.state.data as ListResult<AlarmLog> | undefined)?.list ?? [])

/** screens.md 26: every occurrence of one record. */
export function AlarmLogDetail() {
  const id = Number(useParams().id)
  const navigate = useNavigate()
  const client = useQueryClient()
  const [params] = useSearchParams()
  const [shown, setShown] = useState<AlarmLog>()
  const [open, setOpen] = useState(false)
  const pace = useAlarmLive()
  const { data, error, isFetching, refetch } = useQuery({
    ...recordQuery(id),
    enabled: Number.isSafeInteger(id),
    refetchInterval: pace,
  })
  const time = parseTimeChoice(params.get('time') ?? '')
  const show = (log: AlarmLog) => {
    setShown(log)
    setOpen(true)
  }
  if (data === null || !Number.isSafeInteger(id)) {
    return (
      <StateBlock
        variant="no-match"
        title="这条告警记录不存在"
        text="它的告警配置可能已经被删除。"
        action={<Button onClick={() => void navigate(alarmQueuePath)}>返回告警记录</Button>}
      />
    )
  }
  if (error && !data) {
    return <ErrorState subject="告警日志" error={error} retrying={isFetching} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton active paragraph={{ rows: 10 }} />
  return (
    <>
      <RecordSummary record={data} />
      <FrequencyChart recordID={id} time={time} />
      <ListPage<AlarmLog, { time?: TimeChoice }>
        embedded
        title="告警日志"
        filters={fields}
        columns={logColumns}
        rowKey={(row) => String(row.id)}
        storageKey="alarm-logs"
        query={({ page, filters }) => filteredLogs(id, page, filters.time)}
        rowActions={(row) => [{ key: 'view', label: '查看', onClick: () => show(row) }]}
        exportName={`告警日志-${data.alarmName}`}
        empty={{ title: '没有告警日志', text: '每次触发都会在这里留下一条。' }}
      />
      <LogDrawer
        log={shown}
        alarmName={data.alarmName}
        open={open}
        neighbours={shown && neighboursOf(shownRows(client), shown.id, undefined)}
        onShow={setShown}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
