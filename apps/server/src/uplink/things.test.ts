/** Events, actions of devices and packed reports (device-protocol.md 5, thing-model.md 4). */
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { JournalKind } from '#ports/journal.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, linesOf, makeConnected, makeFullProduct, refusalOf } from './testing/full-product.ts'

let world: World
let device: TestDevice

beforeAll(async () => {
  world = await openWorld()
  device = await makeConnected(world)
})
afterAll(() => world?.close())

describe('events', () => {
  const post = (fields: Record<string, unknown>, method = 'event_post') => ({
    method,
    eventID: 'overheat',
    type: 'alert',
    params: { temp: 90, note: 'hot' },
    ...fields,
  })

  test.each([
    ['event_post', 'event_reply'],
    ['eventPost', 'eventReply'],
  ])('%s is answered with %s and kept as an event', async (method, answer) => {
    const own = await makeConnected(world, {}, device.key.productID)
    const at = world.clock.now() - 1_000
    const reply = await own.ask('thing/event', post({ timestamp: at, version: '1.0' }, method))
    expect(reply).toMatchObject({ method: answer, code: 200, status: '成功' })
    const line = (await linesOf(world, own.key)).find((one) => one.adds)
    expect(line).toMatchObject({ kind: JournalKind.event, data_id: 'overheat', device_time: at, method })
    expect(JSON.parse(line?.content ?? '')).toEqual({ temp: 90, note: 'hot' })
    await own.end()
  })

  test('the type may be left out; undeclared parameters are dropped', async () => {
    const own = await makeConnected(world, {}, device.key.productID)
    const reply = await own.ask('thing/event', post({ type: undefined, params: { temp: 1, note: '', more: 1 } }))
    expect(reply.code).toBe(200)
    expect(await addedBy(world, own.key)).toEqual([{ temp: 1, note: '' }])
    await own.end()
  })

  test.each([
    ['an event that the model does not know', { eventID: 'flood' }, 100006, 'flood'],
    ['no eventID', { eventID: undefined }, 100006, '缺少 eventID'],
    ['an eventID that is no text', { eventID: { toString: 1 } }, 100006, '缺少 eventID'],
    ['another type than that of the model', { type: 'fault' }, 100006, '须为 alert'],
    ['a type that is no text', { type: { toString: 1 } }, 100006, '须为 alert'],
    ['a missing parameter', { params: { temp: 90 } }, 100006, 'note'],
    ['no parameters', { params: undefined }, 100006, 'temp'],
    ['parameters that are a list', { params: [] }, 100006, 'params 须为对象'],
    ['a parameter of the wrong type', { params: { temp: 'x', note: '' } }, 100006, 'temp'],
    ['a parameter out of its range', { params: { temp: 101, note: '' } }, 100015, 'temp'],
    ['a time ahead', { timestamp: Date.now() + 3_600_000 }, 100015, 'timestamp'],
  ])('%s is refused', async (_, fields, code, text) => {
    const reply = await device.ask('thing/event', post(fields))
    expect(reply).toMatchObject({ method: 'event_reply', code })
    expect(reply.msg).toContain(text)
    expect(await refusalOf(world, device.key)).toMatchObject({ code, kind: JournalKind.event, adds: false })
  })
})

describe('actions that devices call', () => {
  test.each([
    ['action', {}, 'action_reply'],
    ['action', { msgToken: 'm2' }, 'actionReply'],
  ])('%s %j is kept and answered with its actionID', async (method, token, answer) => {
    const call = { method, actionID: 'help', params: { reason: 'stuck' }, ...token }
    const reply = await device.ask('thing/action', call)
    expect(reply).toMatchObject({ method: answer, code: 200, actionID: 'help', response: {}, data: {} })
    const line = (await linesOf(world, device.key)).findLast((one) => one.kind === JournalKind.action)
    expect(line).toMatchObject({ data_id: 'help', code: 200, adds: false })
    expect(JSON.parse(line?.content ?? '')).toEqual({ reason: 'stuck' })
  })

  test.each([
    ['an unknown action', { actionID: 'fly' }, 'fly'],
    ['an action of the platform', { actionID: 'blink' }, 'blink'],
    ['no actionID', {}, '缺少 actionID'],
    ['a missing input', { actionID: 'help', params: {} }, 'reason'],
    ['inputs that are no object', { actionID: 'help', params: 5 }, 'params 须为对象'],
  ])('%s is refused with 100006', async (_, fields, text) => {
    const reply = await device.ask('thing/action', { method: 'action', ...fields })
    expect(reply).toMatchObject({ method: 'action_reply', code: 100006 })
    expect(reply.msg).toContain(text)
  })
})

describe('packReport', () => {
  let gateway: TestDevice
  let child: DeviceKey
  let stranger: DeviceKey
  beforeAll(async () => {
    const gatewayProduct = await makeFullProduct(world, { deviceType: 2 })
    const childProduct = await makeFullProduct(world, { deviceType: 3 })
    const key = await makeDevice(world, gatewayProduct)
    child = await makeDevice(world, childProduct)
    stranger = await makeDevice(world, childProduct)
    const name = { gateWayProductID: key.productID, gateWaydeviceName: key.deviceName }
    await world.asAdmin(bindSubDevices, { ...name, list: [child] })
    gateway = await connectDevice(world, key)
  })

  test('values and events of several moments, own and of children, are stored each under its device and time', async () => {
    const now = world.clock.now()
    const reply = await gateway.ask('thing/property', {
      method: 'packReport',
      msgToken: 'p1',
      params: {
        properties: [
          { timestamp: now - 2_000, params: { temp: 1 } },
          { timestamp: now - 1_000, params: { temp: 2 } },
        ],
        events: [{ timestamp: now - 500, eventID: 'overheat', type: 'alert', params: { temp: 3, note: 'n' } }],
        subDevices: [{ ...child, properties: [{ timestamp: now - 100, params: { level: 4 } }] }],
      },
    })
    expect(reply).toMatchObject({ method: 'packReportReply', msgToken: 'p1', code: 200 })
    const own = (await linesOf(world, gateway.key)).filter((line) => line.adds)
    expect(own.map((line) => [line.device_time, JSON.parse(line.content)])).toEqual([
      [now - 2_000, { temp: 1 }],
      [now - 1_000, { temp: 2 }],
      [now - 500, { temp: 3, note: 'n' }],
    ])
    const of = (await linesOf(world, child)).filter((line) => line.adds)
    expect(of.map((line) => [line.device_time, JSON.parse(line.content)])).toEqual([[now - 100, { level: 4 }]])
  })

  test('a part without a time has that of the message; the members may stand outside of params', async () => {
    const at = world.clock.now() - 7_000
    const reply = await gateway.ask('thing/property', {
      method: 'pack_report',
      timestamp: at,
      properties: [{ params: { temp: 5 } }],
    })
    expect(reply).toMatchObject({ code: 200 })
    expect((await linesOf(world, gateway.key)).findLast((line) => line.adds)).toMatchObject({ device_time: at })
  })

  test.each<[string, () => unknown, number, string]>([
    ['a bad value', () => ({ properties: [{ params: { temp: 1 } }, { params: { temp: 'x' } }] }), 100006, 'temp'],
    [
      'a bad value of a child',
      () => ({
        properties: [{ params: { temp: 1 } }],
        subDevices: [{ ...child, properties: [{ params: { level: 900 } }] }],
      }),
      100015,
      'level',
    ],
    [
      'a child of nobody',
      () => ({
        properties: [{ params: { temp: 1 } }],
        subDevices: [{ ...stranger, properties: [{ params: { level: 1 } }] }],
      }),
      100012,
      '',
    ],
    ['a child without names', () => ({ subDevices: [{ properties: [] }] }), 100006, 'productID'],
    [
      'a child whose names are no texts',
      () => ({ subDevices: [{ productID: {}, deviceName: 1 }] }),
      100006,
      'productID',
    ],
    [
      'a time too far ahead',
      () => ({ properties: [{ timestamp: Date.now() + 3_600_000, params: { temp: 1 } }] }),
      100015,
      'timestamp',
    ],
    ['an unknown event', () => ({ events: [{ eventID: 'flood', params: {} }] }), 100006, 'flood'],
    ['lists that are none', () => ({ properties: {} }), 100006, 'properties'],
    ['nothing at all', () => ({}), 100006, 'need add params'],
    [
      'more than 500 parts',
      () => ({ properties: Array.from({ length: 501 }, () => ({ params: { temp: 1 } })) }),
      100015,
      '500',
    ],
    [
      'more than 500 parts, which are counted before the first of them is checked,',
      () => ({ properties: Array.from({ length: 501 }, () => ({ params: { temp: 'x' } })) }),
      100015,
      '500',
    ],
    [
      'more than 500 parts of children, which are counted before anybody is looked for,',
      () => ({ subDevices: [{ ...stranger, events: Array.from({ length: 501 }, () => ({ eventID: 'flood' })) }] }),
      100015,
      '500',
    ],
    [
      'more than 500 children',
      () => ({ subDevices: Array.from({ length: 501 }, () => ({ ...stranger })) }),
      100015,
      '500',
    ],
  ])('%s refuses the whole message', async (_, params, code, text) => {
    const before = [await addedBy(world, gateway.key), await addedBy(world, child)]
    const reply = await gateway.ask('thing/property', { method: 'packReport', params: params() })
    expect(reply.code).toBe(code)
    expect(reply.msg).toContain(text)
    expect([await addedBy(world, gateway.key), await addedBy(world, child)]).toEqual(before)
  })

  test('the same packed message again adds nothing', async () => {
    const now = world.clock.now()
    const message = {
      method: 'packReport',
      msgToken: 'twice',
      params: {
        properties: [{ timestamp: now, params: { temp: 8 } }],
        subDevices: [{ ...child, properties: [{ params: { level: 8 } }] }],
      },
    }
    expect((await gateway.ask('thing/property', message)).code).toBe(200)
    const before = [await addedBy(world, gateway.key), await addedBy(world, child)]
    expect((await gateway.ask('thing/property', message)).code).toBe(200)
    expect([await addedBy(world, gateway.key), await addedBy(world, child)]).toEqual(before)
  })
})
