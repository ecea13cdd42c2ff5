import { expect, test } from 'vitest'
import { nextBatches, sparkPath, trendInterval, trendsOf } from './trend.ts'

const now = 1_700_000_000_000
const size = { width: 100, height: 20 }

test('screens.md 6.2: what came into view is asked for once, a few properties a call', () => {
  const many = Array.from({ length: 25 }, (_, index) => `p${index}`)
  const first = nextBatches([], many)
  expect(first.map((batch) => batch.length)).toEqual([20, 5])
  expect(nextBatches(first, [...many, 'new'])).toEqual([['new']])
  expect(nextBatches(first, many)).toEqual([])
})

test('rows of several properties are told apart and put into time order', () => {
  const row = (dataID: string, at: number, value: string) => ({ dataID, deviceName: 'd', timestamp: String(at), value })
  const trends = trendsOf([row('a', 2, '2'), row('b', 1, '5'), row('a', 1, '1'), row('a', 3, '')])
  expect(trends.get('a')).toEqual([
    [1, 1],
    [2, 2],
  ])
  expect(trends.get('b')).toEqual([[1, 5]])
})

test('the path spans the day, from the least to the greatest value', () => {
  const day = 24 * 3_600_000
  const trend: [number, number][] = [
    [now - day, 0],
    [now - day + trendInterval, 10],
  ]
  expect(sparkPath(trend, size, now)).toBe('M0.0 20.0L2.1 0.0')
})

test('a missing half hour leaves the line open, a flat one runs through the middle', () => {
  const path = sparkPath(
    [
      [now - 4 * trendInterval, 7],
      [now - 3 * trendInterval, 7],
      [now, 7],
    ],
    size,
    now,
  )
  expect(path.match(/[ML]/g)?.join('')).toBe('MLM')
  expect(path).toContain(' 10.0')
})
