import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addressOf, elements, textOf } from '#engines/s3-shared/s3-wire.ts'
import { broken, filesContract } from '#ports/testing/files-contract.ts'
import { checkStore } from './check-store.ts'
import { makeS3Files } from './s3-files.ts'
import { type S3Server, startS3Server } from './testing/s3-server.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())

const megabyte = 1024 * 1024
const open = () => makeS3Files(server.place(randomUUID()))
/** Where nobody listens. */
async function closedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  await once(listener, 'close')
  return port
}
const some = (content = 'abc') => Readable.from([content])

filesContract(async () => {
  const place = server.place(randomUUID())
  return { files: makeS3Files(place), elsewhere: makeS3Files(place) }
})

test('a store without a folder holds the whole bucket', async () => {
  const files = makeS3Files(server.place(''))
  await files.write(`${randomUUID()}/a`, some(), 10)
  const paths: string[] = []
  for await (const { path } of files.list('')) paths.push(path)
  expect(paths.length).toBeGreaterThan(0)
})

test('more files than fit on one page are all listed', async () => {
  const files = open()
  for (let n = 0; n < 1_005; n++) await files.write(`many/${n}`, Readable.from([]), 0)
  let count = 0
  for await (const _ of files.list('many')) count++
  expect(count).toBe(1_005)
})

test('large content that breaks off is given up at the store', async () => {
  await expect(open().write('a', broken(Buffer.alloc(20 * megabyte)), 99 * megabyte)).rejects.toThrow('connection lost')
  expect(await server.begun()).toEqual([])
})

describe('a store that stumbles', () => {
  test.each([500, 503, 429])('with %i is asked again', async (status) => {
    const files = open()
    server.stumble(2, status)
    await files.write('a', some(), 10)
    server.stumble(1, status)
    expect(await text(files.read('a'))).toBe('abc')
  })

  test('for long is said to be away, with 503', async () => {
    const away = makeS3Files(server.place('x', { endpoint: `http://127.0.0.1:${await closedPort()}` }))
    await expect(away.stat('a')).rejects.toMatchObject({ code: 100007, status: 503 })
    await expect(away.write('a', some(), 10)).rejects.toMatchObject({ message: '文件存储暂时不可用，请稍后再试' })
  })

  test('because it is full is said to be full', async () => {
    server.stumble(4, 507)
    await expect(open().write('a', some(), 10)).rejects.toMatchObject({ code: 900003 })
  })
})

describe('a link of the store', () => {
  const publicPlace = () => server.place(randomUUID(), { publicEndpoint: server.endpoint })
  const wish = { method: 'GET' as const, seconds: 600, name: 'main.bin' }

  test('opens one file, whole or in part, without any key', async () => {
    const files = makeS3Files(publicPlace())
    await files.write('a b/设备.bin', some('firmware'), 10)
    const link = await files.link('a b/设备.bin', wish)
    const whole = await fetch(link ?? '')
    expect(await whole.text()).toBe('firmware')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="main.bin"')
    expect(whole.headers.get('content-type')).toBe('application/octet-stream')
    const part = await fetch(link ?? '', { headers: { range: 'bytes=4-5' } })
    expect([part.status, await part.text()]).toEqual([206, 'wa'])
    const head = await fetch((await files.link('a b/设备.bin', { ...wish, method: 'HEAD' })) ?? '', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '8'])
  })

  test('opens nothing else, for nothing else, and not for ever', async () => {
    const files = makeS3Files(publicPlace())
    for (const path of ['a', 'b']) await files.write(path, some(), 10)
    const link = new URL((await files.link('a', wish)) ?? '')
    expect((await fetch(link, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(String(link).replace('/a?', '/b?'))).status).toBe(403)
    expect((await fetch((await files.link('a', { ...wish, seconds: 0 })) ?? '')).status).toBe(403)
  })

  test('carries any name', async () => {
    const link = new URL((await makeS3Files(publicPlace()).link('a', { ...wish, name: '泵 "1".bin' })) ?? '')
    expect(link.searchParams.get('response-content-disposition')).toBe(
      "attachment; filename*=UTF-8''%E6%B3%B5%20%221%22.bin",
    )
  })

  test('there is none unless devices reach the store', async () => {
    expect(await open().link('a', wish)).toBeUndefined()
  })
})

describe('at the start', () => {
  const refusal = (changes: Parameters<S3Server['place']>[1]) =>
    checkStore(server.place('x', changes)).catch((error: Error) => error.message)

  test('a store that works is accepted, and nothing is left in it', async () => {
    const place = server.place(randomUUID())
    await checkStore(place)
    for await (const { path } of makeS3Files(place).list('')) expect.unreachable(path)
  })

  test('what is wrong is one sentence', async () => {
    expect(await refusal({ secretAccessKey: 'wrong' })).toMatch(
      /^The file storage refuses access to bucket \S+ with S3RVER: .*SignatureDoesNotMatch/,
    )
    expect(await refusal({ accessKeyId: 'nobody' })).toMatch(
      /^The file storage refuses access to bucket \S+ with nobody: .*InvalidAccessKeyId/,
    )
    expect(await refusal({ url: 's3://another-bucket' })).toMatch(/^There is no bucket another-bucket at http:/)
    const endpoint = `http://127.0.0.1:${await closedPort()}`
    expect(await refusal({ endpoint })).toContain(`The file storage cannot be reached: ${endpoint} does not answer`)
  })
})

test('names with marks of their own are read from the answers of the store', () => {
  const xml = '<Contents><Key>a&amp;b &lt;c&gt; &#34;&#x41;&quot;</Key><Size>3</Size></Contents><Contents/>'
  expect(elements(xml, 'Contents')).toHaveLength(1)
  expect(textOf(xml, 'Key')).toBe('a&b <c> "A"')
  expect(textOf(xml, 'None')).toBe('')
})

describe('settings', () => {
  test('keys may come from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ithings-keys-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const credentialsFile = join(folder, 'credentials')
    const lines = [
      '[default]',
      'aws_access_key_id = S3RVER',
      'aws_secret_access_key=S3RVER',
      '[other]',
      'aws_access_key_id = x',
    ]
    await writeFile(credentialsFile, lines.join('\n'))
    const none = { accessKeyId: undefined, secretAccessKey: undefined }
    await checkStore(server.place('x', { ...none, credentialsFile }))
    await writeFile(credentialsFile, 'something else')
    expect(() => server.place('x', { ...none, credentialsFile })).toThrow('must hold the lines aws_access_key_id')
    expect(() => server.place('x', none)).toThrow('FILES_URL needs S3_ACCESS_KEY_ID')
  })

  test.each(['http://bucket', 's3://', 's3://B', 'files'])('%s is no FILES_URL', (url) => {
    expect(() => server.place('x', { url })).toThrow('FILES_URL must look like s3://bucket')
  })

  test('the bucket is in the path, unless the host is named by it', () => {
    expect(addressOf('https://minio:9000', 'files')).toBe('https://minio:9000/files')
    expect(addressOf('https://store.example/base/', 'files')).toBe('https://store.example/base/files')
    expect(addressOf('https://files.oss.example', 'files')).toBe('https://files.oss.example')
  })
})
