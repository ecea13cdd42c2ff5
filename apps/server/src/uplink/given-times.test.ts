import { expect, test } from 'vitest'
import { makeGivenTimes } from './given-times.ts'

test('messages of one millisecond have times of their own, in the order of arrival; other devices have theirs', () => {
  const times = makeGivenTimes()
  expect([1_000, 1_000, 1_000, 1_001, 1_010].map((at) => times.next(1, at))).toEqual([
    1_000, 1_001, 1_002, 1_003, 1_010,
  ])
  expect(times.next(2, 1_000)).toBe(1_000)
})

test('a clock that is set back gives no time twice', () => {
  const times = makeGivenTimes()
  expect([5_000, 4_000, 4_000].map((at) => times.next(1, at))).toEqual([5_000, 5_001, 5_002])
})

test('among very many devices those of this moment are remembered', () => {
  const times = makeGivenTimes()
  for (let deviceID = 0; deviceID < 50_000; deviceID++) times.next(deviceID, deviceID < 25_000 ? 1 : 2)
  expect(times.next(49_999, 2)).toBe(3)
  expect(times.next(25_000, 2)).toBe(3)
})
