/** What jobs, imports, upgrades and tasks leave behind is read in the language of whoever reads it. */
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { ShadowControl } from '@ithings/contract/features/commands.ts'
import { exportDevices, importDevices, multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { listJobs, readJob } from '@ithings/contract/features/jobs.ts'
import { exportOtaDevices, listOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { analyseOtaTask, previewOtaTask } from '@ithings/contract/features/ota/task.ts'
import { exportTask, listTaskDevices } from '@ithings/contract/features/task-results.ts'
import { cancelTask, DeployStatus, readTask } from '@ithings/contract/features/tasks.ts'
import { createSchema, listSchemaVersions } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formWithFile, makeDevice, makeProduct, untilJobEnds } from '#features/devices/testing/make-devices.ts'
import { type OtaRoom, openOtaRoom, plan } from '#features/ota/testing/ota-room.ts'
import { openTaskRoom, type TaskRoom } from '#features/tasks/testing/task-room.ts'
import type { World } from '#testing/world.ts'

const english = { 'accept-language': 'en-US,en;q=0.9' }
const han = /\p{Script=Han}/u

let room: TaskRoom
let world: World
beforeAll(async () => {
  room = await openTaskRoom()
  world = room.world
})
afterAll(() => room.close())

/** Nothing of it is Chinese. */
async function inEnglish<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>> {
  const answer = await world.call(endpoint, body, { token: world.admin, headers: english })
  expect(answer).toMatchObject({ code: 200 })
  expect(JSON.stringify(answer.data)).not.toMatch(han)
  return answer.data as DataOf<E>
}

async function fileOf({ jobID }: { jobID: string }): Promise<string[]> {
  await untilJobEnds(world, jobID)
  const { fileUri } = await world.asAdmin(readJob, { jobID })
  const { body } = await world.app.http.inject({ method: 'GET', url: fileUri })
  return body.replace('\uFEFF', '').trim().split('\r\n')
}

async function englishFileOf(job: { jobID: string }): Promise<string[]> {
  const lines = await fileOf(job)
  expect(lines.join()).not.toMatch(han)
  return lines
}

describe('devices', () => {
  let productID: string
  beforeAll(async () => {
    productID = await makeProduct(world, { productName: 'Pump' })
  })

  test('an import takes words of either language and says what is wrong in that of the reader', async () => {
    const lines = [
      'Product name*,Device name*,Device alias,Device secret,Log level,Device tags,Position,Address,Notes',
      'Pump,good-en,,,Off,,,,',
      'Pump,good-zh,,,关闭,,,,',
      'Pump,bad-level,,,loud,,,,',
      'Pump,bad-tag,,,,x,,,',
      'Pump,bad-place,,,,,here,,',
      'Pump,good-en,,,,,,,',
      'Nothing,a,,,,,,,',
      'Pump,,,,,,,,',
    ]
    const tips = async (language: object) => {
      const form = formWithFile({ dryRun: 'true' }, { name: 'devices.csv', content: lines.join('\r\n') })
      const headers = { ...form.headers, ...language, 'iThings-token': world.admin }
      const answer = await world.app.http.inject({ ...form, method: 'POST', url: importDevices.path, headers })
      const { success, errdata } = answer.json().data
      return { success, tips: errdata.map((row: { tips: string }) => row.tips) }
    }
    expect(await tips(english)).toEqual({
      success: 2,
      tips: [
        'The log level cannot be loud; use one of Off, Error, Warning, Info, Debug',
        'The tag x is not key:value; separate tags by ;',
        'The position here is not longitude,latitude',
        'There is already a device named good-en (same as row 1)',
        'There is no product Nothing',
        'Device name must be 1 to 48 letters, digits or _ - . : @',
      ],
    })
    expect(await tips({})).toEqual({
      success: 2,
      tips: [
        '日志级别 loud 只能是 关闭、错误、告警、信息、调试',
        '设备标签 x 不是 键:值，多个标签用 ; 分隔',
        '设备位置 here 不是 经度,纬度',
        '设备名称重复:good-en（与第 1 行相同）',
        '产品 Nothing 不存在',
        expect.stringMatching(/^设备名称/),
      ],
    })
  })

  test('jobs: titles, results and files; a title is found in either language', async () => {
    await makeDevice(world, productID, { deviceName: 'old-2' })
    const made = await inEnglish(multiCreateDevices, { productID, prefix: 'old-', count: 2, digits: 1 })
    const file = await englishFileOf(made)
    expect(file[0]).toBe('Product ID,Device name,Device secret')
    const job = await inEnglish(readJob, made)
    expect(job.title).toBe('Add devices in bulk: Pump, 2 devices')
    const failed = { deviceName: 'old-2', msg: 'There is already a device named old-2' }
    expect(JSON.parse(job.result).failed).toEqual([failed])
    expect(await world.asAdmin(readJob, made)).toMatchObject({
      title: '批量新增设备：Pump，2 台',
      result: expect.stringContaining('设备名称重复:old-2'),
    })
    for (const title of ['in BULK: pump', '批量新增设备：Pump']) {
      const { list } = await world.asAdmin(listJobs, { title })
      expect(list.map(({ jobID }) => jobID)).toEqual([made.jobID])
    }
    expect((await world.asAdmin(listJobs, { title: 'text' })).total).toBe(0)
  })

  test('the export', async () => {
    const body = { list: [await makeDevice(world, productID, { deviceName: 'one' })] }
    const [head, line] = await englishFileOf(await inEnglish(exportDevices, body))
    expect(head).toMatch(/^Product name\*,Device name\*,.*,Enabled,Created,Activated,Last online$/)
    expect(line).toMatch(/^Pump,one,,,Off,.*,Never activated,.*,Yes,/)
    const [chinese, cells] = await fileOf(await world.asAdmin(exportDevices, body))
    expect(chinese).toMatch(/^产品名称\*,设备名称\*,.*,是否启用,创建时间,激活时间,最后上线时间$/)
    expect(cells).toMatch(/^Pump,one,,,关闭,.*,未激活,.*,是,/)
  })

  test('versions of a model', async () => {
    const affordance = '{"define":{"type":"int"}}'
    const part = { productID, type: 1, identifier: 'speed', name: 'Speed', desc: '', required: 2, affordance }
    await world.asAdmin(createSchema, part as BodyInput<typeof createSchema>)
    const titles = (list: { title: string }[]) => list.map(({ title }) => title)
    expect(titles((await inEnglish(listSchemaVersions, { productID })).list)).toContain('Property speed added')
    expect(titles((await world.asAdmin(listSchemaVersions, { productID })).list)).toContain('新增属性 speed')
  })
})

test('an upgrade: devices, reasons and their filter, the file, whom it would skip', async () => {
  const ota: OtaRoom = await openOtaRoom(world)
  const device = await ota.device()
  const away = await ota.offlineDevice()
  const { taskUid } = await ota.task()
  await device.upgrade()
  await device.step(-4)
  const { deviceName } = await ota.untilStatus(taskUid, device.key.deviceName, 402)
  await expect.poll(async () => (await ota.rows(taskUid)).get(away.deviceName)?.detail).toBe('设备离线，上线后推送')
  const { list } = await inEnglish(listOtaDevices, { taskUid })
  const details = Object.fromEntries(list.map((row) => [row.deviceName, row.detail]))
  expect(details).toEqual({
    [deviceName]: 'Flashing failed',
    [away.deviceName]: 'Offline; pushed when the device connects',
  })
  expect((await inEnglish(analyseOtaTask, { taskUid })).reasons).toEqual([{ reason: 'Flashing failed', count: 1 }])
  expect((await world.asAdmin(analyseOtaTask, { taskUid })).reasons).toEqual([{ reason: '烧写失败', count: 1 }])
  for (const reason of ['Flashing failed', '烧写失败']) {
    const found = await world.asAdmin(listOtaDevices, { taskUid, reason })
    expect(found.list.map((row) => row.deviceName)).toEqual([deviceName])
  }
  expect((await world.asAdmin(listOtaDevices, { taskUid, reason: 'Flashing' })).total).toBe(0)
  const file = await englishFileOf(await inEnglish(exportOtaDevices, { taskUid, status: 402 }))
  expect(file[0]).toMatch(/^Device name,Device alias,Version before,Target version,Status,/)
  expect(file[1]).toContain(',Upgrade failed,,Flashing failed,')
  const { skipped } = await inEnglish(previewOtaTask, plan({ firmwareID: ota.firmwareID }))
  expect(skipped.map(({ label }) => label)).toContain('In another unfinished upgrade task')
  await ota.close()
})

test('a device task: rows, their filter, the file, the end of the run', async () => {
  const [away, lamp] = [await room.device(), await room.lamp()]
  const taskID = await room.create([away, lamp], { taskName: 'Night', shadowControl: ShadowControl.live })
  await room.until(taskID, DeployStatus.failed)
  const { list } = await inEnglish(listTaskDevices, { taskID })
  expect(list.map(({ msg }) => msg)).toContain('The device is offline')
  for (const reason of ['OFFLINE', '离线']) {
    const found = await world.asAdmin(listTaskDevices, { taskID, reason })
    expect(found.list).toMatchObject([{ deviceName: away.deviceName, msg: '设备离线' }])
  }
  expect((await world.asAdmin(listTaskDevices, { taskID, reason: 'text' })).total).toBe(0)
  const job = await inEnglish(exportTask, { taskID })
  const file = await englishFileOf(job)
  expect(file[0]).toMatch(/^Device name,Device alias,Status,Result code,Result,Attempts,Sent,Done,/)
  expect(file.find((line) => line.startsWith(away.deviceName))).toContain(',The device is offline,')
  expect((await inEnglish(readJob, job)).title).toBe('Export the results of device task “Night”')
  const later = { scheduleType: 2, runAt: Math.floor(world.clock.now() / 1000) + 3_600 }
  const planned = await room.create([away], { taskName: 'Later', ...later })
  await world.asAdmin(cancelTask, { taskID: planned })
  expect(await world.asAdmin(readTask, { taskID: planned })).toMatchObject({ reason: '已取消' })
  const answer = await world.call(readTask, { taskID: planned }, { token: world.admin, headers: english })
  expect(answer.data).toMatchObject({ reason: 'Canceled' })
})
