/** The ways of existing consoles, for firmware: a form, or a PUT to an address (http-api.md 2.8). */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUploadUrl, uploadFile } from '@ithings/contract/features/files.ts'
import { createFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { type FormPart, filePart, imageFields, png, sendForm } from './testing/send-form.ts'
import { listen } from './testing/tus.ts'

let world: World
let filesDir: string
let base: string
let maker: string
let stranger: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  world = await openWorld({ config: { filesDir } })
  base = await listen(world)
  maker = (await makeSignedIn(world, { role: await makeRole(world, [createFirmware]) })).token
  stranger = (await makeSignedIn(world, { role: await makeRole(world, []) })).token
})
afterAll(async () => {
  await world.close()
  await rm(filesDir, { recursive: true, force: true })
})

const megabyte = 1024 * 1024
const large = randomBytes(5 * megabyte)
const otaFields = (): FormPart[] => [
  { name: 'business', value: 'productManage' },
  { name: 'scene', value: 'ota' },
  { name: 'filePath', value: 'main.bin' },
]
const place = { business: 'productManage', scene: 'ota', filePath: 'main.bin' }
const stored = async () =>
  (await readdir(filesDir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length

describe('a form', () => {
  test.each([
    ['before', [...otaFields(), filePart(large)]],
    ['after', [filePart(large), ...otaFields()]],
  ])('with its fields %s a large file of any content is stored', async (_order, parts) => {
    const sent = await sendForm(world, parts, maker)
    expect(sent).toMatchObject({ status: 200, code: 200 })
    expect((await readFile(join(filesDir, 'temp', sent.data.filePath))).equals(large)).toBe(true)
  })

  test('of somebody who may not create packages is refused and leaves nothing', async () => {
    const before = await stored()
    expect(await sendForm(world, [...otaFields(), filePart(large)], stranger)).toMatchObject({
      status: 403,
      code: 100012,
    })
    expect(await sendForm(world, [filePart(large), ...otaFields()], stranger)).toMatchObject({ code: 100015 })
    expect(await sendForm(world, [filePart(png), ...otaFields()], stranger)).toMatchObject({
      status: 403,
      code: 100012,
    })
    expect(await stored()).toBe(before)
  })

  test('with a picture keeps the limit of pictures', async () => {
    const picture = Buffer.concat([png, large])
    const before = await stored()
    expect(await sendForm(world, [...imageFields(), filePart(picture)], maker)).toMatchObject({ code: 100015 })
    expect(await sendForm(world, [filePart(picture), ...imageFields()], maker)).toMatchObject({ code: 100015 })
    expect(await stored()).toBe(before)
  })

  test('that is empty is refused', async () => {
    const sent = await sendForm(world, [...otaFields(), filePart(Buffer.alloc(0))], maker)
    expect(sent).toMatchObject({ status: 400, code: 100006 })
  })

  test('that is refused over a real connection is heard of', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...place, scene: 'productImg' })) form.set(name, value)
    form.set('file', new Blob([new Uint8Array(large)]), 'main.bin')
    const response = await fetch(new URL(uploadFile.path, base), {
      method: 'POST',
      headers: { 'iThings-token': maker },
      body: form,
    })
    expect(await response.json()).toMatchObject({ code: 100015 })
  })
})

describe('an upload address', () => {
  const put = (uploadUri: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(new URL(uploadUri, base), { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body })

  test('takes a large file for a package, which is taken by its path', async () => {
    const { data } = await world.call(createUploadUrl, place, { token: maker })
    expect((await put(data.uploadUri, new Uint8Array(large))).status).toBe(200)
    expect((await readFile(join(filesDir, 'temp', data.filePath))).equals(large)).toBe(true)
  })

  test('is not given to somebody who may not create packages', async () => {
    expect(await world.call(createUploadUrl, place, { token: stranger })).toMatchObject({ status: 403, code: 100012 })
  })

  test('of a picture keeps its limit, and the refusal is heard over a real connection', async () => {
    const { data } = await world.call(createUploadUrl, { ...place, scene: 'productImg' }, { token: stranger })
    const response = await put(data.uploadUri, new Uint8Array(large))
    expect(await response.json()).toMatchObject({ code: 100015 })
  })
})
