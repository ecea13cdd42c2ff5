import type { LogBucket } from '@ithings/contract/features/devices/msg.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import dayjs from 'dayjs'
import { useMemo } from 'react'
import type { HubLogFilters, LogScope } from '#blocks/log-table/log-query.ts'
import { Chart } from '#kit/chart.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { surfaces } from '#kit/theme/palette.ts'
import { volumeQuery } from '../queries.ts'

const day = 86_400_000
const height = 112

/** Hours within a day, dates beyond. */
const labelFormat = (list: readonly LogBucket[], interval: number): string => {
  const span = list.length * interval
  return span <= 10 * 60_000 ? 'HH:mm:ss' : span <= day ? 'HH:mm' : 'MM-DD HH:mm'
}

interface VolumeChartProps {
  scope: LogScope
  filters: HubLogFilters
  /** A bar was chosen: [from, to). */
  onZoom: (from: number, to: number) => void
}

/** screens.md 19: how many lines over time, refused ones apart; a bar leads into its time. */
export function VolumeChart({ scope, filters, onZoom }: VolumeChartProps) {
  const { dark } = usePreferences()
  const { data, error, isFetching, refetch, isPlaceholderData } = useQuery({
    ...volumeQuery(scope, filters),
    placeholderData: keepPreviousData,
  })
  const option = useMemo(() => {
    const { list, interval } = data ?? { list: [], interval: 1 }
    const format = labelFormat(list, interval)
    const colors = dark ? surfaces.dark : surfaces.light
    const bar = { type: 'bar', stack: 'lines', barCategoryGap: '20%', cursor: 'pointer' }
    return {
      grid: { left: 48, right: 8, top: 12, bottom: 24 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, confine: true },
      xAxis: {
        type: 'category',
        data: list.map(({ timestamp }) => dayjs(Number(timestamp)).format(format)),
      },
      yAxis: { type: 'value', minInterval: 1, splitNumber: 2 },
      series: [
        { ...bar, name: '成功', data: list.map(({ total, failed }) => total - failed) },
        { ...bar, name: '失败', data: list.map(({ failed }) => failed), itemStyle: { color: colors.errorDot } },
      ],
    }
  }, [data, dark])
  if (error && !data) {
    return (
      <div className="volume-failed" role="alert">
        <span>数量分布加载失败：{describeError(error).reason}</span>
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          重试
        </Button>
      </div>
    )
  }
  const total = data?.list.reduce((sum, bucket) => sum + bucket.total, 0) ?? 0
  return (
    <Chart
      height={height}
      label={`日志数量分布，共 ${total.toLocaleString()} 条`}
      option={option}
      empty={data !== undefined && total === 0}
      emptyText="这段时间没有日志"
      loading={isPlaceholderData}
      onClick={({ dataIndex }) => {
        const from = Number(data?.list[dataIndex]?.timestamp ?? 0)
        if (from && data) onZoom(from, from + data.interval)
      }}
    />
  )
}
