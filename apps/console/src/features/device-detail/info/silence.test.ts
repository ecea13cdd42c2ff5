import type { Device } from '@ithings/contract/features/devices/info.ts'
import { expect, test } from 'vitest'
import { DeviceTab } from '#blocks/device/tabs.ts'
import { logRow } from '#blocks/log-table/testing/log-row.ts'
import { findCause, isSilent, passwordEnd, type SilenceFacts } from './silence.ts'

const now = 1_700_000_000_000
const minute = 60_000
const make = (rest: Partial<Device> = {}) =>
  ({
    isEnable: 1,
    deviceType: 1,
    isOnline: 2,
    firstLogin: '1',
    lastLogin: String(now - 60 * minute),
    ...rest,
  }) as Device
const row = (at: number, rest: object = {}) => logRow({ timestamp: String(at), content: '', msg: '', ...rest })
const facts = (device: Partial<Device>, rest: Partial<SilenceFacts> = {}) =>
  findCause({ device: make(device), now, heard: 0, ...rest })

test('who reported within the hour is not silent, who is away always is', () => {
  const online = make({ isOnline: 1 })
  expect(isSilent({ device: online, heard: now - minute, now })).toBe(false)
  expect(isSilent({ device: { ...online, lastLogin: '1' }, heard: now - 61 * minute, now })).toBe(true)
  expect(isSilent({ device: make(), heard: now, now })).toBe(true)
})

test.each<[string, Partial<Device>, Partial<SilenceFacts>, string, number]>([
  ['disabled', { isEnable: 2 }, {}, '设备已被禁用', DeviceTab.info],
  ['a sub-device without gateway', { deviceType: 3 }, { gateway: null }, '还没有绑定网关', DeviceTab.info],
  ['a sub-device of a gateway that is away', { deviceType: 3 }, { gateway: make() }, '所属网关不在线', DeviceTab.info],
  ['never there', { firstLogin: '0', lastLogin: '0' }, {}, '从未连接过平台', DeviceTab.credentials],
  [
    'refused before its first sign-in',
    { firstLogin: '0', lastLogin: '0' },
    { refusedLogin: row(now, { resultType: '1000004', msg: '密码错误:签名不正确' }) },
    '登录被拒绝：密码错误:签名不正确',
    DeviceTab.credentials,
  ],
  [
    'its password is over',
    {},
    { connected: row(now - 60 * minute, { content: `{"ip":"10.0.0.7","expiresAt":${now - 1}}` }) },
    '连接凭证已到期',
    DeviceTab.credentials,
  ],
  [
    'gone, an older refusal does not count',
    {},
    {
      refusedLogin: row(now - 90 * minute, { resultType: '1000004' }),
      disconnected: row(now, { content: '{"reason":"心跳超时","seconds":9}' }),
    },
    '连接断开：心跳超时',
    DeviceTab.cloudLog,
  ],
  [
    'connected, and what it says is refused',
    { isOnline: 1 },
    { heard: now - 2, refusedMessage: row(now - 1, { resultType: '100006', msg: 'level 须在 0–6 之间' }) },
    '上报被拒绝：level 须在 0–6 之间',
    DeviceTab.diagnosis,
  ],
  ['connected and silent', { isOnline: 1 }, { heard: now - 2 }, '连接正常，但没有上报', DeviceTab.topics],
])('%s', (_name, device, rest, cause, tab) => {
  const found = facts(device, rest)
  expect([found.cause, found.tab]).toEqual([cause, tab])
  expect(found.step).not.toBe('')
})

test('what a device that went away did days ago is on the page that it leads to, if it is still known', () => {
  expect(facts({}).tab).toBe(DeviceTab.info)
  expect(facts({}, { disconnected: row(now) }).search).toBe('?kind=online&time=4')
})

test('lines of earlier versions do not tell when a password ends', () => {
  expect(passwordEnd(row(now, { content: '{"ip":"10.0.0.7"}' }))).toBeUndefined()
  expect(passwordEnd(undefined)).toBeUndefined()
})
