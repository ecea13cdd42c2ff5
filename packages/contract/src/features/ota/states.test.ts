import { expect, test } from 'vitest'
import { isOtaOpen, nextOtaStatus, OtaStatus, otaEvents, otaStatusLabels } from './states.ts'

/** spec 4, decisions.md 2 "OTA moves", screens.md 22: every pair, the illegal ones too. */
const legal: Record<string, number> = {
  '101 push': 301,
  '101 arrive': 501,
  '101 higher': 601,
  '101 cancel': 701,
  // A window that closes, a device that is gone: it fails without having been pushed.
  '101 fail': 402,
  '101 timeout': 402,
  '301 progress': 401,
  '301 fail': 402,
  '301 timeout': 402,
  '301 arrive': 501,
  '301 higher': 601,
  '301 cancel': 701,
  '401 progress': 401,
  '401 fail': 402,
  '401 timeout': 402,
  '401 arrive': 501,
  '401 higher': 601,
  '401 cancel': 701,
  '402 retry': 101,
  '601 retry': 101,
  '701 retry': 101,
}

const statuses = Object.values(OtaStatus)
const pairs = statuses.flatMap((status) => otaEvents.map((event) => [status, event] as const))

test.each(pairs)('%d on %s', (status, event) => {
  expect(nextOtaStatus(status, event)).toBe(legal[`${status} ${event}`])
})

test('every legal move is one of the table', () => {
  const seen = pairs.filter(([status, event]) => nextOtaStatus(status, event) !== undefined)
  expect(seen.map(([status, event]) => `${status} ${event}`).toSorted()).toEqual(Object.keys(legal).toSorted())
})

test('what can end is open, what has ended is not', () => {
  for (const status of statuses) expect(isOtaOpen(status)).toBe(nextOtaStatus(status, 'cancel') !== undefined)
})

test('every status has a label', () => {
  expect(Object.keys(otaStatusLabels).map(Number).toSorted()).toEqual(statuses.toSorted())
})
