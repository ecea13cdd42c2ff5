import { type AlarmLog, listAlarmLogs } from '@ithings/contract/features/alarms/record.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { FilterField, ListColumn, ListPaging, ListResult } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { QueryError } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { parseTimeChoice, resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { useMemo } from '#language/use-memo.ts'
import { neighboursOf } from '../neighbours.ts'
import { LogDrawer } from '../parts/log/log-drawer.tsx'
import '../parts/log/log.css'
import { Chart } from '#kit/chart.tsx'
import { ChartExport } from '#kit/chart-export.tsx'
import { readingOf } from '#kit/exporting.ts'
import { paths, scenePath } from '#kit/paths.ts'
import { usePreferences } from '#kit/preferences.tsx'
import { surfaces } from '#kit/theme/palette.ts'
import { causeValue, parseCause } from '../cause.ts'
import { lastDay, logChartOption } from '../log-chart.ts'
import { RecordSummary } from '../parts/log/record-summary.tsx'
import { histogramQuery, logsQuery, recordQuery } from '../queries.ts'
import { useAlarmLive } from '../record-queries.ts'

const buckets = 60
const height = 128

/** Without an end the server counts to now. */
function timeRangeOf(time: TimeChoice | undefined): { start: number; end?: number } | undefined {
  if (!time) return undefined
  const { timeStart, timeEnd } = resolveTime(time)
  return { start: Number(timeStart), ...(timeEnd !== '0' && { end: Number(timeEnd) }) }
}

const frequencyColumns = (): ExportColumn[] => [
  { key: 'timestamp', head: t('时间'), type: 'time' },
  { key: 'count', head: t('次数') },
]

/** How often it happened in the chosen time. */
function FrequencyChart({ recordID, time }: { recordID: number; time: TimeChoice | undefined }) {
  const { dark } = usePreferences()
  const query = histogramQuery({ recordID, time }, () => {
    const timeRange = timeRangeOf(time)
    return { alarmRecordID: recordID, ...(timeRange ? { timeRange, buckets } : lastDay(Date.now())) }
  })
  const histogram = useQuery({ ...query, placeholderData: keepPreviousData })
  const { data } = histogram
  const color = (dark ? surfaces.dark : surfaces.light).errorDot
  const option = useMemo(() => logChartOption(data?.list ?? [], data?.interval ?? 0, color), [data, color])
  const total = data?.list.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <section className="list-card log-frequency below-16 pad-12-16" aria-label={t('告警频次')}>
      <div className="flex between">
        <h2>{t('告警频次')}</h2>
        <ChartExport title={t('告警频次')} columns={frequencyColumns} source={readingOf(query)} />
      </div>
      {histogram.error && !data ? (
        <QueryError compact subject={t('告警频次')} query={histogram} />
      ) : (
        <Chart
          bars
          height={height}
          option={option}
          label={t('告警频次，共 {count} 次', { count: total })}
          loading={histogram.isPlaceholderData || !data}
          empty={data !== undefined && total === 0}
          emptyText={t('这段时间没有发生')}
        />
      )}
    </section>
  )
}

const triggerOf = (log: AlarmLog): string => parseCause(log.serial)?.trigger || log.desc
const none = <span className="no-value">—</span>

const logColumns: ListColumn<AlarmLog>[] = [
  { key: 'createdTime', title: '时间', hideable: false, phone: 'title', time: 'log' },
  {
    key: 'scene',
    title: '场景',
    dataIndex: 'sceneName',
    truncate: 240,
    phone: 'subtitle',
    render: (_value, row) =>
      row.sceneID > 0 ? <Link to={scenePath(row.sceneID)}>{row.sceneName}</Link> : row.sceneName || none,
  },
  {
    key: 'value',
    title: '触发值',
    phone: 'meta',
    render: (_value, row) => causeValue(parseCause(row.serial)) || none,
    exportText: (row) => causeValue(parseCause(row.serial)),
  },
  {
    key: 'desc',
    title: '说明',
    truncate: 360,
    phone: 'meta',
    render: (_value, row) => triggerOf(row) || none,
    exportText: triggerOf,
  },
  {
    key: 'serial',
    title: '流水',
    dataIndex: 'serial',
    hiddenAtFirst: true,
    truncate: 240,
  },
]

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
  const record = useQuery({ ...recordQuery(id), enabled: Number.isSafeInteger(id), refetchInterval: pace })
  const { data } = record
  const time = parseTimeChoice(params.get('time') ?? '')
  const show = (log: AlarmLog) => {
    setShown(log)
    setOpen(true)
  }
  if (data === null || !Number.isSafeInteger(id)) {
    return (
      <StateBlock
        variant="no-match"
        title={t('这条告警记录不存在')}
        text={t('它的告警配置可能已经被删除。')}
        action={<Button onClick={() => void navigate(paths.alarmQueue)}>{t('返回告警记录')}</Button>}
      />
    )
  }
  if (record.error && !data) return <QueryError subject={t('告警日志')} query={record} />
  if (!data) return <Skeleton active paragraph={{ rows: 10 }} />
  return (
    <>
      <RecordSummary record={data} />
      <FrequencyChart recordID={id} time={time} />
      <ListPage<AlarmLog, { time?: TimeChoice }>
        embedded
        title={t('告警日志')}
        filters={fields}
        columns={logColumns}
        rowKey={(row) => String(row.id)}
        storageKey="alarm-logs"
        query={({ page, filters }) => filteredLogs(id, page, filters.time)}
        rowActions={(row) => [{ key: 'view', label: t('查看'), onClick: () => show(row) }]}
        exportName={t('告警日志-{name}', { name: data.alarmName })}
        empty={{ title: t('没有告警日志'), text: t('每次触发都会在这里留下一条。') }}
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
