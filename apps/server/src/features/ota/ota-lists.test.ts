/** What a task would take, what may be asked for, and what lists and files tell. */
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { readJob } from '@ithings/contract/features/jobs.ts'
import { exportOtaDevices, listOtaDevices } from '@ithings/contract/features/ota/device.ts'
import {
  analyseOtaTask,
  cancelOtaTask,
  createOtaTask,
  listOtaTasks,
  otaLimits,
  previewOtaTask,
  readOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeDevice, makeProduct, untilJobEnds } from '#features/devices/testing/make-devices.ts'
import { makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldOtaTasks } from './housekeeping.ts'
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

const call = (endpoint: Parameters<World['call']>[0], body: object) =>
  world.call(endpoint, body, { token: world.admin })

/** As if it had reported this version. */
async function withVersion(version: string, more: { online?: boolean; enabled?: boolean } = {}): Promise<string> {
  const { deviceName } = await makeDevice(world, room.productID)
  await sql`update device set version = ${version}, is_online = ${more.online ? 1 : 2}, first_login = now(),
    is_enable = ${more.enabled === false ? 2 : 1} where device_name = ${deviceName}`.execute(world.db)
  return deviceName
}

const later = () => Math.floor(world.clock.now() / 1000) + 3_600

test('the preview tells who is taken, who is not and why, and what a broken firmware would hit', async () => {
  const taken = [await withVersion('1.0.0', { online: true }), await withVersion('1.0.0'), await withVersion('1.1.0')]
  const newest = await withVersion('2.0.0')
  const higher = await withVersion('2.0.1')
  const notListed = await withVersion('0.9.0')
  const disabled = await withVersion('1.0.0', { enabled: false })
  const never = await withVersion('')
  const busy = await withVersion('1.0.0')
  const other = await addFirmware(world, room.productID, { version: '1.9.0' })
  await room.task({ firmwareID: other, type: 2, deviceList: [busy], scheduleTime: later() })
  const stages = [
    { percent: 30, successPercent: 90, failPercent: 20 },
    { percent: 100, successPercent: 90, failPercent: 20 },
  ]
  const asked = plan({ firmwareID: room.firmwareID, versionList: ['1.0.0', '1.1.0'], stages, maximumPerMinute: 60 })
  const seen = await world.asAdmin(previewOtaTask, asked)
  expect(seen).toMatchObject({
    matched: 3,
    online: 1,
    versions: [
      { version: '1.0.0', count: 2 },
      { version: '1.1.0', count: 1 },
    ],
    worstCase: 1,
    seconds: 2,
    stages: [
      { percent: 30, devices: 1 },
      { percent: 100, devices: 2 },
    ],
  })
  expect(Object.fromEntries(seen.skipped.map(({ reason, devices }) => [reason, devices]))).toEqual({
    disabled: [disabled],
    neverReported: [never],
    newest: [newest],
    higher: [higher],
    notListed: [notListed],
    busy: [busy],
  })
  expect(seen.skipped.find(({ reason }) => reason === 'higher')).toMatchObject({ label: '版本高于目标版本', count: 1 })
  expect(await world.asAdmin(previewOtaTask, { ...asked, isOverwriteMode: 1 })).toMatchObject({ matched: 4 })
  // The versions that were reported do not count: whoever is there is asked.
  expect(await world.asAdmin(previewOtaTask, { ...asked, source: 2 })).toMatchObject({ matched: 7 })
  // A package for every version takes devices that never told theirs.
  expect(await world.asAdmin(previewOtaTask, plan({ firmwareID: room.firmwareID }))).toMatchObject({ matched: 5 })

  // What was shown is what is taken; those that are online come first.
  const { taskUid } = await room.task({ ...asked, scheduleTime: later() })
  const rows = [...(await room.rows(taskUid)).values()]
  expect(rows.map((row) => row.deviceName).toSorted()).toEqual(taken.toSorted())
  expect(rows[0]).toMatchObject({ deviceName: taken[0], version: '1.0.0', status: 101 })
})

test('a differential package takes its source version only', async () => {
  const fits = await withVersion('1.0.0')
  const wrong = await withVersion('1.1.0')
  const firmwareID = await addFirmware(world, room.productID, { version: '1.2.0', isDiff: 2, srcVersion: '1.0.0' })
  const seen = await world.asAdmin(previewOtaTask, plan({ firmwareID }))
  expect(seen).toMatchObject({ matched: 1, skipped: [{ reason: 'diffSource', devices: [wrong] }] })
  const { taskID, taskUid } = await room.task({ firmwareID, scheduleTime: later() })
  expect([...(await room.rows(taskUid)).keys()]).toEqual([fits])
  expect(await room.read(taskID)).toMatchObject({ srcVersion: '["1.0.0"]' })
  expect(await call(createOtaTask, plan({ firmwareID, versionList: ['1.1.0'] }))).toMatchObject({ code: 100006 })
})

test('devices by list and by group with its children; strangers are named', async () => {
  const [byName, byGroup, byChild] = [
    await withVersion('1.0.0'),
    await withVersion('1.0.0'),
    await withVersion('1.0.0'),
  ]
  await withVersion('1.0.0')
  const otherProduct = await makeProduct(world)
  const stranger = await makeDevice(world, otherProduct)
  const { groupID } = await world.asAdmin(createGroup, { groupName: '楼', parentID: '1', productID: '' })
  const { groupID: childID } = await world.asAdmin(createGroup, { groupName: '层', parentID: groupID, productID: '' })
  const member = (deviceName: string) => ({ productID: room.productID, deviceName })
  await world.asAdmin(addGroupDevices, { groupID, list: [member(byGroup), stranger] })
  await world.asAdmin(addGroupDevices, { groupID: childID, list: [member(byChild)] })
  const asked = plan({
    firmwareID: room.firmwareID,
    type: 2,
    deviceList: JSON.stringify([byName, byName, 'nobody']),
    groupID,
  })
  expect(await world.asAdmin(previewOtaTask, asked)).toMatchObject({
    matched: 3,
    skipped: [
      { reason: 'unknownName', count: 1, devices: ['nobody'] },
      { reason: 'otherProduct', count: 1, devices: [stranger.deviceName] },
    ],
  })
  const { taskID, taskUid } = await room.task({ ...asked, scheduleTime: later() })
  expect([...(await room.rows(taskUid)).keys()].toSorted()).toEqual([byName, byGroup, byChild].toSorted())
  expect(await room.read(taskID)).toMatchObject({
    type: 2,
    srcDevice: JSON.stringify([byName, 'nobody']),
    groupID,
    source: 1,
  })
})

test('as many devices as a task may have can be named, and are left out where nobody asks for them', async () => {
  const known = await withVersion('1.0.0')
  const names = Array.from({ length: otaLimits.devices - 1 }, (_, nr) => String(nr).padStart(48, 'n'))
  const asked = plan({ firmwareID: room.firmwareID, type: 2, deviceList: JSON.stringify([known, ...names]) })
  expect(await world.asAdmin(previewOtaTask, asked)).toMatchObject({
    matched: 1,
    skipped: [{ reason: 'unknownName', count: names.length }],
  })
  const { taskID } = await room.task({ ...asked, scheduleTime: later() })
  const whole = await room.read(taskID)
  expect(JSON.parse(whole.srcDevice)).toHaveLength(otaLimits.devices)
  expect(await world.asAdmin(readOtaTask, { taskID, withDevices: false })).toEqual({ ...whole, srcDevice: '[]' })
})

test('spec 4: a device of a task says whether it was ever there, and a deleted one that it is gone', async () => {
  const seen = await withVersion('1.0.0')
  const gone = await withVersion('1.0.0')
  const never = await room.offlineDevice()
  const { taskUid } = await room.task({ scheduleTime: later(), source: 2 })
  await world.asAdmin(deleteDevice, { productID: room.productID, deviceName: gone })
  const rows = await room.rows(taskUid)
  expect(rows.get(never.deviceName)).toMatchObject({ firstLogin: '0', isOnline: 2 })
  expect(Number(rows.get(seen)?.firstLogin)).toBeGreaterThan(0)
  expect(rows.get(gone)).toMatchObject({ firstLogin: '', isOnline: 2 })
})

test('plans that cannot be meant are refused with the field', async () => {
  await withVersion('1.0.0')
  const now = Math.floor(world.clock.now() / 1000)
  const { firmwareID } = room
  const create = (fields: object) => call(createOtaTask, plan({ firmwareID, ...fields }))
  expect(await create({ firmwareID: 999_999 })).toMatchObject({ code: 100009 })
  expect(await create({ versionList: ['2.0.0'] })).toMatchObject({ code: 100006, body: { field: 'versionList' } })
  expect(await create({ versionList: ['2.0'] })).toMatchObject({ code: 100006 })
  expect(await create({ type: 2 })).toMatchObject({ code: 100006 })
  expect(await create({ type: 2, deviceList: ['nobody'] })).toMatchObject({ code: 100006 })
  expect(await create({ type: 2, groupID: 999_999 })).toMatchObject({ code: 100009 })
  expect(await create({ upgradeType: 2 })).toMatchObject({ code: 100006 })
  expect(await create({ upgradeType: 2, type: 2, versionList: ['1.0.0'], deviceList: ['x'] })).toMatchObject({
    code: 100006,
  })
  expect(await create({ scheduleTime: now - 3_600 })).toMatchObject({ code: 100006, body: { field: 'scheduleTime' } })
  expect(await create({ scheduleTime: now + 40 * 86_400 })).toMatchObject({ code: 100006 })
  expect(await create({ scheduleFinishTime: now - 1 })).toMatchObject({ code: 100006 })
  expect(await create({ stages: [{ percent: 50 }] })).toMatchObject({ code: 100006 })
  expect(await create({ stages: [{ percent: 50 }, { percent: 40 }, { percent: 100 }] })).toMatchObject({ code: 100006 })
  expect(await world.asAdmin(listOtaTasks, { productID: room.productID })).toMatchObject({ total: 0 })
})

test('the list finds tasks by everything it offers, newest first', async () => {
  const deviceName = await withVersion('1.0.0')
  const other = await addFirmware(world, room.productID, { version: '1.5.0' })
  const first = await room.task({ scheduleTime: later(), note: '夜间' })
  const second = await room.task({
    firmwareID: other,
    upgradeType: 2,
    versionList: ['0.1.0'],
    isOverwriteMode: 1,
  })
  const find = async (filter: object) =>
    (await world.asAdmin(listOtaTasks, { productID: room.productID, ...filter })).list.map((task) => task.taskID)
  expect(await find({})).toEqual([second.taskID, first.taskID])
  expect(await find({ page: { page: 1, size: 10, orders: [{ field: 'version', sort: 1 }] } })).toEqual([
    second.taskID,
    first.taskID,
  ])
  expect(await find({ firmwareID: other })).toEqual([second.taskID])
  expect(await find({ taskUid: first.taskUid.slice(-6) })).toEqual([first.taskID])
  expect(await find({ upgradeType: 2 })).toEqual([second.taskID])
  expect(await find({ deviceName })).toEqual([first.taskID])
  expect(await find({ deviceName: deviceName.slice(1) })).toEqual([])
  expect(await find({ type: 2 })).toEqual([])
  expect(await find({ status: 4 })).toEqual([])
  expect(await find({ timeStart: later() })).toEqual([])
  expect(await find({ timeEnd: later() })).toEqual([second.taskID, first.taskID])
  const { list } = await world.asAdmin(listOtaTasks, { firmwareID: room.firmwareID })
  expect(list).toMatchObject([
    { taskUid: first.taskUid, status: 1, total: 1, counts: { 101: 1 }, note: '夜间', autoRepeat: 1, module: 3 },
  ])
  // How many there are of each status, whichever of them is asked for.
  const { total, counts } = await world.asAdmin(listOtaTasks, { productID: room.productID, status: 4 })
  expect({ total, counts }).toMatchObject({ total: 0, counts: { 0: 2, 3: 0, 4: 0 } })
  expect((counts[1] ?? 0) + (counts[2] ?? 0)).toBe(2)
  expect(await call(listOtaTasks, { page: { orders: [{ field: 'note' }] } })).toMatchObject({ code: 100006 })
  expect(await call(readOtaTask, { taskID: 999_999 })).toMatchObject({ code: 100009 })
})

test('devices of a task: filters, order, file', async () => {
  const names = [await withVersion('1.0.0'), await withVersion('1.0.0'), await withVersion('1.0.0')].toSorted()
  const { taskUid } = await room.task({ scheduleTime: later() })
  await sql`update rollout_device set status = 402, state = 4, msg = '磁盘已满' where device_name = ${names[1]}`.execute(
    world.db,
  )
  await sql`update rollout_device set status = 401, state = 2, due_at = 9e15, detail = detail || '{"step": 30}'
    where device_name = ${names[2]}`.execute(world.db)
  const find = async (filter: object) =>
    (await world.asAdmin(listOtaDevices, { taskUid, ...filter })).list.map((row) => row.deviceName)
  const by = (field: string, sort = 1) => ({ page: { page: 1, size: 10, orders: [{ field, sort }] } })
  expect(await find({ reason: '磁盘已满' })).toEqual([names[1]])
  expect(await find({ status: 401 })).toEqual([names[2]])
  expect(await find({ deviceName: names[0] })).toEqual([names[0]])
  expect(await find(by('deviceName', 2))).toEqual(names.toReversed())
  expect((await find(by('step', 2)))[0]).toBe(names[2])
  expect((await find(by('status', 2)))[0]).toBe(names[1])
  expect(await call(listOtaDevices, { taskUid, ...by('msg') })).toMatchObject({ code: 100006 })
  expect(await call(listOtaDevices, { taskUid: 'nothing' })).toMatchObject({ code: 100009 })

  const { jobID } = await world.asAdmin(exportOtaDevices, { taskUid, status: 402 })
  await untilJobEnds(world, jobID)
  const { fileUri } = await world.asAdmin(readJob, { jobID })
  const file = await world.app.http.inject({ method: 'GET', url: fileUri })
  const lines = file.body.trim().split('\r\n')
  expect(lines[0]).toContain('设备名称')
  expect(lines.slice(1)).toHaveLength(1)
  expect(lines[1]).toContain(`${names[1]},,1.0.0,2.0.0,升级失败,,磁盘已满`)
})

test('each stage tells its own devices by status, and they can be listed alone', async () => {
  for (let i = 0; i < 5; i++) await withVersion('1.0.0')
  const stages = [{ percent: 40 }, { percent: 100 }]
  const { taskID, taskUid } = await room.task({ scheduleTime: later(), stages })
  const { list } = await world.asAdmin(listOtaDevices, { taskUid })
  const end = (index: number, status: number, state: number, doneAt: number) =>
    sql`update rollout_device set status = ${status}, state = ${state}, done_at = ${doneAt}, msg = ''
      where id = ${list[index]?.id}`.execute(world.db)
  const span = 1_700_000_400
  await end(0, 501, 3, span * 1000)
  await end(1, 402, 4, (span + 599) * 1000)
  await end(2, 501, 3, (span + 1_800) * 1000)
  await end(3, 701, 5, (span + 1_800) * 1000)
  const none = { 101: 0, 301: 0, 401: 0, 402: 0, 501: 0, 601: 0, 701: 0 }
  const seen = await room.read(taskID)
  expect(seen.stages.map(({ counts }) => counts)).toEqual([
    { ...none, 501: 1, 402: 1 },
    { ...none, 501: 1, 701: 1, 101: 1 },
  ])
  expect(seen).toMatchObject({ forced: -1, counts: { ...none, 501: 2, 402: 1, 701: 1, 101: 1 } })
  const ids = async (filter: object) =>
    (await world.asAdmin(listOtaDevices, { taskUid, ...filter })).list.map(({ id }) => id)
  expect(await ids({ stage: 0 })).toEqual(list.slice(0, 2).map(({ id }) => id))
  expect(await ids({ stage: 1 })).toEqual(list.slice(2).map(({ id }) => id))
  expect(await ids({ stage: 1, status: 501 })).toEqual([list[2]?.id])
  expect(await ids({ stage: 2 })).toEqual([])
  expect((await world.asAdmin(analyseOtaTask, { taskUid })).trend).toEqual([
    { time: span, success: 1, failed: 1 },
    { time: span + 1_800, success: 1, failed: 0 },
  ])
})

test('many devices are listed by a job, and the task begins when it has them', async () => {
  await sql`insert into device (product_id, device_name, secret, is_online, first_login)
    select ${room.productID}, 'many' || nr, 'x', 2, now() from generate_series(1, 6000) nr`.execute(world.db)
  const { taskID } = await room.task()
  await room.untilTask(taskID, { total: 6_000, counts: { 101: 6_000 } })
})

test('tasks that have been over for a year go with their devices', async () => {
  await withVersion('1.0.0')
  const old = await room.task({ scheduleTime: later() })
  const open = await room.task({ scheduleTime: later(), isOverwriteMode: 1 })
  await world.asAdmin(cancelOtaTask, { taskID: old.taskID })
  const inAYear = { now: () => world.clock.now() + 366 * 86_400_000 }
  expect(await dropOldOtaTasks(world.db, world.clock)).toBe(0)
  expect(await dropOldOtaTasks(world.db, inAYear)).toBe(1)
  expect(await call(readOtaTask, { taskID: old.taskID })).toMatchObject({ code: 100009 })
  expect(await room.read(open.taskID)).toMatchObject({ total: 1 })
})

test('a role without the right may not make tasks', async () => {
  const person = await makeSignedIn(world)
  const result = await world.call(createOtaTask, plan({ firmwareID: room.firmwareID }), { token: person.token })
  expect(result).toMatchObject({ status: 403, code: 100012 })
})
