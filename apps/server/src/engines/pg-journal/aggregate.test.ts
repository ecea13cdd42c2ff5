import type { ArgFunc } from '@ithings/contract/features/history.ts'
import { describe, expect, test } from 'vitest'
import type { Fill } from '#ports/history.ts'
import { Aggregator } from './aggregate.ts'
import { makeBucketClock } from './bucket-clock.ts'
import { fillBuckets } from './fill.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

function buckets(points: Array<[number, number]>, argFuncs: ArgFunc[], interval = 10) {
  const aggregator = new Aggregator(argFuncs, makeBucketClock(interval, 'UTC'))
  for (const [time, value] of points) aggregator.add(time, value, value)
  return aggregator.finish()
}

describe('the time-weighted average', () => {
  test('follows the line through the values, across the borders of buckets', () => {
    // From 0 to 20 the line climbs from 0 to 20: means of the halves are 5 and 15.
    expect(
      buckets(
        [
          [0, 0],
          [20, 20],
        ],
        ['twa'],
      ).map((one) => one.values),
    ).toEqual([[5], [20]])
    expect(
      buckets(
        [
          [0, 0],
          [10, 10],
          [19, 19],
        ],
        ['twa'],
      ).map((one) => one.values),
    ).toEqual([[5], [14.5]])
  })

  test('of a single value is that value', () => {
    expect(buckets([[3, 7]], ['twa', 'avg'])[0]?.values).toEqual([7, 7])
  })

  test('weighs a value by how long it lasted', () => {
    const [one] = buckets(
      [
        [0, 0],
        [1, 10],
        [9, 10],
      ],
      ['twa', 'avg'],
    )
    expect(one?.values[0]).toBeCloseTo((0.5 * 10 + 8 * 10) / 9)
    expect(one?.values[1]).toBeCloseTo(20 / 3)
  })
})

describe('the clock of buckets', () => {
  test('days begin at midnight of the time zone', () => {
    const at = makeBucketClock(day, 'Asia/Shanghai')
    const midnight = Date.parse('2026-11-14T16:00:00Z')
    expect(at(midnight)).toEqual({ start: midnight, end: midnight + day })
    expect(at(midnight - 1).start).toBe(midnight - day)
  })

  test('a day with a change of summer time has 23 or 25 hours, each hour its own bucket', () => {
    const days = makeBucketClock(day, 'Europe/Berlin')
    const hours = makeBucketClock(hour, 'Europe/Berlin')
    const autumn = Date.parse('2026-10-24T22:00:00Z')
    expect(days(autumn)).toEqual({ start: autumn, end: autumn + 25 * hour })
    const spring = Date.parse('2026-03-28T23:00:00Z')
    expect(days(spring + hour)).toEqual({ start: spring, end: spring + 23 * hour })
    const starts = new Set(Array.from({ length: 25 * 4 }, (_, n) => hours(autumn + n * 15 * minute).start))
    expect([...starts]).toEqual(Array.from({ length: 25 }, (_, n) => autumn + n * hour))
  })

  test('weeks begin on Monday, half hours fit zones with odd offsets', () => {
    const week = makeBucketClock(7 * day, 'UTC')
    expect(new Date(week(Date.parse('2026-11-15T10:00:00Z')).start).toISOString()).toBe('2026-11-09T00:00:00.000Z')
    const indian = makeBucketClock(6 * hour, 'Asia/Kolkata')
    expect(new Date(indian(Date.parse('2026-11-15T00:00:00Z')).start).toISOString()).toBe('2026-11-14T18:30:00.000Z')
  })

  test('lengths that do not fit into a day follow one another without gaps', () => {
    const at = makeBucketClock(7 * minute, 'Asia/Shanghai')
    const first = at(Date.parse('2026-11-15T15:59:00Z'))
    expect(at(first.end).start).toBe(first.end)
    expect(first.end - first.start).toBe(7 * minute)
  })
})

describe('fill', () => {
  const clock = makeBucketClock(10, 'UTC')
  const filled = (fill: Fill, from = 0) =>
    fillBuckets(
      buckets(
        [
          [10, 1],
          [40, 4],
        ],
        ['avg'],
      ),
      fill,
      { from, to: 60 },
      clock,
      1,
      100,
    ).map(({ start, values }) => [start, values[0]] as const)

  test.each<[Fill, unknown[]]>([
    [{ mode: 'null' }, [null, 1, null, null, 4, null]],
    [{ mode: 'value', value: 9 }, [9, 1, 9, 9, 4, 9]],
    [{ mode: 'prev' }, [null, 1, 1, 1, 4, 4]],
    [{ mode: 'next' }, [1, 1, 4, 4, 4, null]],
    [{ mode: 'linear' }, [null, 1, 2, 3, 4, null]],
  ])('%o', (fill, wanted) => {
    expect(filled(fill, 1)).toEqual(wanted.map((value, n) => [n * 10, value]))
  })

  test('none leaves empty buckets out; without a start nothing is filled before the first', () => {
    expect(filled({ mode: 'none' })).toEqual([
      [10, 1],
      [40, 4],
    ])
    expect(filled({ mode: 'prev' })[0]).toEqual([10, 1])
  })
})
