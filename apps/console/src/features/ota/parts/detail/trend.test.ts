import { expect, test } from 'vitest'
import { mostBars, trendBars } from './trend.ts'

const at = 1_700_000_400
const bar = (spans: number, success = 1, failed = 0) => ({ time: at + spans * 600, success, failed })
const times = (bars: { time: number }[]) => bars.map(({ time }) => (time - at) / 600)

test('spans without an end are zero, up to the present one', () => {
  const bars = trendBars([bar(0, 3, 1), bar(3)], at + 5 * 600 + 10)
  expect(times(bars)).toEqual([0, 1, 2, 3, 4, 5])
  expect(bars.map(({ success }) => success)).toEqual([3, 0, 0, 1, 0, 0])
  expect(bars[0]).toMatchObject({ failed: 1 })
})

test('one span has some before it; without any end there is nothing to draw', () => {
  expect(times(trendBars([bar(0)], at))).toEqual([-4, -3, -2, -1, 0])
  expect(trendBars([], at)).toEqual([])
})

test('a clock that is behind the platform hides no bar', () => {
  expect(times(trendBars([bar(0), bar(5)], at))).toEqual([0, 1, 2, 3, 4, 5])
})

test('of a long task the newest bars are shown', () => {
  const bars = trendBars([bar(0), bar(1_000)], at)
  expect(bars).toHaveLength(mostBars)
  expect(times(bars).at(-1)).toBe(1_000)
})
