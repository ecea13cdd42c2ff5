/** The demo fleet on a real database with real connections: it comes whole, lives, and goes without a trace. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { loadDemo, readDemo, removeDemo } from '@ithings/contract/features/demo.ts'
import { createDevice, deleteDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup, deleteGroup, readGroup, rootGroupID } from '@ithings/contract/features/groups.ts'
import { listHubLog, listPropertyLog } from '@ithings/contract/features/history.ts'
import { readFirstSteps, readHomeSummary, readHomeTrend } from '@ithings/contract/features/home.ts'
import { cancelJob, JobStatus, readJob, retryJob } from '@ithings/contract/features/jobs.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { createProduct, deleteProduct } from '@ithings/contract/features/products.ts'
import { runScript } from '@ithings/contract/features/scripts.ts'
import { fill } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoWish } from '#app/demo-wish.ts'
import { openWorld, type World } from '#testing/world.ts'
import { airSensor, buildingGateway } from './fleet/building.ts'
import { coldChain, coldChainCase, coldChainScript } from './fleet/cold-chain.ts'
import { demoTurnMs } from './fleet/demo-curve.ts'
import { demoDevices } from './fleet/devices.ts'
import { smartMeter } from './fleet/smart-meter.ts'
import { waterPump } from './fleet/water-pump.ts'

let world: World
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ithings-demo-'))
  world = await openWorld({ config: { filesDir: dir, dataDir: dir } })
})
afterAll(async () => {
  await world.close()
  await rm(dir, { recursive: true, force: true })
})

const startedAt = Date.now()
/** What this very test or the running platform adds, demo or not. */
const others = [
  'job',
  'operation_log',
  'operation_log_chain',
  'login_log',
  'platform_server',
  'latest_flush',
  'scene_checkpoint',
  'home_work',
]

/** Of products, devices and packages; the broker keeps its own. */
async function countFiles(): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(dir, 'mqtt'))).length
}

/** Rows of every table, and files; figures of the minutes since the test began are the platform's own. */
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`.execute(world.db)
  const counts: Record<string, number> = {}
  for (const { name } of rows.filter((row) => !others.includes(row.name))) {
    const own = ['home_sample', 'home_message'].includes(name) ? sql`where at < ${startedAt - 60_000}` : sql``
    const counted = await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(name)} ${own}`.execute(
      world.db,
    )
    counts[name] = counted.rows[0]?.n ?? -1
  }
  return { ...counts, files: await countFiles() }
}

/** What else a visitor is promised, as it lies in the tables. */
async function factsOf() {
  const { rows } = await sql`
    select (select count(*) from product_script)::integer as codecs,
      (select count(*) from device_group) >= 5 as groups, (select count(*) from scene) >= 5 as scenes,
      (select array_agg(distinct level order by level) from alarm_record where deal_state = 2) as levels,
      (select count(distinct day) from history_day) >= 7 as days`.execute(world.db)
  return rows[0]
}

const stateOf = async () => (await world.asAdmin(readDemo)).state
const finished = async (jobID: string) => {
  await expect
    .poll(async () => (await world.asAdmin(readJob, { jobID })).status, { interval: 200 })
    .not.toSatisfy((status: number) => status === JobStatus.waiting || status === JobStatus.running)
  return world.asAdmin(readJob, { jobID })
}

test('the plan has 200 devices of four kinds in thirty cities, each name once', () => {
  const devices = demoDevices('zh')
  expect(devices).toHaveLength(200)
  expect(new Set(devices.map(({ deviceName }) => deviceName)).size).toBe(200)
  expect(new Set(devices.map(({ place }) => place.city)).size).toBe(30)
})

test('there is nothing to remove before something was loaded, and a platform with products is no place for it', async () => {
  expect(await world.asAdmin(readDemo)).toEqual({ state: 'none', empty: true, products: 0, devices: 0, jobID: '' })
  expect((await world.call(removeDemo, {}, { token: world.admin })).code).toBe(100006)
  const { productID } = await world.asAdmin(createProduct, { productName: '自己的产品' })
  const refused = await world.call(loadDemo, {}, { token: world.admin })
  expect(refused).toMatchObject({ code: 100006, msg: expect.stringContaining('空平台') })
  expect(await world.asAdmin(readDemo)).toMatchObject({ state: 'none', empty: false })
  expect(await world.app.demo('load')).toContain('needs an empty platform')
  expect(await world.app.demo('remove')).toContain('no demo fleet')
  await world.asAdmin(deleteProduct, { productID })
})

test('the start knows what it is asked for', () => {
  expect(demoWish([])).toBeUndefined()
  expect(demoWish(['--check'])).toBeUndefined()
  expect(demoWish(['--demo'])).toBe('load')
  expect(demoWish(['--demo=en'])).toBe('load-english')
  expect(demoWish(['--remove-demo'])).toBe('remove')
})

test('it is loaded whole, its devices report and obey, and after removing all tables have as many rows as before', async () => {
  const before = await countRows()
  const { jobID } = await world.asAdmin(loadDemo)
  expect(await finished(jobID)).toMatchObject({ status: JobStatus.done, error: '' })
  expect(await world.asAdmin(readDemo)).toMatchObject({ state: 'loaded', products: 5, devices: 200 })
  expect(await world.asAdmin(readFirstSteps)).toMatchObject({ demo: true })
  const again = await world.call(loadDemo, {}, { token: world.admin })
  expect(again.code).toBe(100006)
  expect(await world.app.demo('load')).toContain('already loaded')

  const { alarms, running, totals, change } = await world.asAdmin(readHomeSummary)
  expect(alarms.open.every((count: number) => count > 0)).toBe(true)
  expect(alarms.days).toHaveLength(7)
  expect(running.ota).toBe(1)
  expect(await countFiles()).toBe((before.files ?? 0) + 2)
  expect(totals.total).toBe(200)
  expect(change).not.toBeNull()
  const records = await world.asAdmin(listAlarmRecords, { page: { page: 1, size: 100 } })
  expect(new Set(records.list.map((one) => one.dealState))).toEqual(new Set([2, 3]))
  expect(await factsOf()).toEqual({ codecs: 1, groups: true, scenes: true, levels: [1, 2, 3, 4, 5], days: true })
  const tasks = await world.asAdmin(listOtaTasks, { page: { page: 1, size: 10 } })
  expect(tasks.list.map((one) => one.status).sort()).toEqual([expect.any(Number), 3])
  expect(tasks.list).toHaveLength(2)

  const now = world.clock.now()
  const chart = await world.asAdmin(listPropertyLog, {
    productID: waterPump.productID,
    deviceNames: ['pump-001'],
    dataID: 'outletPressure',
    timeStart: String(now - 7 * 86_400_000),
    timeEnd: String(now),
    page: { page: 1, size: 1_000 },
  })
  expect(chart.total).toBeGreaterThan(660)

  const trial = await world.asAdmin(runScript, {
    productID: coldChain.productID,
    script: coldChainScript(fill),
    direction: coldChainCase.direction,
    handler: coldChainCase.handler,
    input: coldChainCase.input,
  })
  expect(trial).toMatchObject({ ok: true, modelIssues: [] })

  const live = demoDevices('zh').filter(({ state }) => state === 'live').length
  await expect.poll(async () => (await world.asAdmin(readHomeSummary)).totals.online, { interval: 500 }).toBe(live)
  // The curves of the past end where the live ones begin, and that all of them came at once is not seen in them.
  const lastHour = async (kind: 'online' | 'message') =>
    (await world.asAdmin(readHomeTrend, { kind, hours: 24 })).points.slice(-12).map(({ value }) => value ?? 0)
  await expect.poll(async () => new Set(await lastHour('online')), { interval: 500 }).toEqual(new Set([live]))
  const offBy = (await lastHour('message')).map((rate) => Math.abs(rate / (1_000 / demoTurnMs) - 1))
  expect(Math.max(...offBy.slice(0, -1))).toBeLessThan(0.2)
  expect(offBy.at(-1)).toBeLessThan(0.5)
  const key = { productID: waterPump.productID, deviceName: 'pump-001' }
  const passages = await world.asAdmin(listHubLog, {
    ...key,
    actions: ['connected', 'disconnected'],
    page: { page: 1, size: 10 },
  })
  // One that had to connect again, because the machine was busy, has more of them.
  const pairs = passages.list.map((_, i) => (i % 2 === 0 ? 'connected' : 'disconnected'))
  expect(passages.list.length % 2).toBe(0)
  expect(passages.list.map(({ action }) => action)).toEqual(pairs)
  // One of each product does what it is told.
  const wishes = [
    [waterPump, { targetPressure: 0.5 }],
    [smartMeter, { tariff: 2 }],
    [coldChain, { targetTemp: -18 }],
    [buildingGateway, { freshAir: 1 }],
    [airSensor, { period: 30 }],
  ] as const
  for (const [product, wish] of wishes) {
    const one = demoDevices('zh').find((device) => device.product === product && device.state === 'live')
    const { productID } = product
    const deviceName = one?.deviceName ?? ''
    const sent = await world.asAdmin(sendProperty, { productID, deviceName, data: JSON.stringify(wish) })
    expect(sent, deviceName).toMatchObject({ code: 200, viaShadow: false })
  }

  // They report on while they are removed; the start can ask for that too.
  expect(await world.app.demo('remove')).toContain('being removed')
  expect(await finished((await world.asAdmin(readDemo)).jobID)).toMatchObject({ status: JobStatus.done, error: '' })
  expect(await world.asAdmin(readDemo)).toEqual({ state: 'none', empty: true, products: 0, devices: 0, jobID: '' })
  await expect.poll(countRows, { interval: 500 }).toEqual(before)
})

/** A loading leaves its fleet to the next test, if there is one: it takes longer than all the rest. */
let beforeLoading: Record<string, number>
const ensureLoaded = async () => {
  if ((await stateOf()) === 'loaded') return
  beforeLoading = await countRows()
  await finished((await world.asAdmin(loadDemo)).jobID)
}

test('a loading that is cancelled takes away what it made, and tried again by hand it is one like any other', async () => {
  const before = await countRows()
  beforeLoading = before
  const { jobID } = await world.asAdmin(loadDemo)
  await expect.poll(async () => (await world.asAdmin(readJob, { jobID })).done, { interval: 20 }).toBeGreaterThan(2)
  await world.asAdmin(cancelJob, { jobID })
  expect(await finished(jobID)).toMatchObject({ status: JobStatus.cancelled })
  await expect.poll(stateOf, { interval: 200 }).toBe('none')
  await expect.poll(countRows, { interval: 500 }).toEqual(before)

  await world.asAdmin(retryJob, { jobID })
  expect(await finished(jobID)).toMatchObject({ status: JobStatus.done, error: '' })
  expect(await stateOf()).toBe('loaded')
})

test('a removal that is cancelled halfway goes on to its end; what people have made beside the demo stays', async () => {
  await ensureLoaded()
  const { productID } = await world.asAdmin(createProduct, { productName: '自己的水表' })
  const key = { productID, deviceName: 'own-1' }
  await world.asAdmin(createDevice, key)
  const { group_id: parentID } = await world.db
    .selectFrom('device_group')
    .select('group_id')
    .where('group_name', '=', '智慧水务')
    .executeTakeFirstOrThrow()
  const { groupID } = await world.asAdmin(createGroup, { groupName: '自己的分组', parentID })
  await world.asAdmin(addGroupDevices, { groupID: Number(groupID), list: [key] })
  // A picture that somebody gave to a product of the demo goes with it.
  const pictures = join(dir, 'productManage/productImg')
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, 'pump.png'), 'png')
  await world.db
    .updateTable('product')
    .set({ product_img: 'productManage/productImg/pump.png' })
    .where('product_id', '=', waterPump.productID)
    .execute()

  const { jobID } = await world.asAdmin(removeDemo)
  await expect.poll(async () => (await world.asAdmin(readJob, { jobID })).done, { interval: 20 }).toBe(1)
  await world.asAdmin(cancelJob, { jobID })
  expect(await finished(jobID)).toMatchObject({ status: JobStatus.cancelled })
  await expect.poll(stateOf, { interval: 200 }).toBe('none')
  expect(await world.asAdmin(readDemo)).toMatchObject({ empty: false })
  const found = await world.asAdmin(listDevices, { deviceName: 'own', page: { page: 1, size: 10 } })
  expect(found.list.map((one) => one.deviceName)).toEqual(['own-1'])
  const { rows } = await sql<{ devices: number }>`
      select coalesce(sum(devices), 0)::integer as devices from device_name_fence`.execute(world.db)
  expect(rows).toEqual([{ devices: 1 }])
  expect(await world.asAdmin(readGroup, { groupID: Number(groupID) })).toMatchObject({
    parentID: String(rootGroupID),
    deviceCount: 1,
  })
  expect(await readdir(pictures)).toEqual([])

  await world.asAdmin(deleteGroup, { groupID: Number(groupID) })
  await world.asAdmin(deleteDevice, key)
  await world.asAdmin(deleteProduct, { productID })
  const { device_block, device_gone, device_name_fence, device_shape, ...rest } = beforeLoading
  // Of the four the platform keeps a line or two about every device that there was.
  await expect.poll(countRows, { interval: 500 }).toMatchObject(rest)
})
