/**
 * A server of its own process takes and gives large packages: its memory must not follow their size. How little it takes
 * is measured by `bench -- ota`; here collecting garbage may be late on a busy machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setInterval } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { createUploadUrl, resumableUpload, uploadFile } from '@ithings/contract/features/files.ts'
import { createFirmware, readFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { login } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeTusClient, otaFields } from '#features/files/testing/tus.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { size } from '#testing/size.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'

const megabyte = 1024 * 1024
const sampleMs = 50
/** More than the memory that it may take. */
const packageMegabytes = size(110, 1_000)
const most = 100 * megabyte
const main = fileURLToPath(new URL('../../../main.ts', import.meta.url))

let database: ScratchDatabase
let filesDir: string
let server: ChildProcess & { stdout: Readable }
let base: string
let token = ''

beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-files-'))
  const env = {
    ...process.env,
    LC_ALL: 'C',
    DATABASE_URL: database.url,
    FILES_DIR: filesDir,
    DATA_DIR: filesDir,
    HOST: '127.0.0.1',
    PORT: '0',
    MQTT_PORT: '0',
    CAPTCHA: 'off',
    ADMIN_PASSWORD: adminPassword,
    LOG_LEVEL: 'error',
  }
  server = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(server.stdout)) {
    base = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    if (base) break
  }
  server.stdout.resume()
  token = (await call(login, { account: adminName, password: adminPassword, pwdType: 1, loginType: 'pwd' })).token
    .accessToken
})
afterAll(async () => {
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(filesDir, { recursive: true, force: true })
  await database.drop()
})

async function call<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>> {
  const response = await fetch(new URL(endpoint.path, base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'iThings-token': token },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { code: number; msg: string; data: DataOf<E> }
  if (answer.code !== 200) throw new Error(`${endpoint.path}: ${answer.code} ${answer.msg}`)
  return answer.data
}

async function memory(): Promise<number> {
  // Packing what is asked for so often would be a good part of the work.
  const text = await (await fetch(`${base}/metrics`, { headers: { 'accept-encoding': 'identity' } })).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1])
}

/** The highest that was seen while the work went on. */
async function peakDuring<T>(work: Promise<T>): Promise<{ peak: number; result: T }> {
  let peak = 0
  let running = true
  const done = work.finally(() => {
    running = false
  })
  const watch = async () => {
    for await (const _ of setInterval(sampleMs)) {
      peak = Math.max(peak, await memory())
      if (!running) return
    }
  }
  const [result] = await Promise.all([done, watch()])
  return { peak: Math.max(peak, await memory()), result }
}

/** The same bytes each time, never all of them at once. */
function* pieces(size: number): Generator<Uint8Array> {
  for (let at = 0, seed = 1; at < size; at += megabyte, seed++) {
    yield new Uint8Array(Math.min(megabyte, size - at)).fill(seed % 251)
  }
}
const streamOf = (parts: Iterable<Uint8Array>): RequestInit => ({ body: ReadableStream.from(parts), duplex: 'half' })

function digestOf(size: number): string {
  const hash = createHash('sha256')
  for (const piece of pieces(size)) hash.update(piece)
  return hash.digest('hex')
}

async function resumable(size: number): Promise<string> {
  const created = await makeTusClient(base, token).create(size, otaFields())
  const sent = await fetch(new URL(created.headers.get('location') ?? '', base), {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'iThings-token': token,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    ...streamOf(pieces(size)),
  })
  return sent.headers.get(resumableUpload.filePathHeader) ?? (await sent.text())
}

const place = { business: 'productManage', scene: 'ota', filePath: 'main.bin' }

async function byAddress(size: number): Promise<string> {
  const { filePath, uploadUri } = await call(createUploadUrl, place)
  const headers = { 'content-type': 'application/octet-stream' }
  await fetch(new URL(uploadUri, base), { method: 'PUT', headers, ...streamOf(pieces(size)) })
  return filePath
}

async function byForm(size: number): Promise<string> {
  const boundary = 'a-boundary'
  const text = (part: string) => new TextEncoder().encode(part)
  function* form() {
    for (const [name, value] of Object.entries(place)) {
      yield text(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    }
    yield text(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="main.bin"\r\n\r\n`)
    yield* pieces(size)
    yield text(`\r\n--${boundary}--\r\n`)
  }
  const response = await fetch(new URL(uploadFile.path, base), {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'iThings-token': token },
    ...streamOf(form()),
  })
  return ((await response.json()) as { data: { filePath: string } }).data.filePath
}

let made = 0
let patch = 0
/** Up, into a package, and down again. @returns the digest of what came back */
async function roundTrip(productID: string, upload: (size: number) => Promise<string>, size: number): Promise<string> {
  const files = [{ filePath: await upload(size), name: 'main.bin', sha256: digestOf(size) }]
  const { firmwareID } = await call(createFirmware, { name: '大包', productID, version: `1.0.${++patch}`, files })
  const [file] = (await call(readFirmware, { firmwareID })).files
  const hash = createHash('sha256')
  const response = await fetch(new URL(file?.uri ?? '', base))
  for await (const chunk of response.body ?? []) hash.update(chunk)
  return hash.digest('hex')
}

test.each([
  [packageMegabytes, 'resumable', resumable],
  [packageMegabytes, 'upload address', byAddress],
  [packageMegabytes, 'form', byForm],
])('a package of %d MB goes up by %s and comes down with less than 100 MB of memory', async (megabytes, _, upload) => {
  const { productID } = await call(createProduct, { productName: `泵 ${++made}` })
  // What every first call costs, and the size that buffers settle at.
  await roundTrip(productID, upload, 20 * megabyte)
  const before = await memory()
  const bytes = megabytes * megabyte
  const { peak, result } = await peakDuring(roundTrip(productID, upload, bytes))
  expect(result).toBe(digestOf(bytes))
  expect(peak - before).toBeLessThan(most)
})
