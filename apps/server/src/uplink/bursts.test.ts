/**
 * decisions.md 4.1: what was acknowledged is in the history, however quickly it came. Values without a time of their own
 * are kept under the time of their receipt, so each has one of its own, also within one millisecond.
 */
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { listEventLog, listPropertyLog } from '@ithings/contract/features/history.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected, makeFullProduct } from './testing/full-product.ts'

let world: World
let productID: string
beforeAll(async () => {
  world = await openWorld()
  productID = await makeFullProduct(world)
})
afterAll(() => world?.close())

const many = 50
const numbers = Array.from({ length: many }, (_, i) => i)
const report = (temp: number) => ({ method: 'report', params: { temp } })

/** The history of a property from old to new. */
async function historyOf({ productID, deviceName }: DeviceKey): Promise<number[]> {
  const page = { page: 1, size: 1_000 }
  const { list, total } = await world.asAdmin(listPropertyLog, {
    productID,
    deviceNames: [deviceName],
    dataID: 'temp',
    page,
  })
  expect(total).toBe(list.length)
  expect(new Set(list.map((row) => row.timestamp)).size).toBe(list.length)
  return list.map((row) => Number(row.value))
}

test('a burst of reports over one connection is in the history whole and in its order', async () => {
  const device = await makeConnected(world, {}, productID)
  await Promise.all(numbers.map((n) => device.publish('thing/property', report(n))))
  expect(await historyOf(device.key)).toEqual(numbers)
  await device.end()
})

test('so is one with QoS 0', async () => {
  const device = await makeConnected(world, {}, productID)
  const topic = `$thing/up/property/${productID}/${device.key.deviceName}`
  for (const n of numbers) device.client.publish(topic, JSON.stringify(report(n)), { qos: 0 })
  await expect.poll(() => historyOf(device.key)).toEqual(numbers)
  await device.end()
})

test('so are the parts of one packed message, of the gateway and of its children', async () => {
  const gatewayKey = await makeDevice(world, await makeFullProduct(world, { deviceType: 2 }))
  const child = await makeDevice(world, await makeFullProduct(world, { deviceType: 3 }))
  const { productID: gateWayProductID, deviceName: gateWaydeviceName } = gatewayKey
  await world.asAdmin(bindSubDevices, { gateWayProductID, gateWaydeviceName, list: [child] })
  const gateway = await connectDevice(world, gatewayKey)
  const properties = numbers.map((temp) => ({ params: { temp } }))
  const params = { properties, subDevices: [{ ...child, properties }] }
  expect(await gateway.ask('thing/property', { method: 'packReport', params })).toMatchObject({ code: 200 })
  await Promise.all(numbers.map((n) => gateway.publish('thing/property', report(n + many), { of: child })))
  expect(await historyOf(gatewayKey)).toEqual(numbers)
  expect(await historyOf(child)).toEqual([...numbers, ...numbers.map((n) => n + many)])
  await gateway.end()
})

test('so are reports that a script reads, and events', async () => {
  const script = `
    function thingPropertyUp(bytes) { return { method: 'report', params: { temp: bytes[0] } } }`
  const device = await makeConnected(world, { script })
  const { productID, deviceName } = device.key
  const topic = `$thing/up/property/custom/${productID}/${deviceName}`
  await Promise.all(numbers.map((n) => device.publishRaw(topic, Uint8Array.of(n))))
  expect(await historyOf(device.key)).toEqual(numbers)

  const post = (temp: number) => ({ method: 'eventPost', eventID: 'overheat', params: { temp, note: '' } })
  await Promise.all(numbers.slice(0, 20).map((n) => device.publish('thing/event', post(n))))
  const asked = { productID, deviceNames: [deviceName], page: { page: 1, size: 100 } }
  const { list } = await world.asAdmin(listEventLog, asked)
  expect(new Set(list.map((row) => row.timestamp)).size).toBe(20)
  await device.end()
})
