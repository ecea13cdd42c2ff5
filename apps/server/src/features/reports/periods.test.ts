import { ReportSchedule } from '@ithings/contract/features/reports.ts'
import { describe, expect, test } from 'vitest'
import { lastMoment, lastPeriod, nextMoment, periodOf, type Timing } from './periods.ts'

const timing = (more: Partial<Timing>): Timing => ({
  schedule: ReportSchedule.daily,
  time: '08:00',
  weekday: 1,
  monthDay: 1,
  cron: '',
  timeZone: 'Asia/Shanghai',
  ...more,
})
const ms = (text: string) => Date.parse(text)
const iso = (time: number | null | undefined) => (time ? new Date(time).toISOString() : time)
const isoPeriod = (period: { from: number; to: number }) => [iso(period.from), iso(period.to)]

describe('when a report comes', () => {
  test.each([
    ['each day at its time of its zone', timing({}), '2026-11-16T01:00:00Z', '2026-11-17T00:00:00.000Z'],
    ['on its day of the week', timing({ schedule: 2, weekday: 7 }), '2026-11-16T01:00:00Z', '2026-11-22T00:00:00.000Z'],
    [
      'on its day of the month',
      timing({ schedule: 3, monthDay: 28 }),
      '2026-02-28T01:00:00Z',
      '2026-03-28T00:00:00.000Z',
    ],
    ['by cron', timing({ schedule: 4, cron: '0 30 20 * * *' }), '2026-11-16T01:00:00Z', '2026-11-16T12:30:00.000Z'],
    // 2026-03-29: clocks go from 02:00 to 03:00.
    [
      'at the jump, when its time is left out',
      timing({ time: '02:30', timeZone: 'Europe/Berlin' }),
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
  ])('%s', (_, plan, after, next) => {
    expect(iso(nextMoment(plan, ms(after)))).toBe(next)
  })

  test('once on the day whose hour comes twice', () => {
    const plan = timing({ time: '02:30', timeZone: 'Europe/Berlin' })
    const first = nextMoment(plan, ms('2026-10-24T12:00:00Z'))
    expect(iso(first)).toBe('2026-10-25T00:30:00.000Z')
    expect(iso(nextMoment(plan, first ?? 0))).toBe('2026-10-26T01:30:00.000Z')
  })

  test('the last moment is that of now, too', () => {
    const at = ms('2026-11-16T00:00:00Z')
    expect(lastMoment(timing({}), at)).toBe(at)
    expect(lastMoment(timing({}), at + 999)).toBe(at)
    expect(iso(lastMoment(timing({}), at - 1))).toBe('2026-11-15T00:00:00.000Z')
  })

  test('of several that were missed the newest', () => {
    expect(iso(lastMoment(timing({}), ms('2026-11-20T10:00:00Z')))).toBe('2026-11-20T00:00:00.000Z')
  })
})

describe('what it tells of', () => {
  test.each([
    ['the day before', timing({}), '2026-11-16T00:00:00Z', ['2026-11-14T16:00:00.000Z', '2026-11-15T16:00:00.000Z']],
    [
      'a day of 23 hours',
      timing({ timeZone: 'Europe/Berlin' }),
      '2026-03-30T06:00:00Z',
      ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ],
    [
      'a day of 25 hours',
      timing({ timeZone: 'Europe/Berlin' }),
      '2026-10-26T07:00:00Z',
      ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ],
    [
      'the week before, from Monday on, whatever day it comes',
      timing({ schedule: 2, weekday: 7, timeZone: 'UTC' }),
      '2026-11-22T08:00:00Z',
      ['2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
    ],
    [
      'the month before, which may be of the year before',
      timing({ schedule: 3, timeZone: 'UTC' }),
      '2026-01-01T08:00:00Z',
      ['2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ],
    [
      'a February of a leap year',
      timing({ schedule: 3, timeZone: 'Asia/Shanghai' }),
      '2028-03-01T00:00:00Z',
      ['2028-01-31T16:00:00.000Z', '2028-02-29T16:00:00.000Z'],
    ],
    [
      'of cron the time since the moment before, also over a weekend',
      timing({ schedule: 4, cron: '0 0 8 * * 1-5', timeZone: 'UTC' }),
      '2026-11-16T08:00:00Z',
      ['2026-11-13T08:00:00.000Z', '2026-11-16T08:00:00.000Z'],
    ],
  ])('%s', (_, plan, at, period) => {
    expect(isoPeriod(periodOf(plan, ms(at)))).toEqual(period)
  })

  test('a preview tells what the last report would have told', () => {
    expect(isoPeriod(lastPeriod(timing({ timeZone: 'UTC' }), ms('2026-11-16T07:59:00Z')))).toEqual([
      '2026-11-14T00:00:00.000Z',
      '2026-11-15T00:00:00.000Z',
    ])
  })
})
