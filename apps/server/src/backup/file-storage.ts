/** Where stored files lie, as backups and restores see it: relative paths with slashes, on a disk or in S3. */
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { inside } from '#engines/disk-files/inside.ts'
import { makeS3Files } from '#engines/s3-files/s3-files.ts'
import type { S3Place } from '#engines/s3-files/s3-place.ts'
import { partFolder } from '#ports/files.ts'
import { patientRename } from '#ports/patient-rename.ts'
import { keyName } from '#secret-key/key-file.ts'
import { damaged } from './format.ts'

export interface FilesPlace {
  filesDir: string
  /** The same folder or another one: what the server keeps there is no stored file. */
  dataDir: string
  /** Files lie there instead. */
  s3?: S3Place | undefined
}

export interface FileStorage {
  /** For people. */
  title: Phrase
  /** Without what a restore has put aside. */
  list(): AsyncGenerator<string>
  /** undefined: it is gone. */
  open(path: string): Promise<AsyncIterable<Buffer> | undefined>
  has(path: string): Promise<boolean>
  write(path: string, content: AsyncIterable<Buffer>): Promise<void>
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Takes out what restores have put aside, also those that were killed. */
  clear(): Promise<void>
}

/** Folders of restores begin so. */
export const stagingPrefix = '.restore-'
const serverNames = ['postgres', 'postgres.location', 'mqtt']

/** However two paths are spelled, in capitals or through links. */
async function isSame(one: string, other: string): Promise<boolean> {
  const look = (path: string) => stat(path, { bigint: true }).catch(() => undefined)
  const [a, b] = await Promise.all([look(one), look(other)])
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}

/** Not stored files: half-written ones, a restore on its way, and what else lies in DATA_DIR. */
async function isForeign({ filesDir, dataDir }: FilesPlace, path: string, name: string): Promise<boolean> {
  if (name === partFolder || name.startsWith(stagingPrefix)) return true
  const lower = name.toLowerCase()
  // Keys that a restore put aside too.
  const own = lower.startsWith(keyName) ? lower : serverNames.find((one) => one === lower)
  return own !== undefined && isSame(join(filesDir, path), join(dataDir, own))
}

const ifThere = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

async function* listFolder(place: FilesPlace, below = ''): AsyncGenerator<string> {
  const folder = await opendir(join(place.filesDir, below)).catch(ifThere)
  if (!folder) return
  for await (const entry of folder) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (await isForeign(place, path, entry.name)) continue
    if (entry.isDirectory()) yield* listFolder(place, path)
    else if (entry.isFile()) yield path
  }
}

function diskStorage(place: FilesPlace): FileStorage {
  const base = resolve(place.filesDir)
  /** The file was written by this program, yet nothing it says may lead out of the folder. */
  const full = (path: string): string => {
    const found = inside(base, path)
    if (found === undefined || path.split('/').includes('..'))
      throw damaged(phrase('其中有路径为 {path} 的文件', { path }))
    return found
  }
  const roomFor = async (path: string): Promise<string> => {
    const target = full(path)
    await mkdir(dirname(target), { recursive: true })
    return target
  }
  return {
    title: phrase('存储文件的文件夹 {folder}', { folder: place.filesDir }),
    list: () => listFolder(place),
    async open(path) {
      const handle = await open(full(path), 'r').catch(ifThere)
      // The stream closes the handle, at its end and when it is given up.
      return handle?.createReadStream({ highWaterMark: 256 * 1024 })
    },
    has: async (path) => (await stat(full(path)).catch(() => undefined)) !== undefined,
    async write(path, content) {
      await pipeline(content, createWriteStream(await roomFor(path), { flush: true }))
    },
    move: async (from, to) => patientRename(full(from), await roomFor(to)),
    remove: (path) => rm(full(path), { force: true }),
    async clear() {
      for (const name of await readdir(base).catch(() => [])) {
        if (name.startsWith(stagingPrefix)) await rm(join(base, name), { recursive: true, force: true })
      }
    },
  }
}

function s3Storage(place: S3Place): FileStorage {
  const files = makeS3Files(place)
  const checked = (path: string): string => {
    if (
      inside('/', path, 'linux') === undefined ||
      path.split('/').some((name) => name === '' || /^\.\.?$/.test(name))
    ) {
      throw damaged(phrase('其中有路径为 {path} 的文件', { path }))
    }
    return path
  }
  return {
    title: phrase('文件存储 s3://{bucket}/{prefix}', { bucket: place.bucket, prefix: place.prefix }),
    async *list() {
      for await (const { path } of files.list('')) if (!path.startsWith(stagingPrefix)) yield path
    },
    open: async (path) => ((await files.stat(checked(path))) ? files.read(path) : undefined),
    has: async (path) => (await files.stat(checked(path))) !== undefined,
    async write(path, content) {
      await files.write(checked(path), Readable.from(content), Number.POSITIVE_INFINITY)
    },
    move: (from, to) => files.move(checked(from), checked(to)),
    remove: (path) => files.remove(checked(path)),
    async clear() {
      for await (const { path } of files.list('')) if (path.startsWith(stagingPrefix)) await files.remove(path)
    },
  }
}

export const storageOf = (place: FilesPlace): FileStorage => (place.s3 ? s3Storage(place.s3) : diskStorage(place))
