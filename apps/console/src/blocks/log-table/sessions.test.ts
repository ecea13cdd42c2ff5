import { expect, test } from 'vitest'
import { flapping, lengthText, reasonText, sessionLengths } from './sessions.ts'
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

test('a session whose begin is not among the rows is as long as the platform measured, else unknown', () => {
  expect(sessionLengths([off(9_000)]).size).toBe(0)
  const told = { ...off(9_000), content: '{"reason":"keepalive timeout","seconds":12}' }
  expect([...sessionLengths([told])]).toEqual([['off9000', 12_000]])
})

test('reasons read as sentences: no keys of JSON, no second time of the length', () => {
  expect(reasonText({ content: '{"reason":"心跳超时","ip":"10.0.0.7","seconds":12}', msg: '' })).toBe(
    '心跳超时 · IP 10.0.0.7',
  )
  expect(reasonText({ content: '{"ip":"10.0.0.7","clientID":"p1pump-1"}', msg: '' })).toBe(
    'IP 10.0.0.7 · 客户端 p1pump-1',
  )
  expect(reasonText({ content: '"bye"', msg: '' })).toBe('bye')
  expect(reasonText({ content: '{}', msg: '连接过于频繁' })).toBe('连接过于频繁')
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
