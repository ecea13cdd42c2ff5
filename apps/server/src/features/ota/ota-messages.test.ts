/** `$ota` messages of real devices, the bad ones too (device-protocol.md 8). */

import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { listHubLog } from '@ithings/contract/features/history.ts'
import { createOtaTask } from '@ithings/contract/features/ota/task.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addFirmware, type OtaRoom, openOtaRoom, plan } from './testing/ota-room.ts'

let world: World
let room: OtaRoom

beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  room = await openOtaRoom(world)
})
afterEach(() => room.close())
afterAll(() => world.close())

const versions = async (deviceName: string) =>
  (
    await sql<{ module: number; name: string; version: string }>`
      select module, name, device_module.version from device_module join device using (device_id)
      where device_name = ${deviceName} order by module`.execute(world.db)
  ).rows

test('versions are kept for each module; main and default are one, and are the version of the device', async () => {
  const device = await room.device({ version: '' })
  await device.report('1.0.0', 'main')
  await device.report('1.0.1')
  await device.report('7.1', 'wifi')
  await device.report('m3', 'mcu')
  await device.quiet()
  expect(await versions(device.key.deviceName)).toEqual([
    { module: 1, name: 'wifi', version: '7.1' },
    { module: 2, name: 'mcu', version: 'm3' },
    { module: 3, name: 'default', version: '1.0.1' },
  ])
  expect(await world.asAdmin(readDevice, device.key)).toMatchObject({ version: '1.0.1' })
  await device.publish('thing/property', { method: 'reportInfo', clientToken: 'i', params: { version: '1.0.2' } })
  expect((await versions(device.key.deviceName))[2]).toEqual({ module: 3, name: 'default', version: '1.0.2' })
})

test.each([
  ['no params', undefined, 100006, 'need add params'],
  ['no module', { version: '1.0.0' }, 100006, '缺少 module'],
  ['a module that does not exist', { version: '1.0.0', module: 'gps' }, 100006, 'module 须为'],
  ['no version', { module: 'default' }, 100006, '缺少 version'],
  ['a version that is too long', { module: 'default', version: 'x'.repeat(65) }, 100015, '最长 64'],
])('a report with %s is refused where upgrades are told, and changes nothing', async (_name, params, code, text) => {
  const device = await room.device({ version: '' })
  await device.publish('ota/report', { method: 'reportInfo', clientToken: 'bad', params })
  const answer = await device.next('ota/upgrade')
  expect(answer).toMatchObject({ method: 'reportInfoReply', clientToken: 'bad', code })
  expect(answer.msg).toContain(text)
  expect(await versions(device.key.deviceName)).toEqual([])
  const { list } = await world.asAdmin(listHubLog, { ...device.key, actions: ['otaLog'] })
  expect(list).toMatchObject([{ resultType: String(code) }])
})

test('another method than reportInfo is no version', async () => {
  const device = await room.device({ version: '' })
  const params = { version: '1.0.0', module: 'default' }
  await device.publish('ota/report', { method: 'report', clientToken: 'm', params })
  expect(await device.next('ota/upgrade')).toMatchObject({ code: 100013 })
  await device.publish('ota/report', { method: 'report_info', clientToken: 's', params })
  await expect.poll(() => versions(device.key.deviceName)).toHaveLength(1)
})

test('progress: what is missing or wrong is refused, any method counts, and the answer echoes the spelling', async () => {
  const [device, other] = [await room.device(), await room.device()]
  const { taskUid } = await room.task()
  const { id } = await device.upgrade()
  const { id: othersID } = await other.upgrade()
  const say = (params: unknown, method = 'progress') => device.ask('ota/progress', { method, params })
  expect(await say({ step: 10 })).toMatchObject({ code: 100006 })
  expect(await say({ step: 0, module: 'default' })).toMatchObject({ code: 100015 })
  expect(await say({ step: 101, module: 'default' })).toMatchObject({ code: 100015 })
  expect(await say({ step: 'half', module: 'default' })).toMatchObject({ code: 100006 })
  expect(await say({ step: 1.5, module: 'default' })).toMatchObject({ code: 100006 })
  expect(await say({ step: 10, module: 'default', id: 'x' })).toMatchObject({ code: 100006 })
  expect(await say({ step: 10, module: 'default', id: 999_999_999 })).toMatchObject({ code: 100009 })
  expect(await say({ step: -1, module: 'default', id: othersID })).toMatchObject({ code: 100009 })
  expect(await say(['step'])).toMatchObject({ code: 100006 })
  for (const { key } of [device, other]) await room.untilStatus(taskUid, key.deviceName, 301)
  expect(await say({ step: '15', module: 'main', id: String(id) }, 'anything')).toMatchObject({
    code: 200,
    method: 'reportInfoReply',
  })
  await expect.poll(async () => (await room.rows(taskUid)).get(device.key.deviceName)?.step).toBe(15)
  expect(await say({ step: 20, module: 'default' }, 'report')).toMatchObject({ code: 200, method: 'report_reply' })
  await expect.poll(async () => (await room.rows(taskUid)).get(device.key.deviceName)?.step).toBe(20)
})

test('progress without a task, or of a module that is not upgraded, is answered and noted', async () => {
  const device = await room.device()
  expect(await device.step(10)).toMatchObject({ code: 200 })
  const { taskUid } = await room.task()
  await device.upgrade()
  await room.untilStatus(taskUid, device.key.deviceName, 301)
  expect(await device.step(-1, { module: 'wifi' })).toMatchObject({ code: 200 })
  expect((await room.rows(taskUid)).get(device.key.deviceName)).toMatchObject({ status: 301 })
})

test('progress and failures before the push are nobody’s', async () => {
  const device = await room.device()
  const { taskUid } = await room.task({ scheduleTime: Math.floor(world.clock.now() / 1000) + 3_600 })
  expect(await device.step(10)).toMatchObject({ code: 200 })
  expect(await device.step(-1)).toMatchObject({ code: 200 })
  expect((await room.rows(taskUid)).get(device.key.deviceName)).toMatchObject({ status: 101 })
})

test('a sub-device is upgraded through its gateway', async () => {
  const gatewayProduct = await makeProduct(world, { deviceType: DeviceType.gateway })
  const childProduct = await makeProduct(world, { deviceType: DeviceType.subDevice })
  const gatewayKey = await makeDevice(world, gatewayProduct)
  const child = await makeDevice(world, childProduct)
  await world.asAdmin(bindSubDevices, {
    gateWayProductID: gatewayProduct,
    gateWaydeviceName: gatewayKey.deviceName,
    list: [child],
  })
  const own = `${child.productID}/${child.deviceName}`
  const gateway = await connectDevice(world, gatewayKey, {
    subscribe: [`$ota/down/+/${own}`, `$gateway/down/+/${gatewayKey.productID}/${gatewayKey.deviceName}`],
  })
  await gateway.ask('gateway/status', { method: 'online', payload: { devices: [child] } })
  await gateway.publish(
    'ota/report',
    { method: 'reportInfo', clientToken: 'c', params: { version: '1.0.0', module: 'default' } },
    { of: child },
  )
  await expect.poll(() => versions(child.deviceName)).toHaveLength(1)
  const firmwareID = await addFirmware(world, childProduct)
  const { taskUid } = await world.asAdmin(createOtaTask, plan({ firmwareID }))
  const { data } = await gateway.next('ota/upgrade', () => true, child)
  const { id } = data as { id: number }
  const answer = await gateway.ask(
    'ota/progress',
    { method: 'report', params: { id, step: 5, module: 'default' } },
    child,
  )
  expect(answer).toMatchObject({ code: 200 })
  await room.untilStatus(taskUid, child.deviceName, 401)
  await gateway.end()
})
