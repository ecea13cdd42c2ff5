/** Commands to devices that are connected to another server on the same database. */

import {
  getPropertyReply,
  listCommands,
  sendAction,
  sendMessage,
  sendProperty,
} from '@ithings/contract/features/commands.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeLampProduct } from './testing/commands-server.ts'
import { connectDevice, type MqttDevice } from './testing/mqtt-device.ts'

/** People talk to the first, devices are connected to the second. */
let first: World
let second: World
let productID: string
const connected: MqttDevice[] = []

beforeAll(async () => {
  first = await openWorld({ config: { databaseUrl: 'given' } })
  second = await openWorld({ databaseUrl: first.url, config: { databaseUrl: 'given' } })
  productID = await makeLampProduct(first)
})
afterEach(async () => {
  for (const device of connected.splice(0)) await device.leave()
})
afterAll(async () => {
  await second.close()
  await first.close()
})

type Key = { productID: string; deviceName: string }
const json = JSON.stringify

async function connect(key: Key, children: Key[] = []): Promise<MqttDevice> {
  const device = await connectDevice(second, key, children)
  connected.push(device)
  await expect.poll(async () => (await first.asAdmin(readDevice, key)).isOnline).toBe(1)
  return device
}
async function makeLamp() {
  const key = await makeDevice(first, productID)
  return { key, device: await connect(key) }
}
const ask = <E extends Parameters<World['call']>[0]>(endpoint: E, body: object) =>
  first.call(endpoint, body, { token: first.admin })

test('a property is set and the answer comes back', async () => {
  const { key, device } = await makeLamp()
  const called = ask(sendProperty, { ...key, data: json({ power: 1 }) })
  const control = await device.next('control')
  expect(control).toMatchObject({ params: { power: true } })
  await device.say('thing/property', {
    method: 'control_reply',
    clientToken: control.clientToken,
    code: 200,
    msg: 'on',
  })
  expect(await called).toMatchObject({ status: 200, data: { code: 200, msg: 'on', clientToken: control.clientToken } })
  const { list } = await first.asAdmin(listCommands, key)
  expect(list).toMatchObject([{ state: 2, payload: '{"power":true}' }])
  // device-protocol.md 5: on 200 the requested values are stored as a report, where the device is connected.
  const rows = await first.db
    .selectFrom('journal')
    .select(['content', 'adds'])
    .where('token', '=', String(control.clientToken))
    .where('up', '=', true)
    .execute()
  expect(rows).toEqual([{ content: '{"power":true}', adds: true }])
})

test('an answer that refuses, one with data, and none at all', async () => {
  const { key, device } = await makeLamp()
  const refused = ask(sendProperty, { ...key, data: json({ power: 1 }) })
  const control = await device.next('control')
  await device.say('thing/property', {
    method: 'control_reply',
    clientToken: control.clientToken,
    code: 403,
    msg: 'no',
  })
  expect(await refused).toMatchObject({ data: { code: 403, msg: 'no' } })

  const asked = ask(getPropertyReply, { ...key, dataIDs: ['power'] })
  const report = await device.next('getReport')
  await device.say('thing/property', {
    method: 'getReportReply',
    clientToken: report.clientToken,
    code: 200,
    params: { power: 1 },
  })
  expect(await asked).toMatchObject({ code: 200, data: { params: json({ power: 1 }) } })

  // Nobody asked this: it is refused there as here.
  await device.say('thing/property', { method: 'control_reply', clientToken: 'nobody', code: 200 })
  await expect
    .poll(() => first.db.selectFrom('journal').select('code').where('token', '=', 'nobody').execute())
    .toEqual([{ code: 2000001 }])
})

test("an action and a message of one's own", async () => {
  const { key, device } = await makeLamp()
  const called = ask(sendAction, { ...key, actionID: 'blink', inputParams: json({ times: 3 }), isAsync: true })
  const action = await device.next('action')
  expect(action).toMatchObject({ actionID: 'blink' })
  expect(await called).toMatchObject({ code: 200, data: { clientToken: action.clientToken } })
  const topic = `$thing/down/property/${key.productID}/${key.deviceName}`
  await ask(sendMessage, { topic, payload: json({ method: 'control', clientToken: 'mine', params: { power: 0 } }) })
  expect(await device.next('control')).toMatchObject({ clientToken: 'mine' })
  expect(await first.db.selectFrom('downlink_relay').selectAll().execute()).toEqual([])
})

test('the reply to a message written by hand is found once, and its values are stored', async () => {
  const { key, device } = await makeLamp()
  const topic = `$thing/down/property/${key.productID}/${key.deviceName}`
  const send = (clientToken: string, params: object) =>
    ask(sendMessage, { topic, payload: json({ method: 'control', clientToken, params }) })
  const rows = (token: string) =>
    first.db
      .selectFrom('journal')
      .select(['code', 'content', 'adds'])
      .where('token', '=', token)
      .where('up', '=', true)
      .orderBy('at')
      .orderBy('seq')
      .execute()
  await send('by-hand', { power: 1 })
  expect(await device.next('control')).toMatchObject({ clientToken: 'by-hand' })
  const reply = { method: 'control_reply', clientToken: 'by-hand', code: 200, msg: 'on' }
  await device.say('thing/property', reply)
  expect(await rows('by-hand')).toEqual([{ code: 200, content: '{"power":true}', adds: true }])
  await expect
    .poll(async () => (await first.asAdmin(listCommands, key)).list)
    .toMatchObject([{ clientToken: 'by-hand', state: 2, status: 'on' }])
  await device.say('thing/property', reply)
  expect(await rows('by-hand')).toMatchObject([{ code: 200 }, { code: 2000001 }])

  // What the model does not allow is no request that a reply could confirm.
  await send('not-allowed', { colour: 1 })
  await device.next('control')
  await device.say('thing/property', { ...reply, clientToken: 'not-allowed' })
  expect(await rows('not-allowed')).toMatchObject([{ code: 2000001 }])
})

test('a sub-device is reached through its gateway', async () => {
  const gateways = await makeProduct(first, { deviceType: DeviceType.gateway })
  const children = await makeProduct(first, { deviceType: DeviceType.subDevice })
  const gateway = await makeDevice(first, gateways)
  const child = await makeDevice(first, children)
  await first.asAdmin(bindSubDevices, {
    gateWayProductID: gateway.productID,
    gateWaydeviceName: gateway.deviceName,
    list: [child],
  })
  const device = await connect(gateway, [child])
  await device.say('gateway/status', { method: 'online', clientToken: 'here', payload: { devices: [child] } })
  await expect.poll(async () => (await first.asAdmin(readDevice, child)).isOnline).toBe(1)
  const topic = `$thing/down/property/${child.productID}/${child.deviceName}`
  const payload = json({ method: 'control', clientToken: 'for-child', params: {} })
  expect(await ask(sendMessage, { topic, payload })).toMatchObject({ code: 200 })
  expect(await device.next('control')).toMatchObject({ clientToken: 'for-child' })
})

test('a new log level is told to the device', async () => {
  const { key, device } = await makeLamp()
  await first.asAdmin(updateDevice, { ...key, logLevel: 5 })
  expect(await device.next('get_status_reply')).toMatchObject({ data: { logLevel: 5 } })
})
