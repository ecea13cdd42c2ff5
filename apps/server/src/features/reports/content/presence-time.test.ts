import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationText, percent } from './availability.ts'
import { availabilityOf } from './presence-time.ts'

const span = { from: 1_000, to: 11_000 }
const at = (time: number, online: boolean) => ({ at: time, online })

describe('availability', () => {
  test('without a change it was what it was at the beginning', () => {
    expect(availabilityOf(span, true, [])).toEqual({
      since: 1_000,
      base: 10_000,
      online: 10_000,
      outages: 0,
      longest: 0,
    })
    expect(availabilityOf(span, false, [])).toMatchObject({ online: 0, outages: 0, longest: 10_000 })
  })

  test('an outage is a going; its time counts within the period only', () => {
    const changes = [at(2_000, false), at(3_000, true), at(9_000, false)]
    expect(availabilityOf(span, true, changes)).toMatchObject({ online: 7_000, outages: 2, longest: 2_000 })
  })

  test('who was away at the beginning had no outage, but a time away', () => {
    expect(availabilityOf(span, false, [at(6_000, true)])).toMatchObject({ online: 5_000, outages: 0, longest: 5_000 })
  })

  test('what was said twice and what lies outside does not count', () => {
    const changes = [
      at(500, false),
      at(2_000, true),
      at(4_000, false),
      at(5_000, false),
      at(6_000, true),
      at(11_000, false),
    ]
    expect(availabilityOf(span, true, changes)).toMatchObject({ online: 8_000, outages: 1, longest: 2_000 })
  })

  test('a span without time tells nothing', () => {
    expect(availabilityOf({ from: 5, to: 5 }, true, [])).toBeUndefined()
  })

  test('online and away make up the whole, whatever happens', () => {
    const change = fc.record({ at: fc.integer({ min: 0, max: 12_000 }), online: fc.boolean() })
    fc.assert(
      fc.property(fc.boolean(), fc.array(change), (before, list) => {
        const changes = list.toSorted((a, b) => a.at - b.at)
        const one = availabilityOf(span, before, changes)
        const mirrored = availabilityOf(
          span,
          !before,
          changes.map((each) => ({ ...each, online: !each.online })),
        )
        expect((one?.online ?? 0) + (mirrored?.online ?? 0)).toBe(10_000)
        expect(one?.longest).toBeLessThanOrEqual(10_000 - (one?.online ?? 0))
      }),
    )
  })

  test('a share is never rounded up to all, and times are read at a glance', () => {
    expect(percent(1)).toBe('100.00%')
    expect(percent(0.99999)).toBe('99.99%')
    expect(durationText(90_061_000)).toBe('1 d 01:01:01')
    expect(durationText(59_000)).toBe('00:00:59')
  })
})
