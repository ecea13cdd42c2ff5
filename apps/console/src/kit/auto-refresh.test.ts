import { expect, test } from 'vitest'
import { pollDelay, refreshInterval } from './auto-refresh.tsx'

test('spec 9: the pace is 5000 ms and slows down while reads fail', () => {
  expect(refreshInterval).toBe(5000)
  expect([0, 1, 2, 3, 4, 9].map(pollDelay)).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000])
})
