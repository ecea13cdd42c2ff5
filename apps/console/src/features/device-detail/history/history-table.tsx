import { listPropertyLog, type PropertyLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { queryOptions } from '@tanstack/react-query'
import { Table } from 'antd'
import { pointText } from '#blocks/history-chart/picture.ts'
import type { HistorySeries } from '#blocks/history-chart/series.ts'
import { timeColumn } from '#blocks/log-table/shared-columns.tsx'
import { TypedValue } from '#blocks/typed-value/typed-value.tsx'
import type { ListColumn, ListPaging } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { formatTime } from '#kit/time.ts'
import { useMemo } from '#language/use-memo.ts'
import { readPropertyLog } from '../live-queries.ts'
import { type HistoryChoice, rangeOf } from './history-plan.ts'

interface HistoryTableProps {
  choice: HistoryChoice
  data: { interval: number }
  series: readonly HistorySeries[]
}

export const HistoryTable = ({ choice, data, series }: HistoryTableProps) =>
  data.interval === 0 ? <RawTable choice={choice} /> : <BucketTable choice={choice} data={data} series={series} />

function rawQuery(choice: HistoryChoice, page: ListPaging) {
  const { productID, time } = choice
  const dataIDs = choice.properties.map(({ identifier }) => identifier)
  const deviceNames = [...choice.deviceNames]
  return queryOptions({
    queryKey: [listPropertyLog.path, 'rows', { productID, deviceNames, dataIDs, time, page }],
    queryFn: ({ signal }) => {
      const { from, to } = rangeOf(time, Date.now())
      // New to old: what just came stands on top.
      return readPropertyLog({ productID, deviceNames, dataIDs, timeStart: from, timeEnd: to, order: 1, page }, signal)
    },
  })
}

function rawColumns(choice: HistoryChoice): ListColumn<PropertyLogRow>[] {
  const known = new Map(choice.properties.map((property) => [property.identifier, property]))
  return [
    { ...timeColumn<PropertyLogRow>(), hideable: true },
    ...(choice.deviceNames.length > 1
      ? [
          {
            key: 'deviceName',
            title: t('设备名称'),
            phone: 'meta' as const,
            render: (_: unknown, row: PropertyLogRow) => <span className="mono">{row.deviceName}</span>,
          },
        ]
      : []),
    {
      key: 'dataID',
      title: t('属性'),
      render: (_, row) => known.get(row.dataID)?.name ?? row.dataID,
      phone: 'meta',
    },
    {
      key: 'value',
      title: t('值'),
      phone: 'title',
      render: (_, row) => {
        const define = known.get(row.dataID)?.define
        return define ? <TypedValue define={define} text={row.value} /> : row.value
      },
    },
  ]
}

/** Values as they came, page by page from the server. */
function RawTable({ choice }: { choice: HistoryChoice }) {
  const columns = useMemo(() => rawColumns(choice), [choice])
  return (
    <ListPage<PropertyLogRow>
      embedded
      title={t('历史数据')}
      urlPrefix="h"
      storageKey="device-history"
      columns={columns}
      rowKey={(row) => `${row.timestamp} ${row.deviceName} ${row.dataID}`}
      query={({ page }) => rawQuery(choice, page)}
      empty={{ title: t('这段时间没有上报过数据'), text: t('可以换一个时间范围。') }}
    />
  )
}

interface BucketRow {
  time: number
  values: Map<string, number>
}

function bucketRows(series: readonly HistorySeries[]): BucketRow[] {
  const rows = new Map<number, BucketRow>()
  for (const { key, points } of series) {
    for (const [time, value] of points) {
      if (value === null) continue
      const row = rows.get(time) ?? { time, values: new Map() }
      row.values.set(key, value)
      rows.set(time, row)
    }
  }
  return [...rows.values()].toSorted((one, other) => other.time - one.time)
}

/** Buckets side by side: one line a time, one column a line of the chart. */
function BucketTable({ choice, data, series }: HistoryTableProps) {
  const rows = useMemo(() => bucketRows(series), [series])
  return (
    <Table<BucketRow>
      size="small"
      rowKey="time"
      dataSource={rows}
      scroll={{ x: 'max-content' }}
      locale={{ emptyText: t('这段时间没有上报过数据') }}
      pagination={{
        defaultPageSize: 20,
        showSizeChanger: true,
        showTotal: (total) => t('共 {count, number} 条', { count: total }),
      }}
      columns={[
        { key: 'time', title: t('时间'), render: (_, { time }) => formatTime(time) },
        ...series.map((line) => ({
          key: line.key,
          title: line.name,
          align: 'end' as const,
          render: (_: unknown, { values }: BucketRow) => {
            const value = values.get(line.key)
            return value === undefined ? (
              <span className="no-value">—</span>
            ) : (
              pointText({ interval: data.interval, func: choice.func }, line, value)
            )
          },
        })),
      ]}
    />
  )
}
