import { exportDevices, multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { listDevices, readDevice } from '@ithings/contract/features/devices/info.ts'
import { readJob, retryJob } from '@ithings/contract/features/jobs.ts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { eventually } from '#testing/eventually.ts'
import { openWorld, type World } from '#testing/world.ts'
import { activate, makeDevice, makeProduct, untilJobEnds } from './testing/make-devices.ts'

let world: World
let productID: string

beforeAll(async () => {
  world = await openWorld()
  productID = await makeProduct(world, { productName: '水泵' })
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })

async function fileOf(jobID: string): Promise<{ text: string; rows: string[][] }> {
  const { fileUri } = await world.asAdmin(readJob, { jobID })
  const response = await world.app.http.inject({ method: 'GET', url: fileUri })
  expect(response.statusCode).toBe(200)
  return { text: response.body, rows: parse(response.body, { bom: true }) }
}
const resultOf = async (jobID: string) => JSON.parse((await world.asAdmin(readJob, { jobID })).result)

describe('batch create', () => {
  test('makes numbered devices and one file with their credentials', async () => {
    const { jobID } = await world.asAdmin(multiCreateDevices, {
      productID,
      prefix: 'pump-',
      start: 8,
      count: 5,
      digits: 3,
    })
    await untilJobEnds(world, jobID)
    const { text, rows } = await fileOf(jobID)
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(rows[0]).toEqual(['产品ID', '设备名称', '设备密钥'])
    expect(rows.slice(1).map((row) => row[1])).toEqual(['pump-008', 'pump-009', 'pump-010', 'pump-011', 'pump-012'])
    for (const [product = '', deviceName = '', secret] of rows.slice(1)) {
      expect((await world.asAdmin(readDevice, { productID: product, deviceName })).secret).toBe(secret)
    }
    expect(await resultOf(jobID)).toEqual({ total: 5, success: 5, failedCount: 0, failed: [] })
  })

  test('the credentials file can be fetched once; looking at its headers does not count', async () => {
    const { jobID } = await world.asAdmin(multiCreateDevices, { productID, prefix: 'once-', count: 2, digits: 1 })
    await untilJobEnds(world, jobID)
    const { fileUri } = await world.asAdmin(readJob, { jobID })
    const head = await world.app.http.inject({ method: 'HEAD', url: fileUri })
    expect([head.statusCode, head.headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await world.app.http.inject({ method: 'GET', url: fileUri })).body).toContain('once-1')
    await eventually(async () => expect((await world.asAdmin(readJob, { jobID })).fileUri).toBe(''))
    const again = await world.app.http.inject({ method: 'GET', url: fileUri })
    expect([again.statusCode, again.json().code]).toEqual([400, 100009])
  })

  test('names that exist are reported, their secrets stay secret', async () => {
    const old = await makeDevice(world, productID, { deviceName: 'old-2' })
    const { secret } = await world.asAdmin(readDevice, old)
    const { jobID } = await world.asAdmin(multiCreateDevices, { productID, prefix: 'old-', count: 3, digits: 1 })
    await untilJobEnds(world, jobID)
    const { text, rows } = await fileOf(jobID)
    expect(rows.slice(1).map((row) => row[1])).toEqual(['old-1', 'old-3'])
    expect(text).not.toContain(secret)
    expect(await resultOf(jobID)).toEqual({
      total: 3,
      success: 2,
      failedCount: 1,
      failed: [{ deviceName: 'old-2', msg: '设备名称重复:old-2' }],
    })
    expect((await world.asAdmin(readDevice, old)).secret).toBe(secret)
  })

  test('a repeated try finds its own devices and makes no others', async () => {
    const { jobID } = await world.asAdmin(multiCreateDevices, { productID, prefix: 'again-', count: 4 })
    await untilJobEnds(world, jobID)
    const first = await fileOf(jobID)
    await world.db.deleteFrom('device').where('device_name', '=', 'again-0004').execute()
    await world.db.updateTable('job').set({ status: 4 }).where('job_id', '=', jobID).execute()
    await world.asAdmin(retryJob, { jobID })
    await untilJobEnds(world, jobID)
    const second = await fileOf(jobID)
    expect(second.rows.slice(0, 4)).toEqual(first.rows.slice(0, 4))
    expect(second.rows).toHaveLength(5)
    expect(await resultOf(jobID)).toMatchObject({ success: 4, failedCount: 0 })
    expect((await world.asAdmin(listDevices, { deviceName: 'again-' })).total).toBe(4)
  })

  test('an unknown product is 100009, a name that grows too long 100015, wrong numbers 100006', async () => {
    const refused = async (body: object) => (await world.call(multiCreateDevices, body, asAdmin())).code
    expect(await refused({ productID: 'nowhere0000', prefix: 'a', count: 1 })).toBe(100009)
    // Bounds of the contract leave 40 characters of prefix and 8 digits: exactly the 48 of the name.
    expect(await refused({ productID, prefix: 'x'.repeat(40), start: 99_999_999, count: 2, digits: 8 })).toBe(100015)
    for (const wrong of [
      { prefix: '' },
      { prefix: '水' },
      { count: 0 },
      { count: 10_001 },
      { digits: 9 },
      { start: -1 },
    ]) {
      expect(await refused({ productID, prefix: 'a', count: 1, ...wrong })).toBe(100006)
    }
  })
})

describe('export', () => {
  test('a filter becomes a file that spreadsheets and the import understand, without secrets', async () => {
    const device = await makeDevice(world, productID, {
      deviceName: '-evil',
      deviceAlias: '=HYPERLINK("x")',
      address: '第一行\n第二行',
      tags: [{ key: 'exp', value: '1' }],
      position: { longitude: -1.5, latitude: 2 },
      logLevel: 5,
    })
    await activate(world, device, true)
    const { secret } = await world.asAdmin(readDevice, device)
    const { jobID } = await world.asAdmin(exportDevices, { tags: [{ key: 'exp', value: '1' }] })
    await untilJobEnds(world, jobID)
    const { text, rows } = await fileOf(jobID)
    expect(text.startsWith('\uFEFF产品名称*,设备名称*')).toBe(true)
    expect(text).not.toContain(secret)
    expect(rows).toHaveLength(2)
    expect(rows[1]?.slice(0, 14)).toEqual([
      '水泵',
      "'-evil",
      '\'=HYPERLINK("x")',
      '',
      '调试',
      'exp:1',
      "'-1.5,2",
      '第一行\n第二行',
      '',
      productID,
      '设备',
      '在线',
      '',
      '是',
    ])
    expect(await resultOf(jobID)).toEqual({ total: 1 })
  })

  test('chosen devices, unknown ones left out', async () => {
    const list = [await makeDevice(world, productID), { productID, deviceName: 'ghost' }]
    const { jobID } = await world.asAdmin(exportDevices, { list })
    await untilJobEnds(world, jobID)
    expect((await fileOf(jobID)).rows.slice(1).map((row) => row[1])).toEqual([list[0]?.deviceName])
  })

  test('a filter that finds nothing gives the header alone', async () => {
    const { jobID } = await world.asAdmin(exportDevices, { productID: 'nowhere0000' })
    await untilJobEnds(world, jobID)
    expect((await fileOf(jobID)).rows).toHaveLength(1)
  })

  test('thousands of devices arrive whole and once', async () => {
    const product = await makeProduct(world)
    const rows = Array.from({ length: 2_500 }, (_, n) => ({
      product_id: product,
      device_name: `e${n}`,
      secret: 's' as Sealed,
    }))
    await world.db.insertInto('device').values(rows).execute()
    const { jobID } = await world.asAdmin(exportDevices, { productID: product })
    await untilJobEnds(world, jobID)
    const names = (await fileOf(jobID)).rows.slice(1).map((row) => row[1])
    expect([names.length, new Set(names).size]).toEqual([2_500, 2_500])
    expect(await world.asAdmin(readJob, { jobID })).toMatchObject({ progress: 100, total: 2_500, done: 2_500 })
  })
})
