/** decisions.md 4.2: what a device says counts once, however often and however late it arrives. */
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { type DeafProxy, openDeafProxy } from '#testing/deaf-proxy.ts'
import { connectDevice, type DeviceKey, type Message, sendAgain } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, deviceIDOf, linesOf, makeFullProduct } from './testing/full-product.ts'

const json = JSON.stringify
const quarterHour = 15 * 60_000
let world: World
let first: World
let proxy: DeafProxy
let productID: string
let sceneID: number

beforeAll(async () => {
  first = await openWorld()
  await first.app.close()
  proxy = await openDeafProxy(first.url)
  world = await openWorld({ databaseUrl: proxy.url })
  productID = await makeFullProduct(world)
  const at = (operator: string, operationSchema: object) => ({ productID, selector: 'all', operator, operationSchema })
  const { id } = await world.asAdmin(createScene, {
    name: '过热',
    triggerType: 'device',
    trigger: json({
      device: [
        at('reportProperty', { dataID: ['temp'], termType: 'gt', values: ['50'] }),
        at('reportEvent', { dataID: ['overheat'] }),
      ],
    }),
    then: json([{ executor: 'delay', delay: { time: 0, unit: 'seconds' } }]),
  })
  sceneID = id
})
afterAll(async () => {
  await world?.close()
  await proxy?.close()
  await first?.close()
})

const report = (temp: number, rest: Message = {}): Message => ({ method: 'report', params: { temp }, ...rest })
const event = (clientToken: string, timestamp: number): Message => ({
  method: 'eventPost',
  eventID: 'overheat',
  clientToken,
  timestamp,
  params: { temp: 60, note: clientToken },
})
const runsOf = async ({ deviceName }: DeviceKey) =>
  (await world.asAdmin(listSceneLogs, { sceneID, fired: 1, deviceName })).total
const tempOf = async (key: DeviceKey) => (await world.asAdmin(listLatest, { ...key, dataIDs: ['temp'] })).list[0]?.value

test('values that come again after a quarter of an hour fire nothing, newer ones do', async () => {
  const device = await connectDevice(world, await makeDevice(world, productID))
  const timestamp = world.clock.now()
  await device.publish('thing/property', report(60, { timestamp, clientToken: 'a' }))
  await expect.poll(() => runsOf(device.key)).toBe(1)
  world.clock.advance(quarterHour)
  await device.publish('thing/property', report(60, { timestamp, clientToken: 'a' }), { dup: true })
  await device.publish('thing/property', report(60, { timestamp, clientToken: 'b' }))
  await device.publish('thing/property', report(61, { timestamp: timestamp + 1 }))
  const fired = async () => {
    const { list } = await world.asAdmin(listSceneLogs, { sceneID, fired: 1, deviceName: device.key.deviceName })
    return list.map(({ triggerText }) => /实际 (\d+)/.exec(triggerText)?.[1])
  }
  await expect.poll(fired).toEqual(['61', '60'])
  expect(await tempOf(device.key)).toBe('61')
  await device.end()
})

test('an event that comes again after a quarter of an hour is known, whether MQTT marks it or not', async () => {
  const device = await connectDevice(world, await makeDevice(world, productID))
  const timestamp = world.clock.now()
  await device.publish('thing/event', event('a', timestamp))
  await device.publish('thing/event', event('b', timestamp + 1))
  await expect.poll(() => runsOf(device.key)).toBe(2)
  world.clock.advance(quarterHour)
  await device.publish('thing/event', event('a', timestamp))
  await device.publish('thing/event', event('b', timestamp + 1), { dup: true })
  // Of the same moment, but another one.
  await device.publish('thing/event', event('c', timestamp))
  await expect.poll(() => runsOf(device.key)).toBe(3)
  expect(await addedBy(world, device.key)).toHaveLength(3)
  const again = (await linesOf(world, device.key)).filter((line) => line.msg === '重复消息，已忽略')
  expect(again.map((line) => line.token)).toEqual(['a', 'b'])
  await device.end()
})

test('of a packed message with one part unanswered both parts count, once', async () => {
  const [gatewayProduct, childProduct] = [
    await makeFullProduct(world, { deviceType: 2 }),
    await makeFullProduct(world, { deviceType: 3 }),
  ]
  const key = await makeDevice(world, gatewayProduct)
  // The journal has two lanes, and a device takes one by its number.
  const laneOf = async (one: DeviceKey) => (await deviceIDOf(world, one)) % 2
  let child = await makeDevice(world, childProduct)
  while ((await laneOf(child)) === (await laneOf(key))) child = await makeDevice(world, childProduct)
  const name = { gateWayProductID: key.productID, gateWaydeviceName: key.deviceName }
  await world.asAdmin(bindSubDevices, { ...name, list: [child] })
  const gateway = await connectDevice(world, key)
  proxy.loses = json({ temp: 6.25 })
  const message = {
    method: 'packReport',
    clientToken: 'both',
    params: {
      properties: [{ params: { temp: 5 } }],
      subDevices: [{ ...child, properties: [{ params: { temp: 6.25 } }] }],
    },
  }
  await expect(gateway.publish('thing/property', message)).rejects.toThrow('without an acknowledgement')
  await expect.poll(() => Promise.all([key, child].map(tempOf))).toEqual(['5', '6.25'])
  const back = await sendAgain(world, key, 'thing/property', message)
  expect(await Promise.all([key, child].map((one) => addedBy(world, one)))).toEqual([[{ temp: 5 }], [{ temp: 6.25 }]])
  await back.end()
})

test('what was stored without an answer counts: newest value and scene, once', () => countsOnce(world))

test('also where the device could have gone to another server', async () => {
  const several = await openWorld({ databaseUrl: proxy.url, config: { databaseUrl: proxy.url } })
  onTestFinished(() => several.close())
  await countsOnce(several)
})

async function countsOnce(server: World) {
  const key = await makeDevice(world, productID)
  const device = await connectDevice(server, key)
  await device.ask('thing/property', report(1))
  proxy.loses = 'unheard'
  const message = report(70, { clientToken: 'unheard' })
  await expect(device.publish('thing/property', message)).rejects.toThrow('without an acknowledgement')
  const back = await sendAgain(server, key, 'thing/property', message)
  await expect.poll(() => tempOf(key)).toBe('70')
  await expect.poll(() => runsOf(key)).toBe(1)
  await back.publish('thing/property', report(71, { clientToken: 'after' }))
  await expect.poll(() => runsOf(key)).toBe(2)
  expect(await addedBy(world, key)).toEqual([{ temp: 1 }, { temp: 70 }, { temp: 71 }])
  await back.end()
}
