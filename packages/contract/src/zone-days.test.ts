import { expect, test } from 'vitest'
import { dayStart, isZone, lastDays, zoneOffset } from './zone-days.ts'

const dayMs = 86_400_000

test('a day begins at midnight of its zone, also where it is a quarter past of ours', () => {
  for (const [zone, midnight] of [
    ['Asia/Shanghai', '2026-11-15T00:00:00+08:00'],
    ['Asia/Kathmandu', '2026-11-15T00:00:00+05:45'],
    ['America/New_York', '2026-11-15T00:00:00-05:00'],
  ] as const) {
    const start = Date.parse(midnight)
    expect(dayStart(start, zone)).toBe(start)
    expect(dayStart(start + dayMs - 1, zone)).toBe(start)
    expect(dayStart(start - 1, zone)).toBe(start - dayMs)
    expect(lastDays(start, 1, zone)).toEqual([{ day: '2026-11-15', start, end: start + dayMs }])
    // Counters of alarms are kept by five minutes: midnight lies between two.
    expect(start % (5 * 60_000)).toBe(0)
  }
})

test('days with and without an hour of summer time begin at their own midnight', () => {
  const now = Date.parse('2026-10-26T12:00:00+01:00')
  const [saturday, sunday, monday] = lastDays(now, 3, 'Europe/Berlin')
  expect([saturday?.day, sunday?.day, monday?.day]).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
  expect(sunday?.start).toBe(Date.parse('2026-10-25T00:00:00+02:00'))
  expect(saturday?.end).toBe(sunday?.start)
  expect((sunday?.end ?? 0) - (sunday?.start ?? 0)).toBe(25 * 3_600_000)
})

test('a zone is named as IANA names it, and told by how far it is off', () => {
  expect(['Asia/Shanghai', 'UTC', 'Asia/Atlantis', ''].map(isZone)).toEqual([true, true, false, false])
  const winter = new Date('2026-01-01T00:00:00Z')
  expect(
    ['Asia/Shanghai', 'UTC', 'Asia/Kathmandu', 'America/New_York'].map((zone) => zoneOffset(zone, winter)),
  ).toEqual(['UTC+8', 'UTC+0', 'UTC+5:45', 'UTC-5'])
})
