/** Every act of the bulk bar on the devices of a filter: whom it takes, whom not, and who may. */
import {
  filteredResult,
  multiDeleteDevices,
  multiUpdateDevices,
  simulateDevices,
} from '@ithings/contract/features/devices/bulk.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { cancelJob, readJob, retryJob } from '@ithings/contract/features/jobs.ts'
import { previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { createTask, previewTask, readTask } from '@ithings/contract/features/tasks.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { makeLampProduct } from '#features/commands/testing/commands-server.ts'
import { addFirmware } from '#features/ota/testing/ota-room.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeDevice, makeProduct, untilJobEnds } from './testing/make-devices.ts'

let world: World
let productID: string

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const fleet = 300
const east = { tags: [{ key: 'area', value: 'east' }] }

/** A product of its own for each test: half of its devices are in the east. */
beforeEach(async () => {
  productID = await makeProduct(world)
  await fill(productID)
})

async function fill(product: string) {
  const rows = Array.from({ length: fleet }, (_, n) => ({
    product_id: product,
    device_name: `d${n}`,
    secret: 's' as Sealed,
    tags: JSON.stringify([{ key: 'area', value: n % 2 === 0 ? 'east' : 'west' }]),
  }))
  await world.db.insertInto('device').values(rows).execute()
}

const totalOf = async (filter: object) =>
  (await world.asAdmin(listDevices, { productID, ...filter, page: { page: 1, size: 1 } })).total

async function foundBy(jobID: string | undefined) {
  await untilJobEnds(world, jobID ?? '')
  return filteredResult.parse(JSON.parse((await world.asAdmin(readJob, { jobID: jobID ?? '' })).result))
}
const ask = (endpoint: Parameters<World['call']>[0], body: object, token = world.admin) =>
  world.call(endpoint, body, { token })

test('a change reaches the devices of the filter and no others, and tells its count before it begins', async () => {
  const answer = await world.asAdmin(multiUpdateDevices, { filter: { productID, ...east }, isEnable: 2 })
  expect(answer).toMatchObject({ total: 150, success: 0, failed: [] })
  expect(await foundBy(answer.jobID)).toEqual({ total: 150, success: 150, failedCount: 0, failed: [] })
  expect(await totalOf({ isEnable: 2 })).toBe(150)
  expect(await totalOf({ isEnable: 2, ...east })).toBe(150)
})

test('the set is the one of the moment: who matches later is not touched, who no longer matches is', async () => {
  const { jobID = '' } = await world.asAdmin(multiUpdateDevices, { filter: { productID, isEnable: 1 }, isEnable: 2 })
  await foundBy(jobID)
  // As if the first try had been cut off: the filter now matches the newcomer alone.
  const late = await makeDevice(world, productID)
  await world.db.updateTable('job').set({ status: 4 }).where('job_id', '=', jobID).execute()
  await world.asAdmin(retryJob, { jobID })
  expect(await foundBy(jobID)).toMatchObject({ total: fleet, success: fleet })
  const { list } = await world.asAdmin(listDevices, { productID, isEnable: 1 })
  expect(list.map((one) => one.deviceName)).toEqual([late.deviceName])
})

test('failures are named, the others are done', async () => {
  const tags = Array.from({ length: 10 }, (_, n) => ({ key: `k${n}`, value: '1' }))
  await makeDevice(world, productID, { deviceName: 'full', tags })
  const { jobID } = await world.asAdmin(multiUpdateDevices, {
    filter: { productID },
    tags: [{ key: 'season', value: 'winter' }],
  })
  const { failed, ...counts } = await foundBy(jobID)
  expect(counts).toEqual({ total: fleet + 1, success: fleet, failedCount: 1 })
  expect(failed).toMatchObject([{ productID, deviceName: 'full', code: 100015 }])
})

test('deleting asks for the number again when there are more than were confirmed, and a second try finds them gone', async () => {
  const filter = { productID, ...east }
  expect(await ask(multiDeleteDevices, { filter: { ...filter, most: 149 } })).toMatchObject({ code: 900001 })
  expect(await totalOf({})).toBe(fleet)
  const { jobID = '' } = await world.asAdmin(multiDeleteDevices, { filter: { ...filter, most: 150 } })
  await foundBy(jobID)
  await world.db.updateTable('job').set({ status: 4 }).where('job_id', '=', jobID).execute()
  await world.asAdmin(retryJob, { jobID })
  expect(await foundBy(jobID)).toMatchObject({ total: 150, success: 150, failedCount: 0 })
  expect([await totalOf({}), await totalOf(east)]).toEqual([150, 0])
})

test('they join a group and are simulated; of the simulated ones no more than the platform can play', async () => {
  const { groupID } = await world.asAdmin(createGroup, { groupName: uniqueText('组') })
  const joined = await world.asAdmin(addGroupDevices, { groupID, filter: { productID, ...east } })
  expect(await foundBy(joined?.jobID)).toMatchObject({ success: 150 })
  expect(await totalOf({ inGroupID: groupID })).toBe(150)
  const on = await world.asAdmin(simulateDevices, { filter: { productID, inGroupID: groupID }, on: true })
  expect(await foundBy(on.jobID)).toMatchObject({ success: 150 })
  // Once more, which makes none more.
  await foundBy((await world.asAdmin(simulateDevices, { filter: { productID, ...east }, on: true })).jobID)
  expect(await totalOf({ isSimulated: 1 })).toBe(150)
  await foundBy((await world.asAdmin(simulateDevices, { filter: { productID, isSimulated: 1 }, on: false })).jobID)
  expect(await totalOf({ isSimulated: 1 })).toBe(0)
  expect(await ask(addGroupDevices, { groupID: 999_999, filter: { productID } })).toMatchObject({ code: 100009 })
})

test('a task and an upgrade name the devices of the filter, of their product alone', async () => {
  const lamp = await makeLampProduct(world)
  await fill(lamp)
  const filter = east
  const target = { productID: lamp, targetType: 1, filter }
  expect(await world.asAdmin(previewTask, target)).toMatchObject({ total: 150, unknown: [] })
  const { taskID } = await world.asAdmin(createTask, {
    ...target,
    taskName: '夜间',
    taskType: 1,
    data: '{"level":30}',
    scheduleType: 3,
    cron: '0 0 0 1 1 *',
  })
  await makeDevice(world, lamp, { deviceName: 'late', tags: [{ key: 'area', value: 'east' }] })
  const { deviceNames } = await world.asAdmin(readTask, { taskID })
  expect([deviceNames.length, deviceNames.includes('late')]).toEqual([150, false])

  const firmwareID = await addFirmware(world, lamp, { version: '2.0.0' })
  const preview = await world.asAdmin(previewOtaTask, { firmwareID, type: 2, upgradeType: 1, source: 2, filter })
  expect(preview.matched).toBe(151)
  const nothing = { firmwareID, type: 2, upgradeType: 1, filter: { productID } }
  expect(await ask(previewOtaTask, nothing)).toMatchObject({ code: 100009 })
})

test('nothing matches, both or neither is named: refused', async () => {
  const codeOf = async (body: object) => (await ask(multiUpdateDevices, { isEnable: 1, ...body })).code
  expect(await codeOf({ filter: { productID, keyword: 'nobody-has-this' } })).toBe(100009)
  expect(await codeOf({})).toBe(100006)
  expect(await codeOf({ filter: { productID }, list: [{ productID, deviceName: 'd1' }] })).toBe(100006)
})

test('the right to each act is the one to the act itself, and a job is its starter’s', async () => {
  const role = await makeRole(world, [multiUpdateDevices])
  const { token } = await makeSignedIn(world, { role })
  const filter = { productID }
  expect(await ask(multiDeleteDevices, { filter }, token)).toMatchObject({ code: 100012 })
  expect(await ask(simulateDevices, { filter, on: true }, token)).toMatchObject({ code: 100012 })
  expect(await ask(addGroupDevices, { groupID: 1, filter }, token)).toMatchObject({ code: 100012 })
  const { data } = await ask(multiUpdateDevices, { filter, logLevel: 3 }, token)
  const { jobID } = data as { jobID: string }
  expect(await ask(readJob, { jobID }, token)).toMatchObject({ code: 200 })
  const other = await makeSignedIn(world, { role })
  expect(await ask(cancelJob, { jobID }, other.token)).toMatchObject({ code: 100009 })
  expect(await foundBy(jobID)).toMatchObject({ success: fleet })
})
