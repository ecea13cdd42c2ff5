import { expect, test } from 'vitest'
import { autoInterval, chooseInterval, intervalLabel, intervalOptions, rawInterval } from './interval.ts'

const minute = 60_000
const day = 24 * 60 * minute

test('screens.md 6.4: the automatic choice keeps a line below a few hundred points, whatever the range', () => {
  for (const range of [30 * minute, 60 * minute, day, 7 * day, 30 * day, 365 * day]) {
    const { ms } = chooseInterval(autoInterval, range, 1)
    expect(range / ms).toBeLessThanOrEqual(360)
    expect(range / ms).toBeGreaterThan(20)
  }
})

test('a day is drawn by five minutes', () => {
  expect(chooseInterval(autoInterval, day, 1)).toEqual({ ms: 5 * minute, coarser: false })
})

test('the automatic choice is never finer than the values lie apart; what somebody chose stays', () => {
  expect(chooseInterval(autoInterval, day, 1, 15 * minute).ms).toBe(15 * minute)
  expect(chooseInterval(autoInterval, day, 1, 16 * minute).ms).toBe(30 * minute)
  expect(chooseInterval(autoInterval, day, 1, 10_000).ms).toBe(5 * minute)
  expect(chooseInterval(String(minute), day, 1, 15 * minute).ms).toBe(minute)
  expect(chooseInterval(rawInterval, day, 1, 15 * minute).ms).toBe(0)
})

test('raw values are not summed up', () => {
  expect(chooseInterval(rawInterval, 7 * day, 3)).toEqual({ ms: 0, coarser: false })
})

test('a choice that would not fit into one answer is made coarser, and says so', () => {
  expect(chooseInterval(String(minute), day, 1)).toEqual({ ms: minute, coarser: false })
  expect(chooseInterval(String(minute), 7 * day, 3)).toEqual({ ms: 5 * minute, coarser: true })
})

test('an unknown choice of a hand-written link is the automatic one', () => {
  expect(chooseInterval('nonsense', day, 1)).toEqual(chooseInterval(autoInterval, day, 1))
  expect(chooseInterval('12345', day, 1)).toEqual(chooseInterval(autoInterval, day, 1))
})

test('every offered interval has a label', () => {
  expect(intervalOptions.map(({ label }) => label)).toEqual([
    '自动',
    '原始',
    '1 分钟',
    '5 分钟',
    '15 分钟',
    '1 小时',
    '1 天',
  ])
  expect(intervalLabel(30_000)).toBe('30 秒')
})
