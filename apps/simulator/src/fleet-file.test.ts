import { expect, test } from 'vitest'
import { readFleetFile } from './fleet-file.ts'

const models = { p1: { properties: [], events: [], actions: [] } }
const device = { productID: 'p1', deviceName: 'a', secret: 's' }
const read = (file: unknown) => () => readFleetFile(JSON.stringify(file))

test('devices of a file, with the sub-devices of gateways', () => {
  const members = read({ models, devices: [device, { ...device, deviceName: 'gw', children: [device] }] })()
  expect(members.map((member) => [member.device.deviceName, member.children?.length])).toEqual([
    ['a', undefined],
    ['gw', 1],
  ])
})

test('what is wrong with a file is said with its place', () => {
  expect(read({ devices: [] })).toThrow('models')
  expect(read({ models, devices: [{ productID: 'p1', deviceName: 'a' }] })).toThrow('devices[0] 缺少 secret')
  expect(read({ models, devices: [{ ...device, productID: 'p2' }] })).toThrow('p2 没有物模型')
  expect(read({ models, devices: [{ ...device, children: [7] }] })).toThrow('devices[0].children[0]')
  expect(
    read({ models: { p1: { properties: [{ identifier: '1x', name: 'x', define: { type: 'bool' } }] } }, devices: [] }),
  ).toThrow('p1 的物模型有误')
})
