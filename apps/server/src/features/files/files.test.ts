import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUploadUrl } from '@ithings/contract/features/files.ts'
import { createProduct, readProduct } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import { makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldUploads } from './housekeeping.ts'
import { makeLinkSigner } from './signed-link.ts'
import { filePart, imageFields, png, sendForm, uploadImage } from './testing/send-form.ts'

let world: World
let filesDir: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  world = await openWorld({ config: { filesDir } })
})
afterAll(async () => {
  await world.close()
  await rm(filesDir, { recursive: true, force: true })
})

const get = (url: string) => world.app.http.inject({ method: 'GET', url })
const put = (url: string, payload: Buffer | string = png) =>
  world.app.http.inject({ method: 'PUT', url, headers: { 'content-type': 'image/png' }, payload })
const refusal = (response: Awaited<ReturnType<typeof get>>) => ({
  status: response.statusCode,
  code: response.json().code,
})
const address = async (body: object = {}) =>
  world.asAdmin(createUploadUrl, { business: 'productManage', scene: 'productImg', filePath: 'a.png', ...body })

const minutes = 60_000
const hours = 60 * minutes

test('one person has forty uploads lying there that nothing took, by form and by address; others go on', async () => {
  const { token } = await makeSignedIn(world)
  const place = { business: 'productManage', scene: 'productImg', filePath: 'a.png' }
  const form = () => sendForm(world, [...imageFields(), filePart()], token)
  const uri = async () => (await world.call(createUploadUrl, place, { token })).data.uploadUri
  const late = await uri()
  const codes = await Promise.all(Array.from({ length: 39 }, async () => (await form()).code))
  expect(new Set(codes)).toEqual(new Set([200]))
  expect((await put(await uri())).json().code).toBe(200)
  expect((await form()).code).toBe(900003)
  expect(refusal(await put(late)).code).toBe(900003)
  expect((await sendForm(world, [...imageFields(), filePart()])).code).toBe(200)
})

describe('upload-file', () => {
  test.each([
    ['first', [filePart(), ...imageFields()]],
    ['last', [...imageFields(), filePart()]],
  ])('takes the file as the %s part and answers a path and a link that shows it', async (_place, parts) => {
    const sent = await sendForm(world, parts)
    expect(sent).toMatchObject({ status: 200, code: 200, msg: 'success' })
    expect(sent.data.filePath).toMatch(/^productManage\/productImg\/\d+\/[\w-]{36}\/pump\.png$/)
    const shown = await get(sent.data.fileUri)
    expect(shown.statusCode).toBe(200)
    expect(shown.rawPayload.equals(png)).toBe(true)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    })
  })

  test('with rename the name becomes an id and keeps its extension', async () => {
    const sent = await sendForm(world, [...imageFields('x/Pump.PNG'), { name: 'rename', value: 'true' }, filePart()])
    expect(sent.data.filePath).toMatch(/^productManage\/productImg\/\d+\/[\w-]{36}\.png$/)
  })

  test('two uploads of one name do not touch each other', async () => {
    expect(await uploadImage(world)).not.toBe(await uploadImage(world))
  })

  test.each([
    ['no file', imageFields(), 100006],
    ['a file that is no picture', [...imageFields(), filePart(Buffer.from('<svg onload="x()">'))], 100014],
    ['a program named .png', [...imageFields(), filePart(Buffer.from('MZ\x90\x00 and more of it'))], 100014],
    ['an empty file', [...imageFields(), filePart(Buffer.alloc(0))], 100014],
    ['more than 2 MB', [...imageFields(), filePart(Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]))], 100015],
    ['two files', [...imageFields(), filePart(), filePart()], 100006],
    ['an unknown use', [{ name: 'business', value: 'x' }, ...imageFields().slice(1), filePart()], 100006],
    ['no path', [...imageFields().slice(0, 2), filePart()], 100006],
    ['a path upwards', [...imageFields('../../etc/x.png'), filePart()], 100006],
    ['a path upwards in the middle', [...imageFields('a/../../x.png'), filePart()], 100006],
    ['a path from the root', [...imageFields('/etc/x.png'), filePart()], 100006],
    ['a path with backslashes', [...imageFields('..\\x.png'), filePart()], 100006],
    ['a path with forbidden characters', [...imageFields('a?b.png'), filePart()], 100006],
  ])('refuses %s and keeps nothing', async (_name, parts, code) => {
    const before = (await readdir(filesDir, { recursive: true })).length
    const sent = await sendForm(world, parts)
    expect(sent).toMatchObject({ status: 400, code })
    expect((await readdir(filesDir, { recursive: true })).length).toBe(before)
  })

  test('needs a token and a form', async () => {
    expect(await sendForm(world, [...imageFields(), filePart()], 'x.y.z')).toMatchObject({ status: 401 })
    const response = await world.app.http.inject({
      method: 'POST',
      url: '/api/v1/system/common/upload-file',
      headers: { 'content-type': 'application/json', 'iThings-token': world.admin },
      payload: '{}',
    })
    expect(refusal(response)).toEqual({ status: 400, code: 100014 })
  })
})

describe('upload address', () => {
  test('takes a PUT without a token; the product that takes it shows it', async () => {
    const { filePath, uploadUri } = await address()
    expect(filePath).toMatch(/^productManage\/productImg\/\d+\/[\w-]{36}\/a\.png$/)
    expect((await put(uploadUri)).json()).toMatchObject({ code: 200, data: { filePath: expect.any(String) } })
    const { productID } = await world.asAdmin(createProduct, { productName: uniqueText('泵'), productImg: filePath })
    const { productImg } = await world.asAdmin(readProduct, { productID })
    expect((await get(productImg)).rawPayload.equals(png)).toBe(true)
  })

  test('what is no picture is refused when it is taken', async () => {
    const { filePath, uploadUri } = await address()
    expect((await put(uploadUri, '<script>')).statusCode).toBe(200)
    const sent = await world.call(
      createProduct,
      { productName: uniqueText('泵'), productImg: filePath },
      { token: world.admin },
    )
    expect(sent).toMatchObject({ status: 400, code: 100014 })
  })

  test('more than 2 MB are refused', async () => {
    const { uploadUri } = await address()
    const response = await put(uploadUri, Buffer.alloc(2 * 1024 * 1024 + 1))
    expect(response.json().code).toBe(100015)
  })

  test('is good for a day', async () => {
    const { uploadUri } = await address()
    world.clock.advance(23 * hours)
    expect((await put(uploadUri)).statusCode).toBe(200)
    world.clock.advance(2 * hours)
    expect(refusal(await put(uploadUri))).toEqual({ status: 400, code: 100011 })
    world.clock.advance(-25 * hours)
  })

  test('refuses uses and paths that it does not know', async () => {
    for (const body of [{ scene: 'x' }, { business: '__proto__' }, { filePath: '../x' }, { filePath: '' }]) {
      const place = { business: 'productManage', scene: 'productImg', filePath: 'a.png', ...body }
      expect(await world.call(createUploadUrl, place, { token: world.admin })).toMatchObject({ code: 100006 })
    }
    expect(await world.call(createUploadUrl, {})).toMatchObject({ status: 401 })
  })
})

describe('signed links', () => {
  const link = async () => (await sendForm(world, [...imageFields(), filePart()])).data.fileUri
  const changed = (url: string, change: (parsed: URL) => void) => {
    const parsed = new URL(url, 'http://x')
    change(parsed)
    return parsed.pathname + parsed.search
  }

  test('a forged signature, time, name or path is refused with 403', async () => {
    const url = await link()
    const later = String(Math.floor(Date.now() / 1000) + 999_999)
    for (const forged of [
      changed(url, (parsed) => parsed.searchParams.set('sign', 'x')),
      changed(url, (parsed) => parsed.searchParams.set('expires', later)),
      changed(url, (parsed) => parsed.searchParams.set('name', 'x.html')),
      changed(url, (parsed) => parsed.searchParams.delete('sign')),
      changed(url, (parsed) => {
        parsed.pathname = parsed.pathname.replace('pump.png', 'other.png')
      }),
      `${url}&sign=x`,
      '/api/v1/oss/temp/x.png',
      '/api/v1/oss/..%2f..%2fetc%2fpasswd?expires=99999999999&sign=x',
    ]) {
      expect(refusal(await get(forged)), forged).toEqual({ status: 403, code: 100012 })
    }
  })

  test('an expired one is refused', async () => {
    const url = await link()
    world.clock.advance(25 * minutes)
    expect(refusal(await get(url))).toEqual({ status: 400, code: 100011 })
    world.clock.advance(-25 * minutes)
  })

  test('a link to read does not write, an address to write does not read', async () => {
    expect(refusal(await put(await link()))).toEqual({ status: 403, code: 100012 })
    const { uploadUri } = await address()
    await put(uploadUri)
    expect(refusal(await get(uploadUri))).toEqual({ status: 403, code: 100012 })
  })

  test('a link to a file that is gone says so', async () => {
    const { filePath, fileUri } = (await sendForm(world, [...imageFields(), filePart()])).data
    await rm(join(filesDir, 'temp', filePath))
    expect(refusal(await get(fileUri))).toMatchObject({ code: 100009 })
  })

  test('a name makes it a download under that name', () => {
    const signer = makeLinkSigner(new Uint8Array(32), world.clock)
    const url = new URL(signer.sign('job/1/设备 1.csv', 'get', 60, '设备 1.csv'), 'http://x')
    const query = Object.fromEntries(url.searchParams)
    expect(decodeURIComponent(url.pathname)).toBe('/api/v1/oss/job/1/设备 1.csv')
    expect(() => signer.check('job/1/设备 1.csv', 'get', query)).not.toThrow()
    expect(() => signer.check('job/1/设备 1.csv', 'get', { ...query, name: 'x' })).toThrow('链接无效')
  })
})

test('uploads that nobody took go after a day, taken files stay', async () => {
  const { productID } = await world.asAdmin(createProduct, {
    productName: uniqueText('泵'),
    productImg: await uploadImage(world),
  })
  await uploadImage(world)
  const files = makeDiskFiles(filesDir)
  const deps = { db: world.db, files, spool: files, clock: world.clock }
  expect(await dropOldUploads(deps)).toBe(0)
  world.clock.advance(25 * hours)
  expect(await dropOldUploads(deps)).toBeGreaterThan(0)
  expect(await readdir(join(filesDir, 'temp'), { recursive: true, withFileTypes: true })).not.toContainEqual(
    expect.objectContaining({ name: expect.stringMatching(/png$/) }),
  )
  world.clock.advance(-25 * hours)
  const { productImg } = await world.asAdmin(readProduct, { productID })
  expect((await get(productImg)).statusCode).toBe(200)
})
