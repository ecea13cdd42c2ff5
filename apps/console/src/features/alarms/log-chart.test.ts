import { expect, test } from 'vitest'
import { lastDay, logChartOption } from './log-chart.ts'

test('the last day is counted in half hours that begin at full ones and include now', () => {
  const now = new Date(2026, 10, 15, 13, 49, 12).getTime()
  const { timeRange, buckets } = lastDay(now)
  expect(timeRange.end).toBe(new Date(2026, 10, 15, 14, 0).getTime())
  expect(timeRange.start).toBe(new Date(2026, 10, 14, 14, 0).getTime())
  expect((timeRange.end - timeRange.start) / buckets).toBe(30 * 60_000)
})

test('within a day the axis tells hours, beyond it dates', () => {
  const start = new Date(2026, 10, 15, 8, 30).getTime()
  const hours = logChartOption([{ timestamp: start, count: 1 }], 1_800_000, 'red')
  expect(hours.xAxis).toMatchObject({ data: ['08:30'] })
  const month = logChartOption([{ timestamp: start, count: 1 }], 30 * 86_400_000, 'red')
  expect(month.xAxis).toMatchObject({ data: ['11-15'] })
})
