/** Two servers whose files lie in S3: what one of them was given, the other one has. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { listApis } from '@ithings/contract/features/apis.ts'
import { resumableUpload } from '@ithings/contract/features/files.ts'
import { exportList, JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { readProduct, updateProduct } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeS3Files } from '#engines/s3-files/s3-files.ts'
import { type S3Server, startS3Server } from '#engines/s3-files/testing/s3-server.ts'
import { firmwareFilesFor } from '#features/ota/firmware/firmware-files.ts'
import { makePackage, makeProduct } from '#features/ota/firmware/testing/packages.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { eventually } from '#testing/eventually.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldUploads } from './housekeeping.ts'
import { makeLinkSigner } from './signed-link.ts'
import { filePart, imageFields, sendForm } from './testing/send-form.ts'
import { listen, makeTusClient } from './testing/tus.ts'

let server: S3Server
/** Its devices reach the store; the other one's are served by it. */
let one: World
let other: World
let place: ReturnType<S3Server['place']>
const bases: string[] = []
beforeAll(async () => {
  server = await startS3Server()
  place = server.place(randomUUID(), { publicEndpoint: server.endpoint })
  one = await openWorld({ config: { s3: place } })
  other = await openWorld({ databaseUrl: one.url, config: { s3: { ...place, publicAddress: undefined } } })
  bases.push(await listen(one), await listen(other))
})
afterAll(async () => {
  await other.close()
  await one.close()
  await server.close()
})

const megabyte = 1024 * 1024
const content = randomBytes(9 * megabyte)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('the file of an export is resumed at another server, in the middle of a line', async () => {
  const { jobID } = await one.asAdmin(exportList, { path: listApis.path, columns: [{ key: 'route' }, { key: 'name' }] })
  await eventually(async () => expect((await one.asAdmin(readJob, { jobID })).status).toBe(JobStatus.done))
  const linkAt = async (world: World, base: string | undefined) =>
    new URL((await world.asAdmin(readJob, { jobID })).fileUri, base)
  const whole = await fetch(await linkAt(one, bases[0]))
  const text = await bytesOf(whole)
  const etag = whole.headers.get('etag') ?? ''
  expect([whole.headers.get('accept-ranges'), Number(whole.headers.get('content-length'))]).toEqual([
    'bytes',
    text.length,
  ])
  const headers = { range: 'bytes=1001-', 'if-range': etag }
  const rest = await fetch(await linkAt(other, bases[1]), { headers })
  expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag])
  expect(Buffer.concat([text.subarray(0, 1001), await bytesOf(rest)])).toEqual(text)
})

test('an image that was sent to one server is shown by the other', async () => {
  const sent = await sendForm(one, [...imageFields(), filePart()], one.admin)
  const productID = await makeProduct(one)
  await other.call(
    updateProduct,
    { productID, productImg: sent.data.filePath, isUpdateProductImg: true },
    { token: one.admin },
  )
  const { productImg } = await one.asAdmin(readProduct, { productID })
  const image = await fetch(new URL(productImg, bases[1]), { redirect: 'manual' })
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
})

describe('a package', () => {
  let links: string[]
  beforeAll(async () => {
    const [here, there] = bases.map((base) => makeTusClient(base, one.admin))
    if (!here || !there) throw new Error('two servers listen')
    const location = (await here.create(content.length)).headers.get('location') ?? ''
    // The larger part at one server, with a cut in the middle of a bite, the rest at the other.
    await here.patch(location, 0, content.subarray(0, 3 * megabyte))
    const rest = await there.patch(location, 3 * megabyte, content.subarray(3 * megabyte))
    const filePath = rest.headers.get(resumableUpload.filePathHeader) ?? ''
    const productID = await makeProduct(one)
    const files = [{ filePath, name: 'main.bin', sha256: sha256(content) }]
    const firmwareID = await makePackage(one, { name: 'x', productID, version: '1.0.0', files })
    const signer = makeLinkSigner(await loadKey(one.db, 'link'), one.clock)
    links = await Promise.all(
      bases.map(async (base) => {
        const deps = { db: one.db, files: { links: signer }, publicUrl: () => base }
        return (await firmwareFilesFor(deps, firmwareID))[0]?.url ?? ''
      }),
    )
  })

  test('that was uploaded at two servers is fetched by the same link as ever, from the store itself', async () => {
    const [link = ''] = links
    expect(link).toContain('/api/v1/oss/productManage/ota/')
    const sentOn = await fetch(link, { redirect: 'manual' })
    expect(sentOn.status).toBe(302)
    expect(sentOn.headers.get('location')).toMatch(new RegExp(`^${server.endpoint}/.*X-Amz-Signature=`))
    expect(sentOn.headers.get('cache-control')).toBe('no-store')
    expect(sha256(await bytesOf(await fetch(link)))).toBe(sha256(content))
    const part = await fetch(link, { headers: { range: `bytes=${8 * megabyte - 1}-${8 * megabyte}` } })
    expect([part.status, (await bytesOf(part)).equals(content.subarray(8 * megabyte - 1, 8 * megabyte + 1))]).toEqual([
      206,
      true,
    ])
    const head = await fetch(link, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)])
  })

  test('passes through the server where devices do not reach the store', async () => {
    const whole = await fetch(links[1] ?? '', { redirect: 'manual' })
    expect(whole.status).toBe(200)
    expect(whole.headers.get('etag')).toBe(`"${sha256(content)}"`)
    expect(sha256(await bytesOf(whole))).toBe(sha256(content))
    const part = await fetch(links[1] ?? '', { headers: { range: 'bytes=1-2' } })
    expect([part.status, await bytesOf(part)]).toEqual([206, content.subarray(1, 3)])
  })

  test('opens to nobody whose link was tampered with', async () => {
    const forged = (links[0] ?? '').replace(/sign=./, 'sign=_')
    expect((await fetch(forged, { redirect: 'manual' })).status).toBe(403)
  })
})

test('an upload that hangs at one server goes on at the other', async () => {
  const [here, there] = bases.map((base) => makeTusClient(base, one.admin))
  if (!here || !there) throw new Error('two servers listen')
  const location = (await here.create(6)).headers.get('location') ?? ''
  const end = await here.sendAndHang(location, 0, Buffer.from('abc'), 6)
  try {
    // However much of it has arrived, nothing is lost and nothing is there twice.
    await expect.poll(async () => (await there.head(location)).headers.get('upload-offset')).toBe('3')
    const rest = await there.patch(location, 3, Buffer.from('def'))
    expect(rest.headers.get('upload-offset')).toBe('6')
    const filePath = rest.headers.get(resumableUpload.filePathHeader)
    expect(await bytesOf(new Response(makeS3Files(place).read(`temp/${filePath}`) as never))).toEqual(
      Buffer.from('abcdef'),
    )
  } finally {
    end()
  }
})

test('uploads that nobody took go after a day', async () => {
  const files = makeS3Files(place)
  await sendForm(one, [...imageFields(), filePart()], one.admin)
  const clock = { now: () => Date.now() + 25 * 3_600_000 }
  expect(await dropOldUploads({ db: one.db, files, spool: files, clock })).toBeGreaterThan(0)
  for await (const { path } of files.list('temp')) expect.unreachable(path)
})

test('a server does not start on a store that refuses it', async () => {
  const wrong = { ...place, secretAccessKey: 'wrong' }
  await expect(openWorld({ databaseUrl: one.url, config: { s3: wrong } })).rejects.toThrow(
    'The file storage refuses access to bucket',
  )
})
