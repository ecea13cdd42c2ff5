/** The files port on a bucket of any S3 store: what one server stores, all others have. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { ArrivingFiles, ByteRange, Files, LinkWish } from '#ports/files.ts'
import { biteBytes, bitesOf, emptyBite } from './bites.ts'
import { makeS3Client, type S3Client, S3Error } from './s3-client.ts'
import { makeS3Objects, type S3Objects } from './s3-objects.ts'
import type { S3Place } from './s3-place.ts'

function explain(cause: unknown): unknown {
  if (!(cause instanceof S3Error)) return cause
  const { status, code } = cause
  if (status === 404) return new AppError(errors.notFound, { detail: phrase('文件不存在或已被删除'), cause })
  if (status === 507 || /Full|Quota/.test(code))
    return new AppError(errors.quota, { msg: phrase('存储空间已满'), cause })
  if (status === 412) return new AppError(errors.ongoing, { msg: phrase('文件正在被修改，请重新上传'), cause })
  if (status !== 0 && status < 500) return cause
  return new AppError(errors.system, { msg: phrase('文件存储暂时不可用，请稍后再试'), status: 503, cause })
}

const told = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    throw explain(cause)
  })

/** Paths come from callers: nothing outside of the prefix can be named, and no two spellings name one object. */
export function keyOf(path: string): string {
  const names = path.split('/')
  if (path.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..')) {
    throw refusal(errors.parameter, '文件路径不正确')
  }
  return path
}

/** What is smaller than one bite is put at once, so that a reader never sees half of it either way. */
async function write(objects: S3Objects, key: string, content: Readable, maxBytes: number): Promise<number> {
  let size = 0
  const limited = async function* () {
    for await (const bite of bitesOf(content)) {
      size += bite.bytes.length
      if (size > maxBytes) {
        throw new AppError(errors.outOfRange, {
          msg: phrase('文件超过 {megabytes} MB 的上限', { megabytes: Math.floor(maxBytes / 1024 / 1024) }),
        })
      }
      yield bite
    }
  }
  const bites = limited()
  const first = await bites.next()
  const second = first.done ? first : await bites.next()
  if (second.done) {
    await objects.put(key, first.value ?? emptyBite())
    return size
  }
  await objects.multipart(key, async (uploadId) => {
    const tags: string[] = []
    for (const bite of [first.value, second.value]) {
      if (bite) tags.push(await objects.putPart(key, uploadId, tags.length + 1, bite))
    }
    for await (const bite of bites) tags.push(await objects.putPart(key, uploadId, tags.length + 1, bite))
    return tags
  })
  return size
}

async function* contentOf(objects: S3Objects, key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  const response = await objects.get(key, range).catch((cause: unknown) => {
    // Of an empty file there is no range at all.
    if (cause instanceof S3Error && cause.status === 416) return undefined
    throw explain(cause)
  })
  if (response?.body) yield* response.body
}

/** Read once for its digests; the copy is made within the store, of exactly the version that was read. */
async function copy(objects: S3Objects, from: string, name: Parameters<Files['copy']>[1]): ReturnType<Files['copy']> {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let size = 0
  const response = await objects.get(from)
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    md5.update(chunk)
    sha256.update(chunk)
  }
  const digests = { md5: md5.digest('hex'), sha256: sha256.digest('hex') }
  const path = name(digests)
  await objects.copy(from, keyOf(path), response.headers.get('etag'))
  return { ...digests, path, size }
}

/**
 * Bite number n of a file that arrives is an object of its own, so that any server goes on where another one stopped.
 * All but the last are full: a bite that a cut left short is read and written again with what follows.
 */
function makeArriving(objects: S3Objects): ArrivingFiles {
  const biteKey = (path: string, n: number) => `${keyOf(path)}.${String(n).padStart(6, '0')}`

  /** Keys of the bites from the first one on without a gap, and how many bytes they are. */
  async function bitesThere(path: string): Promise<{ keys: string[]; size: number }> {
    const keys: string[] = []
    let size = 0
    for await (const bite of objects.list(`${keyOf(path)}.`)) {
      if (size !== keys.length * biteBytes || bite.path !== biteKey(path, keys.length)) break
      keys.push(bite.path)
      size += bite.size
    }
    return { keys, size }
  }

  async function startOf(key: string, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0)
    const response = await objects.get(key, { start: 0, end: length - 1 })
    return Buffer.from(await response.arrayBuffer())
  }

  return {
    async append(path, content, position) {
      let n = Math.floor(position / biteBytes)
      const first = await told(startOf(biteKey(path, n), position % biteBytes))
      for await (const bite of bitesOf(content, first)) await told(objects.put(biteKey(path, n++), bite))
    },
    size: async (path) => (await told(bitesThere(path))).size,
    async finish(path, to) {
      const { keys } = await told(bitesThere(path))
      const [only] = keys
      if (keys.length > 1) await told(objects.join(keys, keyOf(to)))
      else if (only) await told(objects.copy(only, keyOf(to)))
      else throw refusal(errors.notFound, '文件不存在或已被删除')
      for (const key of keys) await told(objects.remove(key))
    },
    async remove(path) {
      for await (const bite of objects.list(`${keyOf(path)}.`)) await told(objects.remove(bite.path))
    },
  }
}

/** Names in plain ASCII as they are, so that clients of devices understand them. */
const dispositionOf = (name: string): string =>
  /^[\w .-]+$/.test(name)
    ? `attachment; filename="${name}"`
    : `attachment; filename*=UTF-8''${encodeURIComponent(name)}`

async function link({ publicAddress, presign }: S3Client, key: string, wish: LinkWish): Promise<string | undefined> {
  if (publicAddress === undefined) return undefined
  return presign(publicAddress, wish.method, key, {
    'X-Amz-Expires': String(wish.seconds),
    'response-content-type': 'application/octet-stream',
    ...(wish.name !== '' && { 'response-content-disposition': dispositionOf(wish.name) }),
  })
}

export function makeS3Files(place: S3Place): Files {
  const client = makeS3Client(place)
  const objects = makeS3Objects(client)
  const files: Files = {
    write: async (path, content, maxBytes) => ({ size: await told(write(objects, keyOf(path), content, maxBytes)) }),
    copy: async (from, name) => told(copy(objects, keyOf(from), name)),
    async adopt(machinePath, path) {
      await files.write(path, createReadStream(machinePath), Number.POSITIVE_INFINITY)
      await rm(machinePath, { force: true })
    },
    read: (path, range) => Readable.from(contentOf(objects, keyOf(path), range), { objectMode: false }),
    stat: async (path) => told(objects.stat(keyOf(path))),
    async move(from, to) {
      await told(objects.copy(keyOf(from), keyOf(to)))
      await told(objects.remove(from))
    },
    remove: async (path) => told(objects.remove(keyOf(path))),
    list: (folder) => objects.list(folder === '' ? '' : `${keyOf(folder)}/`),
    room: async () => Number.POSITIVE_INFINITY,
    link: (path, wish) => link(client, keyOf(path), wish),
    arriving: makeArriving(objects),
  }
  return files
}
