/** One device's way through a task, every transition with a real device (screens.md 22, decisions.md 2 "OTA moves"). */

import { createHash } from 'node:crypto'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { listHubLog } from '@ithings/contract/features/history.ts'
import {
  cancelOtaDevice,
  cancelOtaDevices,
  retryOtaDevice,
  retryOtaDevices,
} from '@ithings/contract/features/ota/device.ts'
import { deleteFirmware } from '@ithings/contract/features/ota/firmware.ts'
import {
  analyseOtaTask,
  cancelOtaTask,
  createOtaTask,
  pauseOtaTask,
  resumeOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listen, makeTusClient } from '#features/files/testing/tus.ts'
import { said } from '#testing/said.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makePackage, packageBody } from './firmware/testing/packages.ts'
import { addFirmware, type OtaRoom, openOtaRoom, plan } from './testing/ota-room.ts'

let world: World
let room: OtaRoom

beforeAll(async () => {
  world = await openWorld({ config: { tokenLifeSeconds: 30 * 86_400 } })
})
beforeEach(async () => {
  room = await openOtaRoom(world)
})
afterEach(() => room.close())
afterAll(() => world.close())

const minute = 60_000
const call = (endpoint: Parameters<World['call']>[0], body: object) =>
  world.call(endpoint, body, { token: world.admin })

test('101, 301, 401, 501: pushed, steps, the new version', async () => {
  const device = await room.device()
  const firmwareID = await addFirmware(world, room.productID, { version: '2.1.0', extData: '{"region":"cn"}' })
  const { taskID, taskUid } = await room.task({ firmwareID })
  const message = await device.next('ota/upgrade')
  expect(message).toMatchObject({ method: 'reportInfo', code: 200, status: '成功' })
  const info = message.data as Record<string, unknown>
  const { deviceName } = device.key
  const pushed = await room.untilStatus(taskUid, deviceName, 301)
  expect(pushed).toMatchObject({ version: '1.0.0', destVersion: '2.1.0', attempts: 1, isOnline: 1 })
  expect(info).toMatchObject({
    id: pushed.id,
    version: '2.1.0',
    signMethod: 'sha256',
    isDiff: 1,
    module: 'default',
    extData: '{"region":"cn"}',
    files: [{ name: 'a.bin', size: 3, signature: 's'.repeat(64), fileMd5: 'm'.repeat(32) }],
  })
  const [file] = info.files as Array<{ url: string; fileUrl: string }>
  expect(file?.url).toMatch(/^http:\/\/.+\/ota\/a\.bin\?.*sign=/)
  expect(file?.fileUrl).toBe(file?.url)
  await room.untilTask(taskID, { status: 2, total: 1, counts: { 301: 1, 101: 0, 701: 0 } })

  expect(await device.step(40, { id: pushed.id, desc: '下载中' })).toMatchObject({ method: 'report_reply', code: 200 })
  expect(await room.untilStatus(taskUid, deviceName, 401)).toMatchObject({ step: 40, detail: '下载中' })
  await device.report('2.1.0')
  expect(await room.untilStatus(taskUid, deviceName, 501)).toMatchObject({ step: 0, attempts: 1 })
  await room.untilTask(taskID, { status: 3, counts: { 501: 1 } })
  expect(await world.asAdmin(readDevice, device.key)).toMatchObject({ version: '2.1.0' })
  const { result, reasons } = await world.asAdmin(analyseOtaTask, { taskUid })
  expect(JSON.parse(result)).toEqual({ 101: 0, 301: 0, 401: 0, 402: 0, 501: 1, 601: 0, 701: 0 })
  expect(reasons).toEqual([])
  expect(await call(cancelOtaTask, { taskID })).toMatchObject({ code: 2100002 })
  const { list } = await world.asAdmin(listHubLog, { ...device.key, actions: ['otaLog'] })
  expect(list.length).toBeGreaterThanOrEqual(4)
})

test('what is pushed can be fetched, and is what was uploaded; a package in use is not deleted', async () => {
  const device = await room.device()
  const tus = makeTusClient(await listen(world), world.admin)
  const firmwareID = await makePackage(world, { ...(await packageBody(tus, room.productID)), version: '2.3.0' })
  const { taskID } = await room.task({ firmwareID })
  const { files } = (await device.upgrade()) as { files: Array<{ url: string; size: number; signature: string }> }
  const [file] = files
  const fetched = await fetch(file?.url ?? '')
  expect(fetched.status).toBe(200)
  const bytes = Buffer.from(await fetched.arrayBuffer())
  expect(bytes.length).toBe(file?.size)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.signature)
  expect(await call(deleteFirmware, { firmwareID })).toMatchObject({ code: 100019 })
  await device.report('2.3.0')
  await room.untilTask(taskID, { status: 3 })
  await world.asAdmin(deleteFirmware, { firmwareID })
  // What is over stays readable.
  expect(await room.read(taskID)).toMatchObject({ version: '2.3.0', counts: { 501: 1 } })
})

test('301 to 501 without a step, and the version of the device told by reportInfo counts too', async () => {
  const device = await room.device()
  const { taskUid } = await room.task()
  await device.upgrade()
  await device.publish('thing/property', { method: 'reportInfo', clientToken: 'x', params: { version: '2.0.0' } })
  await room.untilStatus(taskUid, device.key.deviceName, 501)
})

test('402 with the words of the device; what is illegal is answered and changes nothing', async () => {
  const device = await room.device()
  const { taskID, taskUid } = await room.task()
  const { id } = await device.upgrade()
  expect(await device.step(-2, { id, desc: '磁盘已满' })).toMatchObject({ code: 200 })
  const failed = await room.untilStatus(taskUid, device.key.deviceName, 402)
  expect(failed.detail).toBe('磁盘已满')
  await room.untilTask(taskID, { status: 3 })
  expect((await world.asAdmin(analyseOtaTask, { taskUid })).reasons).toEqual([{ reason: '磁盘已满', count: 1 }])

  expect(await device.step(50, { id })).toMatchObject({ code: 200 })
  await device.report('2.0.0')
  expect((await room.rows(taskUid)).get(device.key.deviceName)).toMatchObject({ status: 402, detail: '磁盘已满' })
  const { rows: logged } = await sql`select code, msg from journal join device using (device_id)
    where device_name = ${device.key.deviceName} and msg <> ''`.execute(world.db)
  expect(said(logged)).toEqual([{ code: 200, msg: '升级状态为升级失败，已忽略' }])
})

test('a failure without words is named by its step', async () => {
  const device = await room.device()
  const { taskUid } = await room.task()
  await device.upgrade()
  await device.step(-3)
  expect(await room.untilStatus(taskUid, device.key.deviceName, 402)).toMatchObject({ detail: '校验失败' })
})

test('a device that says nothing times out, is tried again as the task says, and then has failed', async () => {
  const device = await room.device()
  const { taskID, taskUid } = await room.task({ timeoutInMinutes: 1, retryCount: 1, retryInterval: 5 })
  await device.upgrade()
  await room.untilStatus(taskUid, device.key.deviceName, 301)
  world.clock.advance(minute + 1_000)
  expect(await room.untilStatus(taskUid, device.key.deviceName, 101)).toMatchObject({ attempts: 1, detail: '超时' })
  expect(await device.quiet()).toEqual([])
  world.clock.advance(5 * minute)
  await device.upgrade()
  expect(await room.untilStatus(taskUid, device.key.deviceName, 301)).toMatchObject({ attempts: 2 })
  world.clock.advance(minute + 1_000)
  expect(await room.untilStatus(taskUid, device.key.deviceName, 402)).toMatchObject({ attempts: 2, detail: '超时' })
  await room.untilTask(taskID, { status: 3 })
})

test('401 times out too', async () => {
  const device = await room.device()
  const { taskUid } = await room.task({ timeoutInMinutes: 1 })
  await device.upgrade()
  await device.step(10)
  await room.untilStatus(taskUid, device.key.deviceName, 401)
  world.clock.advance(minute + 1_000)
  await room.untilStatus(taskUid, device.key.deviceName, 402)
})

test('601 before the push, from 301 and from 401; retry puts it back', async () => {
  const [early, pushed, updating] = [await room.device(), await room.device(), await room.device()]
  const soon = Math.floor(world.clock.now() / 1000) + 3_600
  const scheduled = await room.task({ type: 2, deviceList: [early.key.deviceName], scheduleTime: soon })
  await early.report('3.0.0')
  expect(await room.untilStatus(scheduled.taskUid, early.key.deviceName, 601)).toMatchObject({
    detail: '设备版本高于升级包版本：3.0.0',
    attempts: 0,
  })
  const { taskUid } = await room.task({ type: 2, deviceList: [pushed.key.deviceName, updating.key.deviceName] })
  await pushed.upgrade()
  await updating.upgrade()
  await updating.step(30)
  await pushed.report('2.0.1')
  await updating.report('2.0.1')
  const row = await room.untilStatus(taskUid, pushed.key.deviceName, 601)
  await room.untilStatus(taskUid, updating.key.deviceName, 601)
  // Still higher: it is not pushed.
  await world.asAdmin(retryOtaDevice, { id: row.id })
  await room.untilStatus(taskUid, pushed.key.deviceName, 601)
  expect(await pushed.quiet()).toEqual([])
  await pushed.report('1.5.0')
  await world.asAdmin(retryOtaDevice, { id: row.id })
  expect(await pushed.upgrade()).toMatchObject({ id: row.id })
})

test('an old version after the push is answered with the same information and is no second push', async () => {
  const device = await room.device()
  const { taskUid } = await room.task()
  const info = await device.upgrade()
  await room.untilStatus(taskUid, device.key.deviceName, 301)
  await device.publish('ota/report', {
    method: 'reportInfo',
    msgToken: 'again',
    params: { version: '1.0.0', module: 'default' },
  })
  const answer = await device.next('ota/upgrade')
  expect(answer).toMatchObject({ method: 'reportInfoReply', msgToken: 'again', code: 200, msg: '成功' })
  expect(answer.data).toMatchObject({ id: info.id, version: '2.0.0' })
  expect((await room.rows(taskUid)).get(device.key.deviceName)).toMatchObject({ status: 301, attempts: 1 })
})

test('nothing waits: a version is stored and not answered', async () => {
  const device = await room.device()
  await device.report('1.2.0')
  expect(await device.quiet()).toEqual([])
  expect(await world.asAdmin(readDevice, device.key)).toMatchObject({ version: '1.2.0' })
})

test('an offline device waits at 101 and is pushed when it comes', async () => {
  const key = await room.offlineDevice()
  const { taskUid } = await room.task()
  await expect.poll(async () => (await room.rows(taskUid)).get(key.deviceName)?.detail).toBe('设备离线，上线后推送')
  expect((await room.rows(taskUid)).get(key.deviceName)).toMatchObject({ status: 101, attempts: 0 })
  const device = await room.connect(key)
  await device.report('1.0.0')
  await device.upgrade()
  await room.untilStatus(taskUid, key.deviceName, 301)
})

test('a device that has the version already ends at 501 without a push', async () => {
  const device = await room.device()
  const soon = Math.floor(world.clock.now() / 1000) + 3_600
  const { taskUid } = await room.task({ scheduleTime: soon })
  // Told in the old way before the task begins, so that nobody but the push looks.
  await world.db.updateTable('device_module').set({ version: '2.0.0' }).where('version', '=', '1.0.0').execute()
  world.clock.advance(61 * minute)
  expect(await room.untilStatus(taskUid, device.key.deviceName, 501)).toMatchObject({ detail: '设备已是目标版本' })
  expect(await device.quiet()).toEqual([])
})

test('a differential package is pushed only to its source version', async () => {
  const device = await room.device({ version: '1.1.0' })
  const firmwareID = await addFirmware(world, room.productID, { version: '2.5.0', isDiff: 2, srcVersion: '1.1.0' })
  const soon = Math.floor(world.clock.now() / 1000) + 3_600
  const { taskUid } = await room.task({ firmwareID, scheduleTime: soon })
  await device.report('1.2.0')
  world.clock.advance(61 * minute)
  expect(await room.untilStatus(taskUid, device.key.deviceName, 701)).toMatchObject({
    detail: '差分包须从版本 1.1.0 升级，设备版本为 1.2.0',
  })
  expect(await device.quiet()).toEqual([])
})

test('cancel: 101, 301 and 401 become 701; a device that was writing is ignored; retry from 701', async () => {
  const [waiting, pushed, updating] = [await room.offlineDevice(), await room.device(), await room.device()]
  const { taskID, taskUid } = await room.task()
  await pushed.upgrade()
  await updating.upgrade()
  await updating.step(20)
  await room.untilStatus(taskUid, updating.key.deviceName, 401)
  await world.asAdmin(cancelOtaTask, { taskID })
  const rows = await room.rows(taskUid)
  for (const { deviceName } of [waiting, pushed.key, updating.key]) {
    expect(rows.get(deviceName)).toMatchObject({ status: 701, detail: '任务已取消' })
  }
  expect(await room.read(taskID)).toMatchObject({ status: 4, counts: { 701: 3 } })
  expect(await updating.step(60)).toMatchObject({ code: 200 })
  expect((await room.rows(taskUid)).get(updating.key.deviceName)).toMatchObject({ status: 701 })
  await world.asAdmin(retryOtaDevice, { id: rows.get(pushed.key.deviceName)?.id ?? 0 })
  await pushed.upgrade()
  await room.untilTask(taskID, { status: 2, counts: { 301: 1, 701: 2 } })
  await pushed.report('2.0.0')
  await room.untilTask(taskID, { status: 3, counts: { 501: 1, 701: 2 } })
})

test('cancel and retry of one and of many tell what is not possible', async () => {
  const [one, two, three] = [await room.device(), await room.device(), await room.device()]
  const { taskUid } = await room.task()
  for (const device of [one, two, three]) await device.upgrade()
  await one.report('2.0.0')
  await two.step(10)
  const first = await room.untilStatus(taskUid, one.key.deviceName, 501)
  const second = await room.untilStatus(taskUid, two.key.deviceName, 401)
  const third = await room.untilStatus(taskUid, three.key.deviceName, 301)
  for (const { id } of [first, second, third])
    expect(await call(retryOtaDevice, { id })).toMatchObject({ code: 2100001 })
  expect(await call(cancelOtaDevice, { id: first.id })).toMatchObject({ code: 2100002 })
  expect(await call(cancelOtaDevice, { id: 999_999_999 })).toMatchObject({ code: 100009 })
  await world.asAdmin(cancelOtaDevice, { id: third.id })
  expect(await room.untilStatus(taskUid, three.key.deviceName, 701)).toMatchObject({ detail: '已取消' })
  const ids = [first.id, second.id, third.id, 999_999_999]
  expect(await world.asAdmin(cancelOtaDevices, { taskUid, ids })).toEqual({
    done: 1,
    failed: [
      { id: first.id, msg: '升级成功的设备不能取消' },
      { id: third.id, msg: '已取消的设备不能取消' },
      { id: 999_999_999, msg: '不在该任务中' },
    ],
  })
  expect(await world.asAdmin(retryOtaDevices, { taskUid, status: 701 })).toEqual({ done: 2, failed: [] })
  await two.upgrade()
  await three.upgrade()
  await two.step(-1)
  await room.untilStatus(taskUid, two.key.deviceName, 402)
  expect(await world.asAdmin(retryOtaDevices, { taskUid })).toEqual({ done: 1, failed: [] })
  await two.upgrade()
})

test('pause stops pushing, resume goes on', async () => {
  const soon = Math.floor(world.clock.now() / 1000) + 3_600
  const device = await room.device()
  const { taskID, taskUid } = await room.task({ scheduleTime: soon })
  expect(await call(resumeOtaTask, { taskID })).toMatchObject({ code: 100006 })
  await world.asAdmin(pauseOtaTask, { taskID })
  expect(await room.read(taskID)).toMatchObject({ status: 1, paused: 1, haltReason: '' })
  world.clock.advance(61 * minute)
  expect(await device.quiet()).toEqual([])
  expect(await call(pauseOtaTask, { taskID })).toMatchObject({ code: 100006 })
  await world.asAdmin(resumeOtaTask, { taskID })
  await device.upgrade()
  await room.untilStatus(taskUid, device.key.deviceName, 301)
})

test('the window closes: those that wait have failed, those that were pushed go on', async () => {
  const offline = await room.offlineDevice()
  const device = await room.device()
  const now = Math.floor(world.clock.now() / 1000)
  const { taskID, taskUid } = await room.task({ scheduleFinishTime: now + 3_600, timeoutInMinutes: 120 })
  await device.upgrade()
  await room.untilStatus(taskUid, device.key.deviceName, 301)
  world.clock.advance(61 * minute)
  expect(await room.untilStatus(taskUid, offline.deviceName, 402)).toMatchObject({ detail: '已超过截止时间' })
  expect((await room.rows(taskUid)).get(device.key.deviceName)).toMatchObject({ status: 301 })
  await device.report('2.0.0')
  await room.untilTask(taskID, { status: 3, counts: { 402: 1, 501: 1 } })
})

test('overwrite: the newer task takes the device, else a device in another task is left out', async () => {
  const device = await room.device()
  const { deviceName } = device.key
  const other = await addFirmware(world, room.productID, { version: '2.2.0' })
  const first = await room.task()
  await device.upgrade()
  await room.untilStatus(first.taskUid, deviceName, 301)
  expect(await call(createOtaTask, plan({ firmwareID: other }))).toMatchObject({ code: 100006 })
  const second = await room.task({ firmwareID: other, isOverwriteMode: 1 })
  expect(await device.upgrade()).toMatchObject({ version: '2.2.0' })
  expect(await room.untilStatus(first.taskUid, deviceName, 701)).toMatchObject({
    detail: `被升级任务 ${second.taskUid} 覆盖`,
  })
  // Another module is another thing.
  await device.report('1.0.0', 'wifi')
  const wifi = await addFirmware(world, room.productID, { version: '1.1.0', module: 1 })
  const third = await room.task({ firmwareID: wifi })
  expect(await device.upgrade()).toMatchObject({ version: '1.1.0', module: 'wifi' })
  await device.report('1.1.0', 'wifi')
  await room.untilStatus(third.taskUid, deviceName, 501)
  await room.untilStatus(second.taskUid, deviceName, 301)
})

test('an older task never takes a device back from a newer one', async () => {
  const device = await room.device()
  const { deviceName } = device.key
  const other = await addFirmware(world, room.productID, { version: '2.2.0' })
  const hour = (count: number) => Math.floor(world.clock.now() / 1000) + count * 3_600
  const older = await room.task({ isOverwriteMode: 1, scheduleTime: hour(1), timeoutInMinutes: 600 })
  const newer = await room.task({ firmwareID: other, isOverwriteMode: 1, scheduleTime: hour(2) })
  world.clock.advance(61 * minute)
  expect(await device.upgrade()).toMatchObject({ version: '2.0.0' })
  expect(await room.untilStatus(older.taskUid, deviceName, 301)).toMatchObject({ attempts: 1 })
  expect((await room.rows(newer.taskUid)).get(deviceName)).toMatchObject({ status: 101, detail: '' })
  world.clock.advance(60 * minute)
  expect(await device.upgrade()).toMatchObject({ version: '2.2.0' })
  const left = await room.untilStatus(older.taskUid, deviceName, 701)
  await room.untilStatus(newer.taskUid, deviceName, 301)
  // Tried again it finds the newer one at work.
  await world.asAdmin(retryOtaDevice, { id: left.id })
  await expect
    .poll(async () => (await room.rows(older.taskUid)).get(deviceName))
    .toMatchObject({ status: 701, detail: `设备正在升级任务 ${newer.taskUid} 中升级` })
  expect(await device.quiet()).toEqual([])
  expect((await room.rows(newer.taskUid)).get(deviceName)).toMatchObject({ status: 301 })
})

test('of two overwriting tasks that take devices at the same moment the newer one has them', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => room.offlineDevice()))
  const other = await addFirmware(world, room.productID, { version: '2.2.0' })
  const older = await room.task({ isOverwriteMode: 1 })
  const newer = await room.task({ firmwareID: other, isOverwriteMode: 1 })
  for (const { taskUid } of [older, newer]) {
    const details = async () => [...(await room.rows(taskUid)).values()].map(({ detail }) => detail)
    await expect.poll(details).toEqual(keys.map(() => '设备离线，上线后推送'))
  }
  const devices = await Promise.all(keys.map((key) => room.connect(key)))
  for (const { key } of devices) {
    await room.untilStatus(older.taskUid, key.deviceName, 701)
    await room.untilStatus(newer.taskUid, key.deviceName, 301)
  }
})

test('a static task for many devices of which none fits is cancelled and says why', async () => {
  await sql`insert into device (product_id, device_name, secret, version)
    select ${room.productID}, 'many' || nr, 'x', '2.0.0' from generate_series(1, 1001) nr`.execute(world.db)
  const { taskID } = await room.task()
  await room.untilTask(taskID, { status: 4, total: 0 })
  const { reason } = await world.db
    .selectFrom('rollout')
    .select('reason')
    .where('owner_id', '=', taskID)
    .where('kind', '=', 'ota')
    .executeTakeFirstOrThrow()
  expect(reason).toContain('没有可升级的设备')
})

test('of two tasks that take devices at the same moment one gets each, the other says who has it', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => room.offlineDevice()))
  const other = await addFirmware(world, room.productID, { version: '2.2.0' })
  const first = await room.task()
  // Left to the second task, then taken up again: now both wait for the devices.
  const left = [...(await room.rows(first.taskUid)).values()]
  await world.asAdmin(cancelOtaDevices, { taskUid: first.taskUid, ids: left.map(({ id }) => id) })
  const second = await room.task({ firmwareID: other })
  const waiting = async ({ taskUid }: { taskUid: string }) =>
    [...(await room.rows(taskUid)).values()].map(({ detail }) => detail)
  await expect.poll(() => waiting(second)).toEqual(keys.map(() => '设备离线，上线后推送'))
  await world.asAdmin(retryOtaDevices, { taskUid: first.taskUid, ids: left.map(({ id }) => id) })
  await expect.poll(() => waiting(first)).toEqual(keys.map(() => '设备离线，上线后推送'))

  const devices = await Promise.all(keys.map((key) => room.connect(key)))
  await Promise.all(devices.map((device) => device.upgrade()))
  for (const { key } of devices) {
    const statuses = async () =>
      (await Promise.all([first, second].map(({ taskUid }) => room.rows(taskUid))))
        .map((rows) => rows.get(key.deviceName)?.status ?? 0)
        .toSorted()
    await expect.poll(statuses).toEqual([301, 701])
  }
  expect(devices.map((device) => device.waitingInfos())).toEqual(devices.map(() => 0))
})
