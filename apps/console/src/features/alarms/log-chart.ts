/** How often an alarm happened over time, as an ECharts option. Pure. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'

export interface Bucket {
  timestamp: number
  count: number
}

/** Without a choice the last day in half hours that begin at full ones: people read 14:30, not 13:49. */
export function lastDay(now: number): { timeRange: { start: number; end: number }; buckets: number } {
  const end = dayjs(now + hourMs)
    .startOf('hour')
    .valueOf()
  return { timeRange: { start: end - dayMs, end }, buckets: 48 }
}

/** Hours within a day, dates beyond. */
const labelFormat = (span: number): string => (span <= dayMs ? 'HH:mm' : span <= 10 * dayMs ? 'MM-DD HH:mm' : 'MM-DD')

export function logChartOption(list: readonly Bucket[], interval: number, color: string): EChartsCoreOption {
  const format = labelFormat(list.length * interval)
  return {
    grid: { left: 8, right: 8, top: 12, bottom: 4, containLabel: true },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, confine: true },
    xAxis: { type: 'category', data: list.map(({ timestamp }) => dayjs(timestamp).format(format)) },
    yAxis: { type: 'value', minInterval: 1, splitNumber: 2 },
    series: [
      {
        type: 'bar',
        name: t('次数'),
        barCategoryGap: '20%',
        itemStyle: { color },
        data: list.map(({ count }) => count),
      },
    ],
  }
}
