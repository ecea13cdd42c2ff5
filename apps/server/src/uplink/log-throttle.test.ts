import { expect, test } from 'vitest'
import { makeLogThrottle } from './log-throttle.ts'

function make(options: { everyMs?: number; perSecond?: number; burst?: number } = {}) {
  const clock = { at: 1_000_000, now: () => clock.at }
  return { clock, ...makeLogThrottle({ clock, everyMs: 60_000, perSecond: 20, burst: 100, ...options }) }
}

test('each reason of each device is told of once in its time, and then how often it happened', () => {
  const { clock, times } = make()
  expect(times('a', 'password')).toBe(1)
  expect(times('a', 'password')).toBeUndefined()
  expect(times('a', 'expired')).toBe(1)
  expect(times('b', 'password')).toBe(1)
  clock.at += 59_999
  expect(times('a', 'password')).toBeUndefined()
  clock.at += 1
  expect(times('a', 'password')).toBe(3)
  clock.at += 60_000
  expect(times('a', 'password')).toBe(1)
})

test('a reason may have several lines in its time', () => {
  const { times } = make()
  expect(Array.from({ length: 5 }, () => times('a', 'subscribe', 3))).toEqual([1, 1, 1, undefined, undefined])
})

test('all devices together have a bounded number of lines, and room again later', () => {
  const { clock, times } = make()
  const storm = (count: number) =>
    Array.from({ length: count }, (_, n) => times(`${clock.at} ${n}`, 'password')).filter((line) => line !== undefined)
  expect(storm(5_000)).toHaveLength(100)
  clock.at += 1_000
  expect(storm(5_000)).toHaveLength(20)
  clock.at += 3_600_000
  expect(storm(5_000)).toHaveLength(100)
})

test('what it remembers is bounded: the longest unheard of are told of anew', () => {
  const { times } = make({ burst: 100_000 })
  times('first', 'password')
  for (let n = 0; n < 10_000; n++) times(String(n), 'password')
  expect(times('9999', 'password')).toBeUndefined()
  expect(times('first', 'password')).toBe(1)
})

test('a clock that was set back silences nobody for long', () => {
  const { clock, times } = make()
  times('a', 'password')
  clock.at -= 600_000
  expect(times('a', 'password')).toBe(1)
})
