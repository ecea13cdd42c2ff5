/** Nothing that a device sends can stop the app: random topics and payloads over a real connection. */

import { deviceMethods } from '@ithings/contract/device/messages.ts'
import { topicHeads } from '@ithings/contract/device/topics.ts'
import { bindSubDevices } from '@ithings/contract/features/devices/gateway.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, makePlant, plantModel } from './testing/plant.ts'

let world: World
let gateway: TestDevice
let child: DeviceKey
const script = `
function thingPropertyUp(bytes) { return JSON.parse(String.fromCharCode(...bytes)) }
function thingEventDown(json) { return json.code === 200 ? [1] : undefined }`

beforeAll(async () => {
  world = await openWorld()
  const key = await makeDevice(world, await makePlant(world, { deviceType: 2, script }))
  child = await makeDevice(world, await makePlant(world, { deviceType: 3, autoRegister: 3 }))
  const name = { gateWayProductID: key.productID, gateWaydeviceName: key.deviceName }
  await world.asAdmin(bindSubDevices, { ...name, list: [child] })
  gateway = await connectDevice(world, key)
})
afterAll(() => world?.close())

const text = fc.string({ unit: 'binary', maxLength: 24 })
const nasty = fc.constantFrom<unknown>('\u0000', '\ud800', '__proto__', 'constructor', {}, [], null, -1, 1e308, {
  toString: 1,
})
const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), nasty, text)

const types = ['property', 'event', 'action', 'operation', 'status', 'report', 'get', 'ntp', 'register', 'update']
/** Mostly topics that exist, so that what stands behind them is reached. */
const topic = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(
      fc.constantFrom(...topicHeads),
      fc.constantFrom(...types),
      fc.constantFrom('', '/custom'),
      fc.boolean(),
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
)
const topicText = (made: typeof topic extends fc.Arbitrary<infer T> ? T : never): string => {
  if (typeof made === 'string') return made.replace(/[+#\0]/g, 'x')
  const [head, type, custom, ofChild] = made
  const { productID, deviceName } = ofChild ? child : gateway.key
  return `$${head}/up/${type}${custom}/${productID}/${deviceName}`
}

const { properties, events, actions } = plantModel
const identifiers = [...properties, ...events, ...actions].map((one) => one.identifier)
const params = fc.oneof(
  odd,
  fc.dictionary(fc.constantFrom(...identifiers, 'imei', 'tags', 'position', 'properties', 'events', 'subDevices'), odd),
)
const message = fc.record(
  {
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...deviceMethods, 'event_post', 'get_status') },
      { weight: 1, arbitrary: odd },
    ),
    clientToken: odd,
    msgToken: odd,
    timestamp: fc.oneof(fc.constant(undefined), odd, fc.double(), fc.maxSafeInteger()),
    params,
    payload: fc.oneof(
      odd,
      fc.record({ devices: fc.array(fc.oneof(odd, fc.record({ productID: odd, deviceName: odd }))) }),
    ),
    data: params,
    response: odd,
    code: odd,
    msg: odd,
    identifiers: odd,
    eventID: fc.oneof(fc.constant('overheat'), odd),
    actionID: fc.oneof(fc.constant('help'), odd),
    type: odd,
    sys: odd,
  },
  { requiredKeys: ['method'] },
)
const payload = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => Buffer.from(JSON.stringify(value) ?? '')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: text.map((value) => Buffer.from(value)) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 30_000 })
      .map((depth) => Buffer.from(`{"method":"bind","payload":${'['.repeat(depth)}${']'.repeat(depth)}}`)),
  },
)

test('random topics and payloads are all acknowledged, and a normal report is answered afterwards', async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(topic, payload), { minLength: 20, maxLength: 60 }), async (batch) => {
      await Promise.all(batch.map(([made, bytes]) => gateway.publishRaw(topicText(made), bytes)))
      sent += batch.length
      gateway.received.length = 0
      expect(gateway.client.connected).toBe(true)
    }),
    { numRuns: 1_000, interruptAfterTimeLimit: 5_000, markInterruptAsFailure: false },
  )
  expect(sent).toBeGreaterThan(200)
  const reply = await gateway.ask('thing/property', { method: 'report', clientToken: 'after', params: { temp: 12.5 } })
  expect(reply).toMatchObject({ code: 200, clientToken: 'after' })
  const faults = await world.db.selectFrom('journal').selectAll().where('code', '=', 100007).execute()
  expect(faults.map((line) => [line.topic, line.method, line.content.slice(0, 200)])).toEqual([])
  expect((await addedBy(world, gateway.key)).at(-1)).toEqual({ temp: 12.5 })
}, 60_000)
