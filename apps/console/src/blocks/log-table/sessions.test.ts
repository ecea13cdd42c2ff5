import { expect, test } from 'vitest'
import { flapping, lengthText, sessionLengths } from './sessions.ts'
import { logRow } from './testing/log-row.ts'

const on = (at: number, deviceName = 'pump-1') =>
  logRow({ timestamp: String(at), action: 'connected', deviceName, tranceID: `on${at}` })
const off = (at: number, deviceName = 'pump-1') =>
  logRow({ timestamp: String(at), action: 'disconnected', deviceName, tranceID: `off${at}` })

test('a session lasts from its connect to its disconnect, devices apart', () => {
  const rows = [off(9_000), off(5_000, 'pump-2'), on(3_000), on(1_000, 'pump-2')]
  expect([...sessionLengths(rows)]).toEqual([
    ['off5000', 4_000],
    ['off9000', 6_000],
  ])
})

test('a session whose begin is not among the rows has no length', () => {
  expect(sessionLengths([off(9_000)]).size).toBe(0)
})

test('five connects within ten minutes are flapping, four or a slower pace are not', () => {
  const quick = [0, 1, 2, 3, 4].map((n) => on(n * 60_000))
  expect(flapping(quick.toReversed())).toEqual([{ deviceName: 'pump-1', times: 5 }])
  expect(flapping(quick.slice(1))).toEqual([])
  expect(flapping([0, 1, 2, 3, 4].map((n) => on(n * 3 * 60_000)))).toEqual([])
})

test('lengths read in the two largest units', () => {
  const minute = 60_000
  expect(
    [340, 12_000, 3 * 60 * minute + 20 * minute + 5_000, 25 * 60 * minute, 24 * 60 * minute + 5_000].map(lengthText),
  ).toEqual(['340 毫秒', '12 秒', '3 小时 20 分', '1 天 1 小时', '1 天'])
})
