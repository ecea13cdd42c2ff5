import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Chart } from '#kit/chart.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { surfaces } from '#kit/theme/palette.ts'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { lastDay, logChartOption } from '../../log-chart.ts'
import { histogramQuery } from '../../queries.ts'

const buckets = 60
const height = 128

/** Without an end the server counts to now. */
export function timeRangeOf(time: TimeChoice | undefined): { start: number; end?: number } | undefined {
  if (!time) return undefined
  const { timeStart, timeEnd } = resolveTime(time)
  return { start: Number(timeStart), ...(timeEnd !== '0' && { end: Number(timeEnd) }) }
}

/** How often it happened in the chosen time. */
export function FrequencyChart({ recordID, time }: { recordID: number; time: TimeChoice | undefined }) {
  const { dark } = usePreferences()
  const { data, error, isFetching, refetch, isPlaceholderData } = useQuery({
    ...histogramQuery({ recordID, time }, () => {
      const timeRange = timeRangeOf(time)
      return { alarmRecordID: recordID, ...(timeRange ? { timeRange, buckets } : lastDay(Date.now())) }
    }),
    placeholderData: keepPreviousData,
  })
  const color = (dark ? surfaces.dark : surfaces.light).errorDot
  const option = useMemo(() => logChartOption(data?.list ?? [], data?.interval ?? 0, color), [data, color])
  const total = data?.list.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <section className="list-card log-frequency" aria-label="告警频次">
      <h2>告警频次</h2>
      {error && !data ? (
        <ErrorState compact subject="告警频次" error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Chart
          bars
          height={height}
          option={option}
          label={`告警频次，共 ${total} 次`}
          loading={isPlaceholderData || !data}
          empty={data !== undefined && total === 0}
          emptyText="这段时间没有发生"
        />
      )}
    </section>
  )
}
