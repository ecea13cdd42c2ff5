import { describe, expect, test } from 'vitest'
import {
  createDeviceBody,
  DeviceStatus,
  device,
  deviceStatus,
  deviceStatusLabels,
  LogLevel,
  listDevices,
  logLevelLabels,
  OnlineState,
} from './info.ts'

describe('enumerations', () => {
  test('spec 3: log level is 1 off, 2 error, 3 warning, 4 info, 5 debug', () => {
    expect(LogLevel).toEqual({ off: 1, error: 2, warn: 3, info: 4, debug: 5 })
    expect(logLevelLabels).toEqual({ 1: '关闭', 2: '错误', 3: '告警', 4: '信息', 5: '调试' })
  })

  test('online is 1 and offline 2; the filter also knows 3, never activated', () => {
    expect(OnlineState).toEqual({ online: 1, offline: 2 })
    expect(deviceStatusLabels).toEqual({ 1: '在线', 2: '离线', 3: '未激活' })
  })
})

describe('the status of a device', () => {
  test('spec 3, 4: a firstLogin of "0" means never activated, whatever isOnline says', () => {
    expect(deviceStatus({ firstLogin: '0', isOnline: 2 })).toBe(DeviceStatus.inactive)
    expect(deviceStatus({ firstLogin: '0', isOnline: 1 })).toBe(DeviceStatus.inactive)
  })

  test('spec 4: otherwise 1 is online and 2 offline', () => {
    expect(deviceStatus({ firstLogin: '1700000000', isOnline: 1 })).toBe(DeviceStatus.online)
    expect(deviceStatus({ firstLogin: '1700000000', isOnline: 2 })).toBe(DeviceStatus.offline)
  })
})

test('spec 3: a device entry carries productID, deviceName and firstLogin, the last one as text', () => {
  const { productID, deviceName, firstLogin } = device.shape
  expect(productID.parse('254pwnKQsvK')).toBe('254pwnKQsvK')
  expect(deviceName.parse('pump-1')).toBe('pump-1')
  expect(firstLogin.parse('0')).toBe('0')
  expect(firstLogin.safeParse(0).success).toBe(false)
})

describe('names', () => {
  const accepted = (deviceName: string) => createDeviceBody.safeParse({ productID: '254pwnKQsvK', deviceName }).success

  test.each(['a', 'PS-CY_01.a:b@c', 'x'.repeat(48)])('%s is a name', (name) => expect(accepted(name)).toBe(true))
  test.each(['', 'x'.repeat(49), 'a b', 'a/b', 'a+b', 'a#b', '泵'])('%j is none: topics and CSV must hold it', (name) =>
    expect(accepted(name)).toBe(false),
  )
})

test('the list takes the filters of the public console as numbers or digit text', () => {
  const sent = { productID: '', deviceName: 'x', isOnline: '1', status: 3, deviceType: 0, inGroupID: '7', range: '500' }
  expect(listDevices.body.parse(sent)).toMatchObject({
    deviceName: 'x',
    isOnline: 1,
    status: 3,
    inGroupID: 7,
    range: 500,
  })
})
