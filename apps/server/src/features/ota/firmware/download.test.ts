/** What devices do with their links: real connections, ranges, and links that were tampered with. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLinkSigner } from '#features/files/signed-link.ts'
import { listen, makeTusClient } from '#features/files/testing/tus.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { openWorld, type World } from '#testing/world.ts'
import { type FirmwareFileLink, firmwareFilesFor } from './firmware-files.ts'
import { makePackage, makeProduct, packageBody } from './testing/packages.ts'

const bandwidth = 150_000
const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')
const tag = `"${sha256}"`
const hours = 3_600_000

let world: World
let file: FirmwareFileLink
beforeAll(async () => {
  world = await openWorld({ config: { otaBandwidth: bandwidth } })
  const base = await listen(world)
  const productID = await makeProduct(world)
  const firmwareID = await makePackage(world, await packageBody(makeTusClient(base, world.admin), productID, content))
  const files = { links: makeLinkSigner(await loadKey(world.db, 'link'), world.clock) }
  const [found] = await firmwareFilesFor({ db: world.db, files, publicUrl: () => base }, firmwareID)
  if (!found) throw new Error('the package has no file')
  file = found
})
afterAll(() => world.close())

const fetchFile = (headers: Record<string, string> = {}, method = 'GET') => fetch(file.url, { headers, method })
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('a device is told name, size, digests and an absolute link', () => {
  const md5 = createHash('md5').update(content).digest('hex')
  expect(file).toMatchObject({ name: 'main.bin', size: content.length, signature: sha256, fileMd5: md5, ed25519: '' })
  expect(file.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/oss\/productManage\/ota\//)
  expect(file.path).toContain(sha256)
})

describe('a download', () => {
  test('has its length and its digest as validator, and keeps to the bandwidth', async () => {
    const start = performance.now()
    const response = await fetchFile()
    expect((await bytes(response)).equals(content)).toBe(true)
    const seconds = (performance.now() - start) / 1000
    expect(seconds).toBeGreaterThan((content.length / bandwidth) * 0.8)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': String(content.length),
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: tag,
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  test('can be asked about without a byte', async () => {
    const response = await fetchFile({}, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(content.length))
    expect((await bytes(response)).length).toBe(0)
  })

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=299990-', 299_990, 299_999],
    ['bytes=-10', 299_990, 299_999],
    ['bytes=299990-999999', 299_990, 299_999],
    ['bytes=5-5', 5, 5],
  ])('of %s answers that part', async (range, start, end) => {
    const response = await fetchFile({ range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${content.length}`)
    expect(response.headers.get('content-length')).toBe(String(end - start + 1))
    expect((await bytes(response)).equals(content.subarray(start, end + 1))).toBe(true)
  })

  test('beyond the end is refused with the size', async () => {
    const response = await fetchFile({ range: 'bytes=300000-' })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe(`bytes */${content.length}`)
    expect(await response.json()).toMatchObject({ code: 100015 })
  })

  test.each(['bytes=0-1,5-6', 'lines=0-1', 'bytes=x-y', 'nonsense'])('of %s answers all of it', async (range) => {
    const response = await fetchFile({ range })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  test('goes on only when the file is still the same', async () => {
    const range = 'bytes=100-199'
    expect((await fetchFile({ range, 'if-range': tag })).status).toBe(206)
    const other = await fetchFile({ range, 'if-range': '"other"' })
    expect(other.status).toBe(200)
    await other.body?.cancel()
    expect((await fetchFile({ 'if-none-match': tag })).status).toBe(304)
  })

  test('in two halves is the same file', async () => {
    const halves = [await fetchFile({ range: 'bytes=0-149999' }), await fetchFile({ range: 'bytes=150000-' })]
    const whole = Buffer.concat([await bytes(halves[0] as Response), await bytes(halves[1] as Response)])
    expect(createHash('sha256').update(whole).digest('hex')).toBe(sha256)
  })

  test('that the device breaks off is over for the server too', async () => {
    const stop = new AbortController()
    const response = await fetch(file.url, { signal: stop.signal })
    const count = async () => {
      const { body } = await world.app.http.inject({ method: 'GET', url: '/metrics' })
      return Number(/^ithings_firmware_downloads (\d+)/m.exec(body)?.[1])
    }
    expect(response.status).toBe(200)
    await expect.poll(count).toBe(1)
    stop.abort()
    await expect.poll(count).toBe(0)
  })
})

describe('a link', () => {
  test.each([
    ['signature', (url: URL) => url.searchParams.set('sign', 'x')],
    ['time', (url: URL) => url.searchParams.set('expires', '99999999999')],
    ['name', (url: URL) => url.searchParams.set('name', 'other.bin')],
    [
      'file',
      (url: URL) => {
        url.pathname = url.pathname.replace(
          sha256,
          sha256.replace(/./, (digit) => (digit === '0' ? '1' : '0')),
        )
      },
    ],
  ])('with another %s is refused', async (_what, change) => {
    const url = new URL(file.url)
    change(url)
    const response = await fetch(url)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 100012 })
  })

  test('is good for 24 hours', async () => {
    world.clock.advance(23.9 * hours)
    expect((await fetchFile({}, 'HEAD')).status).toBe(200)
    world.clock.advance(0.2 * hours)
    const response = await fetchFile()
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 100011 })
    world.clock.advance(-24.1 * hours)
  })
})
