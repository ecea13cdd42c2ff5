/** Commands all the way: HTTP call, broker, a device with mqtt.js, corridor, journal, history, shadow. */

import {
  getPropertyReply,
  listCommands,
  listShadow,
  sendAction,
  sendMessage,
  sendProperty,
} from '@ithings/contract/features/commands.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeLampProduct } from './testing/commands-server.ts'
import { connectDevice, type MqttDevice } from './testing/mqtt-device.ts'

let world: World
let productID: string
const connected: MqttDevice[] = []

beforeAll(async () => {
  world = await openWorld()
  productID = await makeLampProduct(world)
})
afterEach(async () => {
  for (const device of connected.splice(0)) await device.leave()
})
afterAll(() => world.close())

type Key = { productID: string; deviceName: string }
const json = JSON.stringify
const asAdmin = () => ({ token: world.admin })
const set = (key: Key, values: object, more: object = {}) =>
  world.call(sendProperty, { ...key, data: json(values), ...more }, asAdmin())
const historyOf = async (key: Key) => (await world.asAdmin(listCommands, key)).list

async function connect(key: Key, children: Key[] = []): Promise<MqttDevice> {
  const device = await connectDevice(world, key, children)
  connected.push(device)
  return device
}
async function makeLamp() {
  const key = await makeDevice(world, productID)
  return { key, device: await connect(key) }
}
const isOnline = async (key: Key) => (await world.asAdmin(readDevice, key)).isOnline

/** What the journal holds of a request, old to new. */
const journalOf = (token: string) =>
  world.db
    .selectFrom('journal')
    .select(['up', 'kind', 'code', 'adds', 'content', 'method'])
    .where('token', '=', token)
    .orderBy('at')
    .orderBy('seq')
    .execute()

test('switching a lamp: it hears the command, says yes, and its yes is a report', async () => {
  const { key, device } = await makeLamp()
  const called = set(key, { power: 1 })
  const control = await device.next('control')
  expect(control).toMatchObject({ params: { power: true } })
  await device.say('thing/property', {
    method: 'control_reply',
    clientToken: control.clientToken,
    code: 200,
    status: 'ok',
  })
  expect(await called).toMatchObject({
    status: 200,
    data: { code: 200, status: 'ok', clientToken: control.clientToken },
  })
  expect(await historyOf(key)).toMatchObject([{ state: 2, userName: 'administrator', payload: '{"power":true}' }])
  // device-protocol.md 5: on 200 the requested values are stored as a report.
  expect(await journalOf(String(control.clientToken))).toMatchObject([
    { up: false, kind: 3, method: 'control' },
    { up: true, kind: 3, code: 200, adds: true, content: '{"power":true}' },
  ])
})

test('a lamp that says no: its code is in data, nothing is reported', async () => {
  const { key, device } = await makeLamp()
  const called = set(key, { power: 1 })
  const { msgToken } = await device.next('control')
  await device.say('thing/property', { method: 'controlReply', msgToken, code: 4711, msg: '灯丝断了' })
  expect(await called).toMatchObject({ status: 200, data: { code: 4711, status: '灯丝断了' } })
  const rows = await journalOf(String(msgToken))
  expect(rows.filter((row) => row.adds)).toEqual([])
  expect(rows.at(-1)).toMatchObject({ up: true, code: 2000004 })
})

test.each([
  { code: 0, msg: 'success', told: 2_000_004 },
  { code: 201, msg: 'ok', told: 201 },
  { code: 4711, msg: 'OK', told: 4711 },
])('a yes under another code than 200 ($code) is told as the failure it is', async ({ code, msg, told }) => {
  const { key, device } = await makeLamp()
  const called = set(key, { power: 1 })
  const { msgToken } = await device.next('control')
  await device.say('thing/property', { method: 'controlReply', msgToken, code, msg })
  const words = `设备以 ${code} 回复，只有 200 表示成功，按失败处理：${msg}`
  expect(await called).toMatchObject({ status: 200, data: { code: told, msg: words, status: words } })
  expect(await historyOf(key)).toMatchObject([{ state: 3, code: told, status: words }])
  expect((await journalOf(String(msgToken))).filter((row) => row.adds)).toEqual([])
})

test('values that were asked for and break the model: whoever asked hears that they are not kept', async () => {
  const { key, device } = await makeLamp()
  const called = world.call(getPropertyReply, { ...key, dataIDs: ['temp'] }, asAdmin())
  const { clientToken } = await device.next('getReport')
  await device.say('thing/property', { method: 'getReportReply', clientToken, code: 200, params: { temp: 'warm' } })
  const { data } = await called
  expect(data.code).not.toBe(200)
  expect(data).toMatchObject({ params: '{"temp":"warm"}', msg: expect.stringContaining('temp') })
  expect((await journalOf(String(clientToken))).at(-1)).toMatchObject({ adds: false, code: data.code })
  expect(await historyOf(key)).toMatchObject([{ state: 3, code: data.code }])
})

test('a lamp that answers too late: the call times out after ten seconds, the late yes still counts', async () => {
  const { key, device } = await makeLamp()
  const started = performance.now()
  expect(await set(key, { level: 40 })).toMatchObject({ status: 400, code: 100016, msg: '等待超时:设备回复超时' })
  expect(performance.now() - started).toBeGreaterThan(9_900)
  expect(await historyOf(key)).toMatchObject([{ state: 4, code: 100016 }])
  const { clientToken } = await device.next('control')
  await device.say('thing/property', { method: 'control_reply', clientToken, code: 200 })
  await expect.poll(async () => (await historyOf(key))[0]?.state).toBe(2)
  expect((await journalOf(String(clientToken))).at(-1)).toMatchObject({ adds: true, content: '{"level":40}' })
})

test('a yes to nothing that was asked is logged and changes nothing; the device stays', async () => {
  const { device } = await makeLamp()
  await device.say('thing/property', { method: 'control_reply', clientToken: 'never-sent', code: 200 })
  expect(await journalOf('never-sent')).toMatchObject([{ up: true, code: 2000001, adds: false }])
  expect(device.connected).toBe(true)
})

test('a yes under the token of another device counts for nobody', async () => {
  const { key, device } = await makeLamp()
  const { device: thief } = await makeLamp()
  const called = set(key, { power: true })
  const { clientToken } = await device.next('control')
  await thief.say('thing/property', { method: 'control_reply', clientToken, code: 200 })
  expect(await historyOf(key)).toMatchObject([{ state: 1 }])
  await device.say('thing/property', { method: 'control_reply', clientToken, code: 200 })
  expect(await called).toMatchObject({ data: { code: 200 } })
})

test('an action comes back with its outputs, in the words of either era', async () => {
  const { key, device } = await makeLamp()
  for (const word of ['response', 'data']) {
    const body = { ...key, actionID: 'blink', inputParams: '{"times":2}' }
    const called = world.call(sendAction, body, asAdmin())
    const { clientToken, actionID, params } = await device.next('action')
    expect([actionID, params]).toEqual(['blink', { times: 2 }])
    await device.say('thing/action', { method: 'action_reply', clientToken, code: 200, [word]: { done: true } })
    expect(await called).toMatchObject({ status: 200, data: { code: 200, outputParams: '{"done":true}' } })
  }
})

test('values that are asked for now are stored like a report', async () => {
  const { key, device } = await makeLamp()
  const called = world.call(getPropertyReply, { ...key, dataIDs: ['temp'] }, asAdmin())
  const { clientToken, identifiers } = await device.next('getReport')
  expect(identifiers).toEqual(['temp'])
  await device.say('thing/property', { method: 'getReportReply', clientToken, code: 200, params: { temp: 21.5 } })
  expect(await called).toMatchObject({ status: 200, data: { code: 200, params: '{"temp":21.5}' } })
  expect((await journalOf(String(clientToken))).at(-1)).toMatchObject({ adds: true, content: '{"temp":21.5}' })
})

test('a wish for a lamp that is away reaches it when it asks for its state, once', async () => {
  const key = await makeDevice(world, productID)
  expect(await set(key, { power: true, level: 60 })).toMatchObject({ status: 200, data: { code: 200 } })
  const shadow = async () => (await world.asAdmin(listShadow, key)).list
  expect(await shadow()).toMatchObject([{ dataID: 'level', updatedDeviceTime: 0 }, { dataID: 'power' }])

  const device = await connect(key)
  // device-protocol.md 5: not pushed on connect.
  await device.say('thing/property', { method: 'get_status', clientToken: 's1', identifiers: ['level'] })
  expect(await device.next('get_status_reply')).toMatchObject({ code: 200, data: { level: 60 } })
  await expect.poll(async () => (await shadow())[0]?.updatedDeviceTime).toBeGreaterThan(0)
  expect(await shadow()).toMatchObject([{}, { dataID: 'power', updatedDeviceTime: 0 }])

  await device.say('thing/property', { method: 'get_status', clientToken: 's2' })
  expect(await device.next('get_status_reply')).toMatchObject({ data: { level: 60, power: true, hue: 0 } })
  await expect.poll(async () => (await shadow()).every((row) => row.updatedDeviceTime > 0)).toBe(true)
  expect((await journalOf('s2')).at(0)).toMatchObject({ adds: true, content: '{"power":true}' })

  await device.say('thing/property', { method: 'get_status', clientToken: 's3' })
  expect(await device.next('get_status_reply')).toMatchObject({ data: { level: 60, power: true } })
  expect((await journalOf('s3')).some((row) => row.adds)).toBe(false)
  expect(device.heard.some(({ message }) => message.method === 'control')).toBe(false)
})

test('a sub-device is switched through its gateway', async () => {
  const childProduct = await makeLampProduct(world, { deviceType: DeviceType.subDevice })
  const child = await makeDevice(world, childProduct)
  const gatewayKey = await makeDevice(world, await makeProduct(world, { deviceType: DeviceType.gateway }))
  const live = { shadowControl: 1 }
  expect(await set(child, { power: true }, live)).toMatchObject({ status: 400, code: 100009 })
  await world.asAdmin(bindSubDevices, {
    gateWayProductID: gatewayKey.productID,
    gateWaydeviceName: gatewayKey.deviceName,
    list: [child],
  })
  expect(await set(child, { power: true }, live)).toMatchObject({ status: 400, code: 2000003 })
  const gateway = await connect(gatewayKey, [child])
  const online = { method: 'online', clientToken: 'o1', payload: { devices: [child] } }
  await gateway.say('gateway/status', online)
  await expect.poll(() => isOnline(child)).toBe(1)
  const called = set(child, { power: true }, live)
  const { clientToken } = await gateway.next('control')
  await gateway.say('thing/property', { method: 'control_reply', clientToken, code: 200 }, child)
  expect(await called).toMatchObject({ status: 200, data: { code: 200 } })
})

test('a request written by hand is answered, paired and its yes is a report', async () => {
  const { key, device } = await makeLamp()
  const topic = `$thing/down/property/${productID}/${key.deviceName}`
  const payload = json({ method: 'control', clientToken: 'by-hand', params: { level: 15 } })
  await world.asAdmin(sendMessage, { topic, payload })
  await device.next('control')
  await device.say('thing/property', { method: 'control_reply', clientToken: 'by-hand', code: 200 })
  expect((await journalOf('by-hand')).at(-1)).toMatchObject({ up: true, code: 200, adds: true })
})

test('a device that left is offline for commands', async () => {
  const { key, device } = await makeLamp()
  await expect.poll(() => isOnline(key)).toBe(1)
  await device.leave()
  await expect.poll(() => isOnline(key)).toBe(2)
  expect(await set(key, { hue: 1 })).toMatchObject({ status: 400, code: 2000003 })
})
