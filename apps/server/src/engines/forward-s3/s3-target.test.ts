import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { type SettingsOf, targetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeS3Files } from '#engines/s3-files/s3-files.ts'
import { type S3Server, startS3Server } from '#engines/s3-files/testing/s3-server.ts'
import { type ForwardMessage, type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { eventually } from '#testing/eventually.ts'
import { makeTestCertificate } from '../aedes/testing/test-certificate.ts'
import { type Gate, startGate } from '../forward-shared/testing/gate.ts'
import { tools, untilTheEnd } from '../forward-shared/testing/messages.ts'
import { startSilentServer } from '../forward-shared/testing/silent-server.ts'
import { message, messages, someTime } from '../forward-shared/testing/some-messages.ts'
import { openS3Target } from './s3-target.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.close())

const hour = 3_600_000

/** A folder of the bucket of its own. */
async function world(changes: Partial<SettingsOf<'s3'>> = {}, by = tools()) {
  const folder = randomUUID()
  const gate: Gate = await startGate(Number(new URL(server.endpoint).port))
  const place = server.place('')
  const settings = targetSettings.parse({
    ...{ type: 's3', endpoint: `http://127.0.0.1:${gate.port}`, bucket: place.bucket, prefix: `${folder}/` },
    ...{ accessKey: place.accessKeyId, secretKey: place.secretAccessKey, ...changes },
  }) as SettingsOf<'s3'>
  const target: ForwardTarget = openS3Target(settings, by)
  onTestFinished(() => target.close())
  const files = makeS3Files(place)
  return {
    gate,
    target,
    async keys(): Promise<string[]> {
      const found: string[] = []
      for await (const { path } of files.list(folder)) found.push(path.slice(folder.length + 1))
      return found
    },
    read: async (key: string): Promise<Buffer> => buffer(await files.read(`${folder}/${key}`)),
  }
}

const linesIn = (bytes: Buffer): string[] => gunzipSync(bytes).toString().trimEnd().split('\n')
const bodies = (list: ForwardMessage[]): string[] => list.map(({ body }) => body)
const away = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(TargetAway)
  return (error as TargetAway).message
}

test('messages arrive line by line, in a file for each hour', async () => {
  const { target, keys, read } = await world({ seconds: 60 })
  expect(target.gatherMs).toBe(60_000)
  const batch = messages(10)
  batch[4] = message(4, { time: someTime + hour })
  expect(await target.send(batch, untilTheEnd)).toEqual([])
  expect(await keys()).toEqual(['2026/11/18/08/m0-9.ndjson.gz', '2026/11/18/09/m4-1.ndjson.gz'])
  expect(linesIn(await read('2026/11/18/08/m0-9.ndjson.gz'))).toEqual(bodies(batch.filter(({ id }) => id !== 'm4')))
  expect(linesIn(await read('2026/11/18/09/m4-1.ndjson.gz'))).toEqual([message(4).body])
})

test('the same batch sent again is the same file, byte for byte', async () => {
  for (const format of ['ndjson', 'parquet'] as const) {
    const { target, keys, read } = await world({ format })
    await target.send(messages(5), untilTheEnd)
    const [key = ''] = await keys()
    const before = await read(key)
    await target.send(messages(5), untilTheEnd)
    expect(await keys()).toEqual([key])
    expect((await read(key)).equals(before)).toBe(true)
  }
})

test('a body of several lines is one line, and an odd id is a name', async () => {
  const { target, keys, read } = await world()
  const odd = message(1, { id: 'a/b c+é', body: '{\r\n  "a": 1\n}' })
  await target.send([odd], untilTheEnd)
  const [key = ''] = await keys()
  expect(key).toBe('2026/11/18/08/a%2Fb%20c%2B%C3%A9-1.ndjson.gz')
  expect(linesIn(await read(key)).map((line) => JSON.parse(line))).toEqual([{ a: 1 }])
})

test('as Parquet the messages are rows, whose text and time are read back', async () => {
  const { target, keys, read } = await world({ format: 'parquet' })
  // More than one row group.
  const batch = messages(4_500)
  batch[7] = message(7, { source: 'event', identifier: 'alert', deviceName: '设备', body: 'no "JSON"\n' })
  await target.send(batch, untilTheEnd)
  const [key = ''] = await keys()
  expect(key).toBe('2026/11/18/08/m0-4500.parquet')
  const bytes = await read(key)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  const rows = await parquetReadObjects({ file })
  expect(rows).toEqual(
    batch.map(({ time, id, source, productID, deviceName, identifier, body }) => ({
      ...{ time: new Date(time), id, source, product_id: productID, device_name: deviceName, identifier, body },
    })),
  )
})

test('what is too large for one file is written as several', async () => {
  const { target, keys, read } = await world()
  const batch = messages(5).map((one) => ({ ...one, body: 'x'.repeat(5 * 1024 * 1024) }))
  await target.send(batch, untilTheEnd)
  expect(await keys()).toEqual(['2026/11/18/08/m0-3.ndjson.gz', '2026/11/18/08/m3-2.ndjson.gz'])
  expect(linesIn(await read('2026/11/18/08/m3-2.ndjson.gz'))).toHaveLength(2)
})

test('a store that dies in the middle of a file leaves none, and has it once when it is back', async () => {
  const { target, gate, keys, read } = await world()
  const batch = messages(5).map((one) => ({ ...one, body: randomBytes(200_000).toString('base64') }))
  gate.breakAfter(500_000)
  expect(await away(target.send(batch, untilTheEnd))).toMatch(/^无法连接对象存储 http:\/\/127\.0\.0\.1:\d+：/)
  expect(await keys()).toEqual([])
  await gate.shut()
  expect(await away(target.send(batch, untilTheEnd))).toMatch(/^无法连接对象存储 .*：连接被拒绝$/)
  await gate.open()
  expect(await target.send(batch, untilTheEnd)).toEqual([])
  expect(await keys()).toEqual(['2026/11/18/08/m0-5.ndjson.gz'])
  expect(linesIn(await read('2026/11/18/08/m0-5.ndjson.gz'))).toEqual(bodies(batch))
})

test('an answer that gets lost leaves one file', async () => {
  const { target, gate, keys } = await world()
  gate.loseAnswer()
  expect(await away(target.send(messages(3), untilTheEnd))).toMatch(/^无法连接对象存储/)
  expect(await keys()).toHaveLength(1)
  await target.send(messages(3), untilTheEnd)
  expect(await keys()).toEqual(['2026/11/18/08/m0-3.ndjson.gz'])
})

test('what has to be put right at the store is told in words', async () => {
  const say = async (changes: Partial<SettingsOf<'s3'>>) =>
    away((await world(changes)).target.send([message(1)], untilTheEnd))
  expect(await say({ secretKey: 'wrong' })).toMatch(
    /^对象存储拒绝用 S3RVER 访问存储桶 ithings-files：.*（SignatureDoesNotMatch）$/,
  )
  expect(await say({ bucket: 'missing' })).toMatch(/^http:\/\/127\.0\.0\.1:\d+ 没有存储桶 missing$/)
  server.stumble(1, 503)
  expect(await say({})).toBe('对象存储返回 Stumbled：try again')
  server.stumble(1, 507)
  expect(await say({})).toBe('对象存储空间已满：try again（Stumbled）')
})

test('an address of the internal network is refused, as one and behind a name', async () => {
  const { gate } = await world()
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const { target } = await world({ endpoint: `http://${host}:${gate.port}` }, tools([]))
    const shown = host.replace(/[[\]]/g, '')
    expect(await away(target.send([message(1)], untilTheEnd))).toBe(
      `地址 ${shown} 属于内部网络，不允许访问（可由管理员在 WEBHOOK_ALLOW 中放行）`,
    )
  }
  expect(gate.connections()).toBe(0)
})

test('who ends the send or closes need not wait, and nothing stays open', async () => {
  const silent = await startSilentServer()
  const { target } = await world({ endpoint: `http://127.0.0.1:${silent.port}` })
  const ending = new AbortController()
  const sending = away(target.send([message(1)], ending.signal))
  await eventually(() => expect(silent.open()).toBe(1))
  ending.abort()
  expect(await sending).toBe('发送已停止')
  await eventually(() => expect(silent.open()).toBe(0))
  const again = away(target.send([message(1)], untilTheEnd))
  await eventually(() => expect(silent.open()).toBe(1))
  await target.close()
  expect(await again).toBe('发送已停止')
  await eventually(() => expect(silent.open()).toBe(0))
})

test('a store that says nothing is given up', async () => {
  const silent = await startSilentServer()
  const { target } = await world({ endpoint: `http://127.0.0.1:${silent.port}` }, tools(undefined, 200))
  expect(await away(target.send([message(1)], untilTheEnd))).toMatch(/^无法连接对象存储 .*no answer in 200 ms/)
  await eventually(() => expect(silent.open()).toBe(0))
})

test('over https, by a certificate of an authority of its own; without it nothing is sent', async () => {
  const { cert, key } = makeTestCertificate()
  const front = createTlsServer({ cert, key }, (near) => {
    const far = connect(Number(new URL(server.endpoint).port), '127.0.0.1')
    pipeline(near, far, () => undefined)
    pipeline(far, near, () => undefined)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  onTestFinished(async () => void front.close())
  const endpoint = `https://localhost:${(front.address() as AddressInfo).port}`
  const { target, keys, read } = await world({ endpoint, ca: cert.toString() })
  const batch = messages(3)
  expect(await target.send(batch, untilTheEnd)).toEqual([])
  const [file = ''] = await keys()
  expect(linesIn(await read(file))).toEqual(bodies(batch))
  const stranger = await world({ endpoint })
  expect(await away(stranger.target.send(batch, untilTheEnd))).toContain(endpoint)
  expect(await stranger.keys()).toEqual([])
})
