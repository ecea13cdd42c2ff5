import { expect, test } from 'vitest'
import { traceIDOf } from '#ports/journal.ts'
import type { Fact } from '../engine/engine-types.ts'
import { withoutLate } from './device-gate.ts'

const device = { deviceID: 1, productID: 'p', deviceName: 'd' }
/** Measured at 1,000 by the clock of the device, received at 1,100. */
const fact: Fact = {
  kind: 'values',
  device,
  at: 1_000,
  traceID: traceIDOf({ at: 1_100, seq: 1 }),
  values: { level: 6 },
}

test.each([
  ['is news where nothing is known', undefined, true],
  ['is news behind an older value', { level: [5, 900, 900, 950] }, true],
  ['is late behind a newer value that came before it', { level: [5, 1_050, 1_050, 1_060] }, false],
  ['is news when the newer value came behind it and is written already', { level: [5, 1_200, 1_200, 1_210] }, true],
  ['is late behind a newer value with a time of the server', { level: [5, 1_050] }, false],
] as const)('a value %s', (_, known, isNews) => {
  const times = known && { level: [...known.level] as [unknown, number, number?, number?] }
  expect(withoutLate(fact, times) !== undefined).toBe(isNews)
})
