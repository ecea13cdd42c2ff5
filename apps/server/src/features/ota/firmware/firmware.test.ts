import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contract from '@ithings/contract/features/ota/firmware.ts'
import { otaTaskBody } from '@ithings/contract/features/ota/task.ts'
import { deleteProduct } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonText } from '#db/json-text.ts'
import type { Sealed } from '#db/sealed-column.ts'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import { listen, makeTusClient, type TusClient } from '#features/files/testing/tus.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropLostPackages } from './housekeeping.ts'
import { makePackage, makeProduct, type PackageBody, packageBody } from './testing/packages.ts'

let world: World
let filesDir: string
let tus: TusClient
let productID: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  world = await openWorld({ config: { filesDir } })
  tus = makeTusClient(await listen(world), world.admin)
  productID = await makeProduct(world)
})
afterAll(async () => {
  await world.close()
  await rm(filesDir, { recursive: true, force: true })
})

const create = (body: object) => world.call(contract.createFirmware, body, { token: world.admin })
const remove = (firmwareID: number) => world.call(contract.deleteFirmware, { firmwareID }, { token: world.admin })
const read = (firmwareID: number) => world.asAdmin(contract.readFirmware, { firmwareID })
const digest = (method: string, content: string) => createHash(method).update(content).digest('hex')
let patch = 0
/** A version that no other test has. */
const body = async (fields: Partial<PackageBody> = {}, content = 'firmware'): Promise<PackageBody> => ({
  ...(await packageBody(tus, productID, content)),
  version: `1.0.${++patch}`,
  ...fields,
})
/** Files on the disk below a folder. */
const stored = async (folder: string) =>
  (await readdir(join(filesDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])).filter((one) =>
    one.isFile(),
  ).length
const taskOf = async (firmwareID: number, status: number, task_uid: string): Promise<void> => {
  const plan = otaTaskBody.parse({ firmwareID, type: 1, upgradeType: 1 })
  await world.db
    .insertInto('ota_task')
    .values({ task_uid, firmware_id: firmwareID, product_id: productID, status, plan: jsonText(plan), created_at: 0 })
    .execute()
}

describe('a new package', () => {
  test('keeps its files when the uploads cannot be cleared away', async () => {
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      world.db,
    )
    await sql`create trigger refuse before delete on resumable_upload execute function refuse()`.execute(world.db)
    const before = await stored('productManage')
    const made = await create(await body()).finally(() => sql`drop function refuse cascade`.execute(world.db))
    expect(made.code).toBe(200)
    expect(await stored('productManage')).toBe(before + 1)
  })

  test('has the digests of what was uploaded, and the uploads are used up', async () => {
    const content = 'the new firmware'
    // As the documents of the public platform draw it; consoles send text.
    const given = await body({ desc: '修复', extData: { a: 1 }, module: 1 }, content)
    const before = await stored('temp')
    const firmwareID = await makePackage(world, given)
    expect(await stored('temp')).toBe(before - 1)
    const [md5, sha256] = [digest('md5', content), digest('sha256', content)]
    const seen = await read(firmwareID)
    expect(seen).toMatchObject({
      firmwareID,
      productID,
      name: given.name,
      version: given.version,
      module: 1,
      isDiff: 1,
      srcVersion: '',
      signMethod: 'sha256',
      desc: '修复',
      extData: '{"a":1}',
      sha256,
      size: content.length,
      fileCount: 1,
      taskCount: 0,
      openTaskCount: 0,
      userName: 'administrator',
      files: [{ name: 'main.bin', size: content.length, md5, sha256, signature: sha256, signed: false }],
    })
    const fetched = await world.app.http.inject({ method: 'GET', url: seen.files[0]?.uri ?? '' })
    expect(fetched.body).toBe(content)
    expect(fetched.headers['content-disposition']).toBe("attachment; filename*=UTF-8''main.bin")
  })

  test('signs by the chosen method, as existing consoles spell it', async () => {
    const md5 = await read(await makePackage(world, await body({ signMethod: 'MD5' })))
    expect(md5.files[0]?.signature).toBe(digest('md5', 'firmware'))
    const sha = await read(await makePackage(world, await body({ signMethod: 'SHA@256' })))
    expect(sha).toMatchObject({ signMethod: 'sha256', files: [{ signature: digest('sha256', 'firmware') }] })
  })

  test('may have twenty files, in their order; not twenty-one', async () => {
    const files = []
    for (let i = 0; i < 21; i++)
      files.push({ filePath: await tus.upload(Buffer.from(`part ${i}`)), name: `part-${i}.bin` })
    expect(await create({ ...(await body()), files })).toMatchObject({ status: 400, code: 100006 })
    const seen = await read(await makePackage(world, await body({ files: files.slice(0, 20) })))
    expect(seen.files.map((file) => file.name)).toEqual(files.slice(0, 20).map((file) => file.name))
    expect(seen).toMatchObject({ fileCount: 20, sha256: '' })
  })

  test.each([
    ['MD5', { md5: digest('md5', 'other') }],
    ['SHA-256', { sha256: digest('sha256', 'other') }],
  ])('whose uploader computed another %s is refused by file name and can be tried again', async (method, digests) => {
    const given = await body()
    const [file] = given.files
    const kept = await stored('productManage/ota')
    const sent = await create({ ...given, files: [{ ...file, ...digests }] })
    expect(sent).toMatchObject({ status: 400, code: 100006 })
    expect(sent.msg).toContain(`main.bin 的 ${method}`)
    expect(await stored('productManage/ota')).toBe(kept)
    const right = { md5: digest('md5', 'firmware').toUpperCase(), sha256: digest('sha256', 'firmware') }
    expect(await create({ ...given, files: [{ ...file, ...right }] })).toMatchObject({ code: 200 })
  })

  test('needs a version of its own in product, module and source', async () => {
    const given = await body()
    await makePackage(world, given)
    const again = async (fields: Partial<PackageBody>) =>
      create({ ...(await body()), version: given.version, ...fields })
    expect(await again({})).toMatchObject({ status: 400, code: 100010, body: { field: 'version' } })
    expect(await again({ module: 2 })).toMatchObject({ code: 200 })
    expect(await again({ isDiff: 2, srcVersion: '0.9.0' })).toMatchObject({ code: 200 })
    expect(await again({ isDiff: 2, srcVersion: '0.9.0' })).toMatchObject({ code: 100010 })
    expect(await again({ isDiff: 2, srcVersion: '0.8.0' })).toMatchObject({ code: 200 })
    expect(await again({ productID: await makeProduct(world) })).toMatchObject({ code: 200 })
  })

  test('made twice at the same moment exists once', async () => {
    const [one, two] = [await body({ version: '7.0.0' }), await body({ version: '7.0.0' })]
    const codes = (await Promise.all([create(one), create(two)])).map((sent) => sent.code)
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 100010])
  })

  test.each([
    ['a version of words', { version: 'newest' }, 100006],
    ['a version of one number', { version: '7' }, 100006],
    ['a differential one without source', { isDiff: 2 }, 100006],
    ['a differential one from itself', { isDiff: 2, version: '8.0.0', srcVersion: '8.0.0' }, 100006],
    ['module 0', { module: 0 }, 100006],
    ['extData that is no object', { extData: '[1]' }, 100006],
    ['no file', { files: [] }, 100006],
    ['a file that nobody uploaded', { files: [{ filePath: 'productManage/ota/none', name: 'a' }] }, 100009],
    ['a file of another use', { files: [{ filePath: 'productManage/productImg/x', name: 'a' }] }, 100009],
    ['an unknown product', { productID: 'AAAAAAAAAAA' }, 100009],
  ])('is refused with %s', async (_name, fields, code) => {
    expect(await create({ ...(await body()), ...fields })).toMatchObject({ status: 400, code })
  })

  test.each(['../up.bin', 'a/b.bin', 'a\\b.bin', '..', 'a\u0000b'])('is refused with a file named %j', async (name) => {
    const given = await body()
    expect(await create({ ...given, files: [{ ...given.files[0], name }] })).toMatchObject({ code: 100006 })
  })

  test('is refused with one name or one upload twice', async () => {
    const [one, two] = [await body(), await body()]
    const files = [...one.files, ...two.files]
    expect(await create({ ...one, files })).toMatchObject({ code: 100006 })
    const [file] = one.files
    expect(await create({ ...one, files: [file, { ...file, name: 'other.bin' }] })).toMatchObject({ code: 100006 })
  })
})

describe('packages', () => {
  test('are found by product, name, version, module and time, newest first or by number of version', async () => {
    const own = await makeProduct(world)
    const make = async (version: string, name: string, module = 3) =>
      makePackage(world, await body({ productID: own, version, name, module }))
    await make('1.9.0', '甲')
    await make('1.10.0', '乙')
    await make('1.2.0-beta', '丙', 1)
    const list = async (fields: object) =>
      (await world.asAdmin(contract.listFirmware, { productID: own, ...fields })).list.map((one) => one.version)
    expect(await list({})).toEqual(['1.2.0-beta', '1.10.0', '1.9.0'])
    expect(await list({ page: { orders: [{ field: 'version', sort: 1 }] } })).toEqual(['1.2.0-beta', '1.9.0', '1.10.0'])
    expect(await list({ name: '乙' })).toEqual(['1.10.0'])
    expect(await list({ version: '1.1' })).toEqual(['1.10.0'])
    expect(await list({ module: 1 })).toEqual(['1.2.0-beta'])
    expect(await list({ module: 0, timeStart: '', timeEnd: 0 })).toHaveLength(3)
    const now = Math.floor(Date.now() / 1000)
    expect(await list({ timeStart: now - 600, timeEnd: now + 600 })).toHaveLength(3)
    expect(await list({ timeStart: now + 600 })).toEqual([])
    expect((await world.asAdmin(contract.listFirmware, { productID: own, page: { page: 1, size: 2 } })).total).toBe(3)
  })

  test('change in name, description and data only, and not over a newer edit', async () => {
    const firmwareID = await makePackage(world, await body())
    await world.asAdmin(contract.updateFirmware, { firmwareID, name: '新名', desc: '说明', extData: '{}', rev: 1 })
    expect(await read(firmwareID)).toMatchObject({ name: '新名', desc: '说明', extData: '{}', rev: 2 })
    const stale = { firmwareID, name: '旧名', rev: 1 }
    expect(await world.call(contract.updateFirmware, stale, { token: world.admin })).toMatchObject({ code: 900001 })
    expect(await read(firmwareID)).toMatchObject({ name: '新名' })
  })

  test('tell which versions the devices have, by module, with who is online', async () => {
    const own = await makeProduct(world)
    const firmwareID = await makePackage(world, await body({ productID: own }))
    for (const [name, version, online] of [
      ['d1', '1.0.0', true],
      ['d2', '1.0.0', false],
      ['d3', '1.1.0', false],
      ['d4', '', true],
    ] as const) {
      const { device_id } = await world.db
        .insertInto('device')
        .values({
          product_id: own,
          device_name: name,
          secret: 's' as Sealed,
          ...(online ? { is_online: 1, first_login: new Date() } : {}),
        })
        .returning('device_id')
        .executeTakeFirstOrThrow()
      const other = { device_id, module: 1, version: '9.9.9', reported_at: 0 }
      const rows = version ? [{ device_id, module: 3, version, reported_at: 0 }, other] : [other]
      await world.db.insertInto('device_module').values(rows).execute()
    }
    expect(await world.asAdmin(contract.readDeviceVersions, { firmwareID })).toEqual({
      versions: '["1.0.0","1.1.0"]',
      list: [
        { version: '1.0.0', count: 2, online: 1 },
        { version: '1.1.0', count: 1, online: 0 },
        { version: '', count: 1, online: 1 },
      ],
    })
  })
})

describe('deletion', () => {
  test('takes the files away, and the version is free again', async () => {
    const given = await body()
    const firmwareID = await makePackage(world, given)
    const { files } = await read(firmwareID)
    const before = await stored('productManage/ota')
    expect(await remove(firmwareID)).toMatchObject({ code: 200 })
    expect(await stored('productManage/ota')).toBe(before - 1)
    expect((await world.app.http.inject({ method: 'GET', url: files[0]?.uri ?? '' })).json().code).toBe(100009)
    expect(await remove(firmwareID)).toMatchObject({ code: 100009 })
    expect(await create({ ...(await body()), version: given.version })).toMatchObject({ code: 200 })
  })

  test('is refused by name while a task is not over; afterwards the task still knows the package', async () => {
    const given = await body()
    const firmwareID = await makePackage(world, given)
    await taskOf(firmwareID, 3, `done-${firmwareID}`)
    await taskOf(firmwareID, 2, `open-${firmwareID}`)
    expect(await read(firmwareID)).toMatchObject({ taskCount: 2, openTaskCount: 1 })
    const refused = await remove(firmwareID)
    expect(refused).toMatchObject({ status: 400, code: 100019 })
    expect(refused.msg).toContain(`open-${firmwareID}`)
    expect(refused.msg).not.toContain(`done-${firmwareID}`)
    await world.db.updateTable('ota_task').set({ status: 4 }).where('firmware_id', '=', firmwareID).execute()
    expect(await remove(firmwareID)).toMatchObject({ code: 200 })
    const { list } = await world.asAdmin(contract.listFirmware, { productID })
    expect(list.map((one) => one.firmwareID)).not.toContain(firmwareID)
    const told = await world.db
      .selectFrom('ota_task')
      .innerJoin('firmware', 'firmware.firmware_id', 'ota_task.firmware_id')
      .select(['version', 'name'])
      .where('ota_task.firmware_id', '=', firmwareID)
      .execute()
    expect(told).toEqual(Array(2).fill({ version: given.version, name: given.name }))
    expect(await create({ ...(await body()), version: given.version })).toMatchObject({ code: 200 })
  })

  test('of a product is refused while it has packages, and takes what is left of deleted ones', async () => {
    const own = await makeProduct(world)
    const firmwareID = await makePackage(world, await body({ productID: own }))
    await taskOf(firmwareID, 3, `own-${firmwareID}`)
    const drop = () => world.call(deleteProduct, { productID: own }, { token: world.admin })
    const refused = await drop()
    expect(refused).toMatchObject({ status: 400, code: 100019 })
    expect(refused.msg).toContain('固件包')
    await remove(firmwareID)
    expect(await drop()).toMatchObject({ code: 200 })
  })

  test('of what no package knows waits a day', async () => {
    const files = makeDiskFiles(filesDir)
    const kept = await read(await makePackage(world, await body()))
    const lost = await files.copy(`temp/${await tus.upload(Buffer.from('lost'))}`, () => 'productManage/ota/lost/x.bin')
    const deps = { db: world.db, clock: world.clock, files: { files } }
    expect(await dropLostPackages(deps)).toBe(0)
    world.clock.advance(25 * 3_600_000)
    expect(await dropLostPackages(deps)).toBe(1)
    world.clock.advance(-25 * 3_600_000)
    expect(await files.stat(lost.path)).toBeUndefined()
    expect((await world.app.http.inject({ method: 'GET', url: kept.files[0]?.uri ?? '' })).statusCode).toBe(200)
  })
})
