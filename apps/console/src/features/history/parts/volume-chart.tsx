import { dayMs, minuteMs } from '@ithings/contract/durations.ts'
import type { LogBucket } from '@ithings/contract/features/history.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import type { HubLogFilters, LogScope } from '#blocks/log-table/log-query.ts'
import '#kit/chart.css'
import { ChartExport } from '#kit/chart-export.tsx'
import { readingOf } from '#kit/exporting.ts'
import { numberText } from '#kit/number-text.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { StateBlock } from '#kit/states/state-block.tsx'
import { volumeQuery } from '../queries.ts'

/** Hours within a day, dates beyond. */
const labelFormat = (list: readonly LogBucket[], interval: number): string => {
  const span = list.length * interval
  return span <= 10 * minuteMs ? 'HH:mm:ss' : span <= dayMs ? 'HH:mm' : 'MM-DD HH:mm'
}

interface VolumeChartProps {
  scope: LogScope
  filters: HubLogFilters
  /** A bar was chosen: [from, to). */
  onZoom: (from: number, to: number) => void
}

const columns = (): ExportColumn[] => [
  { key: 'timestamp', head: t('时间'), type: 'time' },
  { key: 'total', head: t('总数') },
  { key: 'failed', head: t('失败') },
]

/** How many of the times below the bars are written out. */
const labels = 6

interface BarsProps extends Pick<VolumeChartProps, 'onZoom'> {
  list: readonly LogBucket[]
  interval: number
  /** Stands at the end of the line above. */
  end: ReactNode
}

/** Plain elements: for a row of bars the library of the other charts would be a third of the page. */
function Bars({ list, interval, onZoom, end }: BarsProps) {
  const [over, setOver] = useState<LogBucket>()
  const format = labelFormat(list, interval)
  const timeOf = ({ timestamp }: LogBucket) => dayjs(Number(timestamp)).format(format)
  const textOf = (one: LogBucket) =>
    t('{time} 成功 {succeeded}，失败 {failed}', {
      time: timeOf(one),
      succeeded: one.total - one.failed,
      failed: one.failed,
    })
  const most = Math.max(...list.map(({ total }) => total))
  const share = (count: number) => `${(count / most) * 100}%`
  /** Refused ones stand on top of the others. */
  const barOf = ({ total, failed }: LogBucket) => {
    const [good, all] = [share(total - failed), share(total)]
    return `linear-gradient(to top, var(--chart-1) ${good}, var(--error-dot) ${good} ${all}, transparent ${all})`
  }
  const step = Math.ceil(list.length / labels)
  return (
    <>
      <div className="flex" style={{ height: 20 }}>
        <span className="grow">{numberText(most)}</span>
        <span>{over && textOf(over)}</span>
        {end}
      </div>
      <div className="volume-bars min-0 flex grow">
        {list.map((bucket) => (
          <button
            key={bucket.timestamp}
            type="button"
            tabIndex={-1}
            aria-label={textOf(bucket)}
            onClick={() => onZoom(Number(bucket.timestamp), Number(bucket.timestamp) + interval)}
            onPointerEnter={() => setOver(bucket)}
            onPointerLeave={() => setOver(undefined)}
            style={{ backgroundImage: barOf(bucket) }}
          />
        ))}
      </div>
      <div className="flex">
        {list.map((bucket, at) => (
          <span key={bucket.timestamp} className="grow shrink nowrap">
            {at % step === 0 && timeOf(bucket)}
          </span>
        ))}
      </div>
    </>
  )
}

/** How many lines over time, refused ones apart; a bar leads into its time. */
export function VolumeChart({ scope, filters, onZoom }: VolumeChartProps) {
  const query = volumeQuery(scope, filters)
  const { data, error, isFetching, refetch, isPlaceholderData } = useQuery({
    ...query,
    placeholderData: keepPreviousData,
  })
  if (error && !data) {
    return (
      <div className="high-48 row softer gap-12" role="alert">
        <span>{t('数量分布加载失败：{reason}', { reason: describeError(error).reason })}</span>
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          {t('重试')}
        </Button>
      </div>
    )
  }
  const total = data?.list.reduce((sum, bucket) => sum + bucket.total, 0) ?? 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a part of a form.
    <div
      className={`chart volume-chart column small quiet ${isPlaceholderData ? 'chart-loading' : ''}`}
      role="group"
      aria-label={t('日志数量分布，共 {count, number} 条', { count: total })}
    >
      {!data && <div className="chart-wait round-6 grey-fill" />}
      {data && total === 0 && <StateBlock variant="empty" title={t('这段时间没有日志')} compact />}
      {data && total > 0 && (
        <Bars
          {...data}
          onZoom={onZoom}
          end={<ChartExport title={t('日志数量分布')} columns={columns} source={readingOf(query)} />}
        />
      )}
    </div>
  )
}
