/** Schedules are meant in the zone of the server: month ends and the two odd nights of a year. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextRun } from './next-run.ts'

const zone = process.env.TZ
beforeAll(() => {
  process.env.TZ = 'America/New_York'
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const local = (at: number | null) => {
  if (at === null) return null
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** The next runs after a local time. */
function runs(cron: string, after: string, count: number): Array<string | null> {
  const found: Array<string | null> = []
  let at: number | null = new Date(after).getTime()
  for (let i = 0; i < count && at !== null; i += 1) {
    at = nextRun({ timer: { type: 'cron', cron } }, at)
    found.push(local(at))
  }
  return found
}

test('no timer, no next run', () => {
  expect(nextRun({ timer: null }, 0)).toBeNull()
})

describe('month ends', () => {
  test('the 31st comes in the months that have one', () => {
    expect(runs('0 0 12 31 * *', '2027-01-30T00:00:00', 4)).toEqual([
      '2027-01-31 12:00:00',
      '2027-03-31 12:00:00',
      '2027-05-31 12:00:00',
      '2027-07-31 12:00:00',
    ])
  })

  test('the 29th of February comes in leap years', () => {
    expect(runs('0 0 0 29 2 *', '2027-01-01T00:00:00', 2)).toEqual(['2028-02-29 00:00:00', '2032-02-29 00:00:00'])
  })

  test('the last second of a year is followed by the first of the next', () => {
    expect(runs('59 59 23 31 12 *', '2027-12-31T23:59:58', 1)).toEqual(['2027-12-31 23:59:59'])
    expect(runs('0 0 0 1 1 *', '2027-12-31T23:59:59', 1)).toEqual(['2028-01-01 00:00:00'])
  })

  test('day of month and day of week together mean either (decisions.md 2)', () => {
    expect(runs('0 0 9 15 * 1', '2027-02-02T00:00:00', 3)).toEqual([
      '2027-02-08 09:00:00',
      '2027-02-15 09:00:00',
      '2027-02-22 09:00:00',
    ])
  })
})

describe('summer time', () => {
  test('a time that the night in spring skips comes when the gap is over, once', () => {
    expect(runs('0 30 2 * * *', '2027-03-13T03:00:00', 2)).toEqual(['2027-03-14 03:00:00', '2027-03-15 02:30:00'])
  })

  test('a time that the night in autumn has twice comes once', () => {
    expect(runs('0 30 1 * * *', '2027-11-06T02:00:00', 2)).toEqual(['2027-11-07 01:30:00', '2027-11-08 01:30:00'])
    const first = nextRun({ timer: { type: 'cron', cron: '0 30 1 * * *' } }, new Date('2027-11-07T00:00:00').getTime())
    expect(first).toBe(new Date('2027-11-07T05:30:00Z').getTime())
  })

  test('every hour goes on through both nights', () => {
    const spring = runs('0 0 * * * *', '2027-03-14T00:30:00', 3)
    expect(spring).toEqual(['2027-03-14 01:00:00', '2027-03-14 03:00:00', '2027-03-14 04:00:00'])
    const autumn = runs('0 0 * * * *', '2027-11-07T00:30:00', 3)
    expect(autumn).toEqual(['2027-11-07 01:00:00', '2027-11-07 01:00:00', '2027-11-07 02:00:00'])
  })
})
