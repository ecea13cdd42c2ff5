import { expect, test } from 'vitest'
import { averageBefore, daysOption, dayWord, sumOf } from './days-option.ts'
import { hasPoints, lastPoint, lowestPoint, type Trend, trendOption } from './trend-option.ts'

const trendOf = (values: Array<number | null>): Trend => {
  const measured = values.flatMap((value) => value ?? [])
  return {
    stepMs: 300_000,
    points: values.map((value, index) => ({ at: index * 300_000, value, before: null })),
    highest: measured.length > 0 ? Math.max(...measured) : 0,
    lowest: measured.length > 0 ? Math.min(...measured) : 0,
  }
}

test('a fresh platform has no curve', () => {
  expect(hasPoints(trendOf([null, null]))).toBe(false)
  expect(lastPoint(trendOf([null, null]))).toBeUndefined()
})

test('the last measured point is marked, even when the newest step is not there yet', () => {
  expect(lastPoint(trendOf([3, 4, null]))).toMatchObject({ at: 300_000, value: 4 })
})

test('a dip is named, the small wave of a calm day is not', () => {
  expect(lowestPoint(trendOf([11_700, 11_239, 11_745]))).toMatchObject({ value: 11_239 })
  expect(lowestPoint(trendOf([11_740, 11_739, 11_745]))).toBeUndefined()
  expect(lowestPoint(trendOf([0, 5, 9]))).toBeUndefined()
})

test('the words of a dip near an end of the curve stay on the picture', () => {
  const sideOf = (values: number[]) => {
    const option = trendOption(trendOf(values), { colour: '#fff', font: 12, fromZero: false, markLowest: true })
    const [, today] = option.series as Array<{ markPoint: { data: Array<{ label: { align?: string } }> } }>
    return today?.markPoint.data.at(-1)?.label.align
  }
  expect(sideOf([90, 90, 90, 90, 90, 10, 90])).toBe('right')
  expect(sideOf([90, 90, 90, 10, 90, 90, 90])).toBe('center')
  expect(sideOf([90, 10, 90, 90, 90, 90, 90])).toBe('left')
})

test('what was not measured stays a gap', () => {
  const option = trendOption(trendOf([1, null, 3]), { colour: '#fff', font: 12, fromZero: true, markLowest: false })
  const [, today] = option.series as Array<{ data: Array<[number, number | null]> }>
  expect(today?.data[1]).toEqual([300_000, null])
})

const days = ['2026-11-12', '2026-11-13', '2026-11-14'].map((day, index) => ({ day, levels: [index, 0, 0, 0, 10] }))

test('days are named by date, the last one is today and not part of the average', () => {
  expect(days.map((_, index) => dayWord(days, index))).toEqual(['11-12', '11-13', '今天'])
  expect(averageBefore(days)).toBe(11)
})

test('the bars of a day add up to the number above it', () => {
  const series = daysOption(days, 12).series as Array<{ type: string; data: number[] }>
  const bars = series.filter(({ type }) => type === 'bar')
  expect(bars).toHaveLength(5)
  const sums = series.find(({ type }) => type === 'line')?.data
  expect(sums).toEqual(days.map((_, index) => sumOf(bars.map(({ data }) => data[index] ?? 0))))
})
