import { describe, expect, test } from 'vitest'
import {
  AuthMode,
  AutoRegister,
  authModeLabels,
  autoRegisterLabels,
  createProductBody,
  DataProto,
  DeviceType,
  dataProtoLabels,
  deviceTypeLabels,
  listProducts,
  logRetentionDays,
  NetType,
  netTypeLabels,
  productID,
  updateProductBody,
} from './products.ts'

describe('enumerations', () => {
  test('spec 3: device type is 1 device, 2 gateway, 3 sub-device', () => {
    expect(DeviceType).toEqual({ device: 1, gateway: 2, subDevice: 3 })
    expect(deviceTypeLabels).toEqual({ 1: '设备', 2: '网关', 3: '子设备' })
  })

  test('spec 3: network type is 1 other, 2 wifi, 3 2G/3G/4G, 4 5G, 5 BLE, 6 LoRaWAN', () => {
    expect(NetType).toEqual({ other: 1, wifi: 2, mobile: 3, mobile5g: 4, ble: 5, lorawan: 6 })
    expect(netTypeLabels).toEqual({ 1: '其他', 2: 'wi-fi', 3: '2G/3G/4G', 4: '5G', 5: 'BLE', 6: 'LoRaWAN' })
  })

  test('spec 3: authentication mode is 1 account/password, 2 secret key', () => {
    expect(AuthMode).toEqual({ password: 1, secretKey: 2 })
    expect(authModeLabels).toEqual({ 1: '账密认证', 2: '密钥认证' })
  })

  test('spec 3: auto-create mode is 1 off, 2 on, 3 on and auto-create devices', () => {
    expect(AutoRegister).toEqual({ off: 1, on: 2, create: 3 })
    expect(autoRegisterLabels).toEqual({ 1: '关闭', 2: '打开', 3: '打开并自动创建设备' })
  })

  test('spec 3: data template type is 1 custom, 2 data template', () => {
    expect(DataProto).toEqual({ custom: 1, template: 2 })
    expect(dataProtoLabels).toEqual({ 1: '自定义', 2: '数据模板' })
  })
})

describe('a product', () => {
  const body = { productName: '泵站' }
  const refusedField = (value: object) => createProductBody.safeParse(value).error?.issues[0]?.path[0]

  test('spec 3: logs are kept for 1, 3, 7 or 15 days and nothing else', () => {
    expect(logRetentionDays).toEqual([1, 3, 7, 15])
    for (const logDays of logRetentionDays) expect(createProductBody.parse({ ...body, logDays }).logDays).toBe(logDays)
    for (const logDays of [0, 2, 14, 30]) expect(refusedField({ ...body, logDays })).toBe('logDays')
  })

  test.each(['deviceType', 'netType', 'authMode', 'autoRegister', 'dataProto'])(
    'a %s beyond its enumeration is refused; 0 means not given',
    (field) => {
      expect(refusedField({ ...body, [field]: 7 })).toBe(field)
      expect(createProductBody.parse({ ...body, [field]: 0 })).not.toHaveProperty(field, 0)
    },
  )

  test('its id has exactly 11 letters or digits, or is left to the platform', () => {
    expect(productID.parse('254pwnKQsvK')).toBe('254pwnKQsvK')
    for (const wrong of ['254pwnKQsv', '254pwnKQsvKK', '254pwnKQs-K'])
      expect(productID.safeParse(wrong).success).toBe(false)
    expect(createProductBody.parse({ ...body, productID: '' }).productID).toBeUndefined()
  })

  test('type, protocol and authentication cannot be changed later', () => {
    const sent = { productID: '254pwnKQsvK', deviceType: 2, dataProto: 1, authMode: 1, netType: 2 }
    expect(updateProductBody.parse(sent)).toEqual({ productID: '254pwnKQsvK', netType: 2 })
  })

  test('the list takes the filters of the public console', () => {
    expect(listProducts.body.parse({ deviceType: '2', netType: 0, productName: '' })).toMatchObject({ deviceType: 2 })
  })
})
