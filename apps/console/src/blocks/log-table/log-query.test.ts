import { expect, test } from 'vitest'
import { hubLogBody, rangeOf } from './log-query.ts'

test('a chosen range reaches the wire with its last millisecond; presets end now', () => {
  expect(rangeOf({ timeStart: '1000', timeEnd: '2000' })).toEqual({ timeStart: 1000, timeEnd: 2001 })
  expect(rangeOf({ preset: 1 }, 10_000_000)).toEqual({ timeStart: 10_000_000 - 3_600_000, timeEnd: 0 })
  expect(rangeOf(undefined)).toEqual({ timeStart: 0, timeEnd: 0 })
})

test('only what was chosen is asked for; one category replaces those of the tab', () => {
  expect(hubLogBody({}, {}, ['connected', 'disconnected'])).toEqual({
    timeStart: 0,
    timeEnd: 0,
    actions: ['connected', 'disconnected'],
  })
  const scope = { productID: 'p1', deviceNames: ['a', 'b'] }
  const filters = {
    action: 'event',
    topic: '$thing/up/event/p1/a',
    content: '水位',
    requestID: 'x1',
    resultType: 2 as const,
  }
  expect(hubLogBody(scope, filters, ['property', 'event'])).toEqual({
    productID: 'p1',
    deviceNames: ['a', 'b'],
    timeStart: 0,
    timeEnd: 0,
    actions: ['event'],
    topics: ['$thing/up/event/p1/a'],
    content: '水位',
    requestID: 'x1',
    resultType: 2,
  })
})
