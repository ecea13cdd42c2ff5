import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import dayjs from 'dayjs'
import { useMemo } from 'react'
import { Chart } from '#kit/chart.tsx'
import { usePreferences } from '#kit/preferences.tsx'
import { surfaces } from '#kit/theme/palette.ts'
import { isTaskOpen } from '../../labels.ts'
import { type TrendBar, trendBars } from './trend.ts'

const height = 132

/** How many devices came to their end in each 10 minutes. */
export function TrendChart({ task, trend }: { task: OtaTask; trend: readonly TrendBar[] }) {
  const { dark } = usePreferences()
  const open = isTaskOpen(task)
  // A task at work goes on until now: when nothing ends any more that is seen as well.
  const until = open && task.paused !== 1 ? Math.floor(Date.now() / 600_000) * 600 : 0
  const option = useMemo(() => {
    const bars = trendBars(trend, until)
    const colors = dark ? surfaces.dark : surfaces.light
    const bar = { type: 'bar', stack: 'ends', barCategoryGap: '35%' }
    return {
      // Every answer draws it anew; a bar that grows each time would only distract.
      animation: false,
      grid: { left: 32, right: 0, top: 10, bottom: 22 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, confine: true },
      xAxis: { type: 'category', data: bars.map(({ time }) => dayjs.unix(time).format('HH:mm')) },
      yAxis: { type: 'value', minInterval: 1, splitNumber: 2 },
      series: [
        { ...bar, name: '成功', data: bars.map(({ success }) => success), itemStyle: { color: colors.okDot } },
        { ...bar, name: '失败', data: bars.map(({ failed }) => failed), itemStyle: { color: colors.errorDot } },
      ],
    }
  }, [trend, until, dark])
  if (trend.length === 0) return null
  const sum = (field: 'success' | 'failed') => trend.reduce((total, one) => total + one[field], 0)
  return (
    <div className="trend">
      <div className="trend-head row small softer gap-12">
        <span>每 10 分钟完成</span>
        <span className="trend-key trend-key-success">成功</span>
        <span className="trend-key trend-key-failed">失败</span>
      </div>
      <Chart
        bars
        height={height}
        label={`每 10 分钟完成：成功 ${sum('success').toLocaleString()}，失败 ${sum('failed').toLocaleString()}`}
        option={option}
      />
    </div>
  )
}
