import { describe, expect, test } from 'vitest'
import type { ColumnTime } from './scene-parts.ts'
import { columnTimeText, compileColumnTime } from './time-range.ts'

const zone = 'Asia/Shanghai'
const at = (text: string) => Date.parse(`${text}+08:00`)
const cron = (expression: string): ColumnTime => ({ type: 'cron', cron: expression })
const range = (start: string, end: string, weekdays: number[] = []): ColumnTime => ({
  type: 'range',
  start,
  end,
  weekdays,
})
const holds = (time: ColumnTime, text: string) => compileColumnTime(time, zone)?.(at(text))

describe('a cron as a range (rules.md 3)', () => {
  // 2026-11-16 is a Monday.
  test.each<[string, string, boolean]>([
    ['* 0-30 9 * * ?', '2026-11-16T09:00:00', true],
    ['* 0-30 9 * * ?', '2026-11-16T09:30:59', true],
    ['* 0-30 9 * * ?', '2026-11-16T09:31:00', false],
    ['* 0-30 9 * * ?', '2026-11-16T10:10:00', false],
    ['* * 9-17 * * 1-5', '2026-11-16T17:59:59', true],
    ['* * 9-17 * * 1-5', '2026-11-16T18:00:00', false],
    ['* * 9-17 * * 1-5', '2026-11-15T12:00:00', false],
    ['* * * * * MON,WED', '2026-11-18T00:00:00', true],
    ['* * * * * MON,WED', '2026-11-17T00:00:00', false],
    ['* * * * * 7', '2026-11-15T12:00:00', true],
    ['* * 22,23,0-5 * * ?', '2026-11-16T23:00:00', true],
    ['* * 22,23,0-5 * * ?', '2026-11-16T05:59:59', true],
    ['* * 22,23,0-5 * * ?', '2026-11-16T06:00:00', false],
    ['* * * * JAN-MAR ?', '2026-03-31T00:00:00', true],
    ['* * * * JAN-MAR ?', '2026-04-01T00:00:00', false],
    ['* * * L * ?', '2026-02-28T12:00:00', true],
    ['* * * L * ?', '2026-02-27T12:00:00', false],
    ['0 0 12 * * ?', '2026-11-16T12:00:00', true],
    ['0 0 12 * * ?', '2026-11-16T12:00:01', false],
  ])('%s at %s: %s', (expression, text, wanted) => expect(holds(cron(expression), text)).toBe(wanted))

  test('the day of the week may be left out', () => {
    expect(holds(cron('* * 9 * *'), '2026-11-16T09:10:00')).toBe(true)
    expect(holds(cron('* * 9 * *'), '2026-11-16T10:10:00')).toBe(false)
  })

  test('every field must match: day of month and day of week are both meant, other than in a schedule', () => {
    expect(holds(cron('* * * 13 * 5'), '2026-11-13T12:00:00')).toBe(true)
    expect(holds(cron('* * * 13 * 5'), '2026-11-20T12:00:00')).toBe(false)
    expect(holds(cron('* * * 13 * 5'), '2026-10-13T12:00:00')).toBe(false)
  })

  test.each(['', 'x', '* * *', '* * 25 * * ?', '* */90 * * * ?', '* * * * * * * *'])('%j cannot be read', (text) =>
    expect(compileColumnTime(cron(text))).toBeUndefined(),
  )
})

describe('from a clock time to another', () => {
  test('the start is in it, the end is not', () => {
    const office = range('09:00', '18:00')
    expect(holds(office, '2026-11-16T08:59:59')).toBe(false)
    expect(holds(office, '2026-11-16T09:00:00')).toBe(true)
    expect(holds(office, '2026-11-16T17:59:59.999')).toBe(true)
    expect(holds(office, '2026-11-16T18:00:00')).toBe(false)
  })

  test('over midnight the hours after it belong to the day on which it began', () => {
    const fridayNight = range('22:00', '06:00', [5])
    expect(holds(fridayNight, '2026-11-13T21:59:59')).toBe(false)
    expect(holds(fridayNight, '2026-11-13T22:00:00')).toBe(true)
    expect(holds(fridayNight, '2026-11-14T05:59:59')).toBe(true)
    expect(holds(fridayNight, '2026-11-14T06:00:00')).toBe(false)
    expect(holds(fridayNight, '2026-11-14T23:00:00')).toBe(false)
    expect(holds(fridayNight, '2026-11-13T03:00:00')).toBe(false)
    const sundayNight = range('22:00', '06:00', [7])
    expect(holds(sundayNight, '2026-11-16T03:00:00')).toBe(true)
    expect(holds(sundayNight, '2026-11-15T03:00:00')).toBe(false)
  })

  test('the same time twice is the whole day', () => {
    for (const hour of ['00', '07', '08', '23']) {
      expect(holds(range('08:00', '08:00'), `2026-11-16T${hour}:30:00`)).toBe(true)
    }
  })

  test('without weekdays every day counts, with them only those', () => {
    const days = (weekdays: number[]) =>
      [16, 17, 18, 19, 20, 21, 22].map((day) => holds(range('09:00', '10:00', weekdays), `2026-11-${day}T09:30:00`))
    expect(days([])).toEqual(Array.from({ length: 7 }, () => true))
    expect(days([1, 2, 3, 4, 5])).toEqual([true, true, true, true, true, false, false])
  })
})

describe('summer time in Berlin', () => {
  const berlin = (time: ColumnTime, utc: string) => compileColumnTime(time, 'Europe/Berlin')?.(Date.parse(utc))
  const night = range('02:00', '03:00')

  test('an hour that is skipped never holds', () => {
    // 2026-03-29: 01:59:59 is followed by 03:00:00.
    expect(berlin(night, '2026-03-29T00:59:59Z')).toBe(false)
    expect(berlin(night, '2026-03-29T01:00:00Z')).toBe(false)
    expect(berlin(range('01:00', '04:00'), '2026-03-29T01:00:00Z')).toBe(true)
  })

  test('an hour that comes twice holds twice', () => {
    // 2026-10-25: 03:00 becomes 02:00 again.
    for (const utc of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) {
      expect(berlin(night, utc)).toBe(true)
      expect(berlin(cron('* * 2 * * ?'), utc)).toBe(true)
    }
    expect(berlin(night, '2026-10-25T02:00:00Z')).toBe(false)
  })

  test('the office opens at nine in winter and in summer', () => {
    const office = range('09:00', '17:00')
    expect(berlin(office, '2026-01-15T07:30:00Z')).toBe(false)
    expect(berlin(office, '2026-07-15T07:30:00Z')).toBe(true)
    expect(berlin(cron('* * 9-16 * * ?'), '2026-01-15T07:30:00Z')).toBe(false)
    expect(berlin(cron('* * 9-16 * * ?'), '2026-07-15T07:30:00Z')).toBe(true)
  })
})

test('without a zone the clock of this process counts', () => {
  const noon = new Date(2026, 10, 16, 12, 30, 15)
  expect(compileColumnTime(range('12:30', '12:31'))?.(noon.getTime())).toBe(true)
  expect(compileColumnTime(range('12:31', '12:32'))?.(noon.getTime())).toBe(false)
  expect(compileColumnTime(cron('15 30 12 16 11 1'))?.(noon.getTime())).toBe(true)
})

test('what was written is shown as it is', () => {
  expect(columnTimeText(cron('* * 25 * * ?'))).toBe('* * 25 * * ?')
  expect(columnTimeText(range('22:00', '06:00'))).toBe('22:00–06:00')
})
