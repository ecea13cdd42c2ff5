import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { resumableUpload, uploadScenes } from '@ithings/contract/features/files.ts'
import { createFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldUploads } from '../housekeeping.ts'
import { listen, makeTusClient, otaFields, type TusClient } from '../testing/tus.ts'

let world: World
let filesDir: string
let base: string
let admin: TusClient
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  world = await openWorld({ config: { filesDir } })
  base = await listen(world)
  admin = makeTusClient(base, world.admin)
})
afterAll(async () => {
  await world.close()
  await rm(filesDir, { recursive: true, force: true })
})

const hours = 3_600_000
const megabyte = 1024 * 1024
const locationOf = (response: Response) => response.headers.get('location') ?? ''
const offsetOf = async (client: TusClient, location: string) =>
  Number((await client.head(location)).headers.get('upload-offset'))
const pathOf = (response: Response) => response.headers.get(resumableUpload.filePathHeader)
const refusal = async (response: Response) => {
  const { code } = (await response.json()) as { code: number }
  return { status: response.status, code }
}
const start = async (client: TusClient, size: number) => {
  const created = await client.create(size)
  expect(created.status).toBe(201)
  return locationOf(created)
}
const idOf = (location: string) => location.split('/').at(-1) ?? ''
/** A person who may create packages. */
const makeMaker = async () => {
  const person = await makeSignedIn(world, { role: await makeRole(world, [createFirmware]) })
  return { ...person, client: makeTusClient(base, person.token) }
}

describe('a resumable upload', () => {
  test('goes on after the connection was cut in the middle', async () => {
    const content = randomBytes(3 * megabyte)
    const location = await start(admin, content.length)
    await admin.sendAndCut(location, 0, content.subarray(0, 2 * megabyte), content.length)
    // Asking waits for the end of the broken request; what was still on its way then is sent again.
    await expect.poll(() => offsetOf(admin, location)).toBeGreaterThan(0)
    const offset = await offsetOf(admin, location)
    expect(offset).toBeLessThanOrEqual(2 * megabyte)
    const rest = await admin.patch(location, offset, content.subarray(offset))
    expect(rest.status).toBe(204)
    expect(rest.headers.get('upload-offset')).toBe(String(content.length))
    const path = pathOf(rest)
    expect(path).toBe(`productManage/ota/${idOf(location)}`)
    expect((await readFile(join(filesDir, 'temp', String(path)))).equals(content)).toBe(true)
  })

  test('tells its path again to who lost the last answer', async () => {
    const location = await start(admin, 3)
    const whole = await admin.patch(location, 0, Buffer.from('abc'))
    const asked = await admin.head(location)
    expect(asked.status).toBe(200)
    expect(asked.headers.get('upload-offset')).toBe('3')
    expect(pathOf(asked)).toBe(pathOf(whole))
    expect((await admin.patch(location, 3, Buffer.alloc(0))).status).toBe(204)
  })

  test('that a crash stopped after its last byte is finished by the next question', async () => {
    const location = await start(admin, 3)
    const { arriving } = makeDiskFiles(filesDir)
    await arriving.append(`temp/resumable/${idOf(location)}`, Readable.from(['abc']), 0)
    expect(pathOf(await admin.head(location))).toBe(`productManage/ota/${idOf(location)}`)
    expect((await stat(join(filesDir, 'temp/productManage/ota', idOf(location)))).size).toBe(3)
  })

  test('cannot be taken before it is whole', async () => {
    const location = await start(admin, 6)
    await admin.patch(location, 0, Buffer.from('abc'))
    const { productID } = await world.asAdmin(createProduct, { productName: uniqueText('泵') })
    for (const folder of ['resumable', 'productManage/ota', 'productManage/ota/../../resumable']) {
      const files = [{ filePath: `${folder}/${idOf(location)}`, name: 'a' }]
      const body = { name: 'x', productID, version: '1.0.0', files }
      expect(await world.call(createFirmware, body, { token: world.admin })).toMatchObject({ code: 100009 })
    }
    await expect(stat(join(filesDir, 'temp/productManage/ota', idOf(location)))).rejects.toThrow('ENOENT')
  })

  test('answers 409 to a wrong position and keeps what it has', async () => {
    const location = await start(admin, 6)
    await admin.patch(location, 0, Buffer.from('abc'))
    expect(await refusal(await admin.patch(location, 1, Buffer.from('bcd')))).toEqual({ status: 409, code: 100006 })
    expect(await offsetOf(admin, location)).toBe(3)
  })

  test('takes no more than it announced', async () => {
    const location = await start(admin, 3)
    expect(await refusal(await admin.patch(location, 0, Buffer.from('abcd')))).toMatchObject({ code: 100015 })
    expect(pathOf(await admin.head(location))).toBeNull()
  })

  test('goes on at another server that shares the folder', async () => {
    const other = await openWorld({ config: { filesDir }, databaseUrl: world.url })
    try {
      const there = makeTusClient(await listen(other), world.admin)
      const location = await start(admin, 6)
      await admin.patch(location, 0, Buffer.from('abc'))
      expect(await offsetOf(there, location)).toBe(3)
      const path = pathOf(await there.patch(location, 3, Buffer.from('def')))
      expect(await readFile(join(filesDir, 'temp', String(path)), 'utf8')).toBe('abcdef')
      expect(pathOf(await admin.head(location))).toBe(path)
    } finally {
      await other.close()
    }
  })

  test('goes on at another server while the first one still waits for the rest on a line that hangs', async () => {
    const other = await openWorld({ config: { filesDir }, databaseUrl: world.url })
    const location = await start(admin, 6)
    const end = await admin.sendAndHang(location, 0, Buffer.from('abc'), 6)
    try {
      // The request is under way: its bytes are there, and it holds the upload.
      await expect
        .poll(() => readFile(join(filesDir, 'temp/resumable', idOf(location)), 'utf8').catch(() => ''))
        .toBe('abc')
      const there = makeTusClient(await listen(other), world.admin)
      expect(await offsetOf(there, location)).toBe(3)
      const path = pathOf(await there.patch(location, 3, Buffer.from('def')))
      expect(await readFile(join(filesDir, 'temp', String(path)), 'utf8')).toBe('abcdef')
    } finally {
      end()
      await other.close()
    }
  })

  test('can be given up, unfinished and finished', async () => {
    for (const content of ['abc', 'abcdef']) {
      const location = await start(admin, 6)
      await admin.patch(location, 0, Buffer.from(content))
      expect((await admin.remove(location)).status).toBe(204)
      expect((await admin.head(location)).status).toBe(404)
    }
  })
})

describe('who and how much', () => {
  test('needs a token and the permission to create packages', async () => {
    expect(await refusal(await makeTusClient(base, 'x.y.z').create(3))).toMatchObject({ status: 401 })
    const stranger = await makeSignedIn(world, { role: await makeRole(world, []) })
    const client = makeTusClient(base, stranger.token)
    expect(await refusal(await client.create(3))).toEqual({ status: 403, code: 100012 })
  })

  test('nobody sees, continues or removes the upload of somebody else', async () => {
    const [one, two] = [await makeMaker(), await makeMaker()]
    const location = await start(one.client, 6)
    expect((await two.client.head(location)).status).toBe(404)
    expect(await refusal(await two.client.patch(location, 0, Buffer.from('abc')))).toEqual({
      status: 404,
      code: 100009,
    })
    expect((await two.client.remove(location)).status).toBe(404)
    expect(await offsetOf(one.client, location)).toBe(0)
  })

  test.each([
    ['more than 1,000 MB', uploadScenes['productManage/ota'].maxBytes + 1, otaFields(), { status: 413, code: 100015 }],
    ['an empty file', 0, otaFields(), { status: 400, code: 100006 }],
    ['another use', 3, { ...otaFields(), scene: 'productImg' }, { status: 400, code: 100006 }],
    ['an unknown use', 3, { filename: 'a' }, { status: 400, code: 100006 }],
    ['no name', 3, { ...otaFields(), filename: '' }, { status: 400, code: 100006 }],
  ])('refuses %s', async (_name, size, fields, wanted) => {
    expect(await refusal(await admin.create(size, fields))).toEqual(wanted)
  })

  test('one person has so many uploads and so many bytes that nothing took', async () => {
    const many = await makeMaker()
    for (let i = 0; i < resumableUpload.uploads; i++) await start(many.client, 3)
    expect(await refusal(await many.client.create(3))).toEqual({ status: 400, code: 900003 })
    const large = await makeMaker()
    const most = uploadScenes['productManage/ota'].maxBytes
    for (let i = 0; i < resumableUpload.bytes / most; i++) await start(large.client, most)
    expect(await refusal(await large.client.create(3))).toEqual({ status: 400, code: 900003 })
  })

  test('a day after its beginning it is gone, with its bytes', async () => {
    const location = await start(admin, 6)
    await admin.patch(location, 0, Buffer.from('abc'))
    const files = makeDiskFiles(filesDir)
    const deps = { db: world.db, files, spool: files, clock: world.clock }
    world.clock.advance(25 * hours)
    const token = await world.signIn('administrator', 'Admin-2026')
    expect((await makeTusClient(base, token).head(location)).status).toBe(404)
    expect(await dropOldUploads(deps)).toBeGreaterThan(0)
    world.clock.advance(-25 * hours)
    await expect(stat(join(filesDir, 'temp/resumable', idOf(location)))).rejects.toThrow('ENOENT')
    expect((await admin.head(location)).status).toBe(404)
  })
})
