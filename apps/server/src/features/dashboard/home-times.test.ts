import { dayMs } from '@ithings/contract/durations.ts'
import { afterEach, expect, test } from 'vitest'
import { dayName, dayStart, stepOf } from './home-times.ts'

const usual = process.env.TZ
afterEach(() => {
  if (usual === undefined) delete process.env.TZ
  else process.env.TZ = usual
})

test('a day begins at midnight of the server time zone, also where it is a quarter past of ours', () => {
  for (const [zone, midnight] of [
    ['Asia/Shanghai', '2026-11-15T00:00:00+08:00'],
    ['Asia/Kathmandu', '2026-11-15T00:00:00+05:45'],
    ['America/New_York', '2026-11-15T00:00:00-05:00'],
  ] as const) {
    process.env.TZ = zone
    const start = Date.parse(midnight)
    expect(dayStart(start)).toBe(start)
    expect(dayStart(start + dayMs - 1)).toBe(start)
    expect(dayStart(start - 1)).toBe(start - dayMs)
    expect(dayName(start)).toBe('2026-11-15')
    // Counters of alarms are kept by five minutes: midnight lies between two.
    expect(start % (5 * 60_000)).toBe(0)
  }
})

test('days with and without an hour of summer time begin at their own midnight', () => {
  process.env.TZ = 'Europe/Berlin'
  const now = Date.parse('2026-10-26T12:00:00+01:00')
  expect(dayStart(now, 1)).toBe(Date.parse('2026-10-25T00:00:00+02:00'))
  expect(dayStart(now, 0) - dayStart(now, 1)).toBe(25 * 3_600_000)
})

test('a day is a whole number of steps, so that yesterday lies exactly below today', () => {
  for (const kind of ['online', 'message', 'alarm'] as const) {
    for (let hours = 1; hours <= 168; hours++) {
      const step = stepOf(kind, hours)
      expect(dayMs % step).toBe(0)
      expect((hours * 3_600_000) / step).toBeLessThanOrEqual(360)
    }
  }
})
