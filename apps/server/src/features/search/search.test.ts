/** The search over everything that has a name, on a real database. */
import { createAlarm, listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { createGroup, listGroups } from '@ithings/contract/features/groups.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { searchAll } from '@ithings/contract/features/search.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { addFirmware } from '#features/ota/testing/ota-room.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let productID = ''
beforeAll(async () => {
  world = await openWorld()
  productID = await makeProduct(world, { productName: '城东水泵站' })
  for (const fields of [
    { deviceName: 'old-pump-7' },
    { deviceName: 'pump-12' },
    { deviceName: 'pump-1', deviceAlias: '一号机' },
    { deviceName: 'pump' },
    { deviceName: 'Pump_main' },
    { deviceName: 'METER-100' },
    { deviceName: 'x-204', deviceAlias: '备用水泵' },
  ]) {
    await makeDevice(world, productID, fields)
  }
})
afterAll(() => world.close())

const found = async (keyword: string, limit = 20) => (await world.asAdmin(searchAll, { keyword, limit })).list
const idsOf = async (keyword: string, limit?: number) => (await found(keyword, limit)).map(({ id }) => id)

test('devices come exact first, then those that begin with the word, then those that contain it, whatever the case', async () => {
  expect(await idsOf('PUMP')).toEqual(['pump', 'pump-1', 'pump-12', 'Pump_main', 'old-pump-7'])
  expect(await idsOf('pump', 2)).toEqual(['pump', 'pump-1'])
  expect(await idsOf('meter-1')).toEqual(['METER-100'])
  expect(await idsOf('-204')).toEqual(['x-204'])
  // Too short for any index.
  expect(await idsOf('-7')).toEqual(['old-pump-7'])
  expect(await idsOf('x-')).toEqual(['x-204'])
})

test('a device is found by its alias and then told apart by its own name', async () => {
  expect(await found('一号')).toEqual([
    { kind: 'device', id: 'pump-1', productID, name: '一号机', detail: 'pump-1 · 城东水泵站' },
  ])
})

test('one word finds all kinds, in their order, with what tells equals apart', async () => {
  const { groupID } = await world.asAdmin(createGroup, { groupName: '水泵' })
  const inner = await world.asAdmin(createGroup, { groupName: '水泵备件', parentID: Number(groupID) })
  const { id: alarmID } = await world.asAdmin(createAlarm, { name: '水泵过热', level: 4 })
  const scene = await world.db
    .insertInto('scene')
    .values({
      name: '关水泵',
      trigger_type: 'timer',
      trigger: '{}',
      conditions: '[]',
      actions: '[]',
      next_run_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into device_task (name, task_type, product_id, schedule, plan)
    values ('水泵限速', 1, ${productID}, 1, '{}')`.execute(world.db)
  const firmwareID = await addFirmware(world, productID, { version: '7.4.1' })

  expect(await found('水泵')).toMatchObject([
    { kind: 'product', id: productID, productID, name: '城东水泵站', detail: productID },
    { kind: 'device', id: 'x-204' },
    { kind: 'group', id: String(groupID), name: '水泵', detail: '' },
    { kind: 'group', id: String(inner.groupID), name: '水泵备件', detail: '上级分组 水泵' },
    { kind: 'scene', id: String(scene.id), name: '关水泵', detail: '定时触发' },
    { kind: 'alarm', id: String(alarmID), name: '水泵过热', detail: '紧急' },
    { kind: 'task', name: '水泵限速', detail: '属性设置 · 城东水泵站' },
  ])
  expect(await found('7.4')).toEqual([
    { kind: 'firmware', id: String(firmwareID), productID, name: '固件 7.4.1', detail: '7.4.1 · 城东水泵站' },
  ])
  expect(await found(productID.toLowerCase())).toMatchObject([{ kind: 'product', id: productID }])
})

test('a role finds only the kinds that it may list', async () => {
  const search = async (role: number) => {
    const { token } = await makeSignedIn(world, { role })
    const { data } = await world.call(searchAll, { keyword: '水泵', limit: 20 }, { token })
    return [...new Set(data.list.map(({ kind }) => kind))]
  }
  expect(await search(await makeRole(world))).toEqual([])
  expect(await search(await makeRole(world, [listGroups]))).toEqual(['group'])
  expect(await search(await makeRole(world, [listProducts, listDevices, listAlarms]))).toEqual([
    'product',
    'device',
    'alarm',
  ])
})

test('signs of patterns are plain characters, and a strange or empty word finds nothing', async () => {
  expect(await idsOf('%')).toEqual([])
  expect(await idsOf('pump_')).toEqual(['Pump_main'])
  expect(await idsOf('没有这个词')).toEqual([])
  expect((await world.call(searchAll, { keyword: '   ' }, { token: world.admin })).data?.list ?? []).toEqual([])
  expect((await world.call(searchAll, { keyword: 'x'.repeat(65) }, { token: world.admin })).code).toBe(100006)
  expect((await world.call(searchAll, { keyword: 'pump' })).status).toBe(401)
})
