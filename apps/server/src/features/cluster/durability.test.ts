import { Durability } from '@ithings/contract/features/cluster.ts'
import { expect, test } from 'vitest'
import { durabilityOf, promisesLess } from './durability.ts'

const { one, two, async: later, waiting, unsafe } = Durability

test.each([
  ['', [], one],
  ['', ['async'], later],
  // The account sees that somebody follows, not how.
  ['', [''], later],
  ['standby', ['sync'], two],
  ['ANY 1 (a, b)', ['quorum', 'quorum'], two],
  ['FIRST 1 (a, b)', ['sync', 'potential'], two],
  ['standby', [''], two],
  ['standby', [], waiting],
  ['standby', ['async'], waiting],
  [' ', [], one],
])('synchronous_standby_names %j with standbys %j is %i', (standbyNames, syncStates, level) => {
  expect(durabilityOf({ fsync: true, standbyNames, syncStates })).toBe(level)
  expect(durabilityOf({ fsync: false, standbyNames, syncStates })).toBe(unsafe)
})

test.each([
  ['on', two, false],
  ['remote_apply', two, false],
  ['local', two, true],
  ['remote_write', two, true],
  ['local', one, false],
  ['off', one, true],
  ['off', later, true],
  ['off', two, true],
  ['off', unsafe, false],
] as const)('synchronous_commit %s promises less than %i: %s', (setting, level, less) => {
  expect(promisesLess(setting, level)).toBe(less)
})
