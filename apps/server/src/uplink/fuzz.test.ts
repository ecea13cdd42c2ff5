/** Nothing that a device sends can stop the app: random topics and payloads over a real connection. */

import { deviceMethods } from '@ithings/contract/device/messages.ts'
import { topicHeads } from '@ithings/contract/device/topics.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { size } from '#testing/size.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, fullModel, makeFullProduct } from './testing/full-product.ts'

let world: World
let gateway: TestDevice
let child: DeviceKey
const script = `
function thingPropertyUp(bytes) { return JSON.parse(String.fromCharCode(...bytes)) }
function thingEventDown(json) { return json.code === 200 ? [1] : undefined }`

beforeAll(async () => {
  world = await openWorld()
  const key = await makeDevice(world, await makeFullProduct(world, { deviceType: 2, script }))
  child = await makeDevice(world, await makeFullProduct(world, { deviceType: 3, autoRegister: 3 }))
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

/** Mostly topics and methods that belong together, so that what stands behind them is reached. */
const places = [
  ['thing', 'property', 'report'],
  ['thing', 'property', 'getStatus'],
  ['thing', 'property', 'reportInfo'],
  ['thing', 'property', 'packReport'],
  ['thing', 'property', 'controlReply'],
  ['thing', 'property', 'getReportReply'],
  ['thing', 'event', 'event_post'],
  ['thing', 'action', 'action'],
  ['thing', 'action', 'actionReply'],
  ['gateway', 'operation', 'register'],
  ['gateway', 'operation', 'bind'],
  ['gateway', 'operation', 'describeSubDevices'],
  ['gateway', 'operation', 'change'],
  ['gateway', 'status', 'online'],
  ['gateway', 'status', 'offline'],
  ['log', 'operation', 'getStatus'],
  ['log', 'report', 'reportInfo'],
  ['config', 'get', 'get'],
  ['ext', 'ntp', 'getNtp'],
  ['ext', 'register', 'register'],
] as const
const often = <A, B>(usual: fc.Arbitrary<A>, rare: fc.Arbitrary<B>, weight = 12) =>
  fc.oneof({ weight, arbitrary: usual as fc.Arbitrary<A | B> }, { weight: 1, arbitrary: rare })

const rarely = <A>(arbitrary: fc.Arbitrary<A>, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) as fc.Arbitrary<A | null> }, { weight: 1, arbitrary })

const place = fc.record({
  names: fc.constantFrom(...places),
  head: rarely(fc.constantFrom(...topicHeads), 20),
  method: rarely(often(fc.constantFrom(...deviceMethods), odd, 3), 12),
  custom: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  ofChild: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  /** A topic of nobody. */
  strange: rarely(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), 20),
})
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never
function topicOf({ names, head, custom, ofChild, strange }: Place): string {
  if (strange !== null) return strange.replace(/[+#\0]/g, 'x')
  const { productID, deviceName } = ofChild ? child : gateway.key
  return `$${head ?? names[0]}/up/${names[1]}${custom ? '/custom' : ''}/${productID}/${deviceName}`
}

const { properties, events, actions } = fullModel
const identifiers = [...properties, ...events, ...actions].map((one) => one.identifier)
const number = fc.integer({ min: -60, max: 110 })
const values = fc.record(
  {
    power: often(fc.boolean(), odd),
    temp: often(fc.oneof(number, fc.double()), odd),
    level: often(number, odd),
    note: often(text, odd),
    mode: often(fc.constantFrom(1, 2, 3), odd),
    place: often(fc.dictionary(fc.constantFrom('row', 'label'), fc.oneof(number, text)), odd),
    list: often(fc.array(number), odd),
    reason: text,
  },
  { requiredKeys: [] },
)
const time = fc.oneof(fc.constant(undefined), fc.constant(Date.now()), fc.constant(String(Date.now())), odd)
const parts = fc.array(fc.record({ timestamp: time, params: values, eventID: fc.constant('overheat') }), {
  maxLength: 3,
})
const keys = fc.constantFrom('gateway', 'child', 'nobody')
const params = fc.oneof(
  { weight: 6, arbitrary: values },
  { weight: 1, arbitrary: odd },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...identifiers, '__proto__'), odd) },
  { weight: 1, arbitrary: fc.record({ imei: text, version: odd, tags: fc.dictionary(text, text), position: odd }) },
  { weight: 1, arbitrary: fc.array(fc.record({ content: text, logLevel: odd, timestamp: time })) },
  {
    weight: 1,
    arbitrary: fc.record({ properties: parts, events: parts, subDevices: fc.array(keys, { maxLength: 2 }) }),
  },
)
const message = fc.record(
  {
    clientToken: often(fc.string({ maxLength: 20 }), odd),
    msgToken: often(fc.string({ maxLength: 20 }), odd),
    timestamp: time,
    params,
    payload: often(fc.record({ devices: fc.array(often(keys, odd)) }), odd, 4),
    data: params,
    response: odd,
    code: often(fc.constant(200), odd),
    msg: odd,
    identifiers: fc.oneof(odd, fc.array(fc.constantFrom(...identifiers))),
    eventID: often(fc.constant('overheat'), odd),
    actionID: often(fc.constant('help'), odd),
    type: often(fc.constant('alert'), odd),
    sys: odd,
  },
  { requiredKeys: ['params', 'payload', 'eventID', 'actionID'] },
)
/** Names of devices are known only while the test runs. */
const named = (_: string, value: unknown) => {
  if (value === 'gateway') return gateway.key
  if (value === 'child')
    return { ...child, properties: [{ params: { level: 1 } }], signature: 'x', random: 1, timestamp: 1 }
  return value === 'nobody' ? { productID: child.productID, deviceName: 'no-such' } : value
}
type Body = typeof message extends fc.Arbitrary<infer T> ? T : never
const jsonOf = ({ names, method }: Place, body: Body) =>
  Buffer.from(JSON.stringify({ method: method ?? names[2], ...body }, named))
const deep = fc.integer({ min: 1, max: 30_000 })
const nested = (depth: number) => `{"method":"bind","payload":${'['.repeat(depth)}${']'.repeat(depth)}}`
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  text.map((value) => Buffer.from(value)),
  deep.map((depth) => Buffer.from(nested(depth))),
)
const packet = fc.tuple(place, message, rarely(bytes, 10))

test('random topics and payloads are all acknowledged, and a normal report is answered afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(packet, { minLength: 20, maxLength: 60 }), async (batch) => {
      await Promise.all(batch.map(([at, body, raw]) => gateway.publishRaw(topicOf(at), raw ?? jsonOf(at, body))))
      gateway.received.length = 0
      expect(gateway.client.connected).toBe(true)
    }),
    { numRuns: size(20, 1_000), endOnFailure: true },
  )
  const reply = await gateway.ask('thing/property', { method: 'report', clientToken: 'after', params: { temp: 12.5 } })
  expect(reply).toMatchObject({ code: 200, clientToken: 'after' })
  // Random, but not so much that all of it is turned away at the door.
  const codes = await world.db.selectFrom('journal').select('code').distinct().execute()
  expect(codes.map((row) => row.code)).toEqual(expect.arrayContaining([200, 100006, 100012, 100013]))
  const faults = await world.db.selectFrom('journal').selectAll().where('code', '=', 100007).execute()
  expect(faults.map((line) => [line.topic, line.method, line.content.slice(0, 200)])).toEqual([])
  expect((await addedBy(world, gateway.key)).at(-1)).toEqual({ temp: 12.5 })
})
