/** The files port on a local folder. */

import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type ArrivingFiles, type Files, type ListedFile, partFolder } from '#ports/files.ts'
import { patientRename } from '#ports/patient-rename.ts'
import { inside } from './inside.ts'

/** Large files are copied and hashed in bites that hold the event loop for about a millisecond. */
const biteBytes = 256 * 1024

/** Looks at content in passing, so that a large file never lies in memory. */
const passing = (look: (chunk: Buffer) => void) =>
  async function* (source: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
    for await (const one of source) {
      const chunk = typeof one === 'string' ? Buffer.from(one) : one
      look(chunk)
      yield chunk
    }
  }

function makeLimit(maxBytes: number) {
  let size = 0
  return {
    size: () => size,
    count(chunk: Buffer) {
      size += chunk.length
      if (size > maxBytes) {
        throw new AppError(errors.outOfRange, {
          msg: phrase('文件超过 {megabytes} MB 的上限', { megabytes: Math.floor(maxBytes / 1024 / 1024) }),
        })
      }
    },
  }
}

function explain(cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'ENOENT') return new AppError(errors.notFound, { detail: phrase('文件不存在或已被删除'), cause })
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError(errors.quota, { msg: phrase('存储空间已满'), cause })
  return cause
}

/** A rename alone may survive a power cut with empty content. Windows syncs only what could be written to. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function settle(part: string, target: string): Promise<void> {
  await syncFile(part)
  await mkdir(dirname(target), { recursive: true })
  await patientRename(part, target)
}

const partIn = (base: string): string => join(base, partFolder, randomUUID())

/** Content becomes visible under its name when all of it is on the disk. */
async function store(
  base: string,
  /** Opened when there is somebody who hears of its errors. */
  content: () => Readable,
  look: (chunk: Buffer) => void,
  target: () => string,
): Promise<void> {
  const part = partIn(base)
  await mkdir(dirname(part), { recursive: true })
  try {
    await pipeline(content(), passing(look), createWriteStream(part, { mode: 0o600 }))
    await settle(part, target())
  } catch (cause) {
    await rm(part, { force: true })
    throw explain(cause)
  }
}

/** The name of the copy may depend on its digests. */
async function copyHashed(
  base: string,
  source: string,
  place: (path: string) => string,
  name: Parameters<Files['copy']>[1],
): ReturnType<Files['copy']> {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  let size = 0
  let made = { path: '', md5: '', sha256: '' }
  const look = (chunk: Buffer) => {
    size += chunk.length
    md5.update(chunk)
    sha256.update(chunk)
  }
  const target = () => {
    const digests = { md5: md5.digest('hex'), sha256: sha256.digest('hex') }
    made = { ...digests, path: name(digests) }
    return place(made.path)
  }
  await store(base, () => createReadStream(source, { highWaterMark: biteBytes }), look, target)
  return { ...made, size }
}

/** A file of this machine becomes ours; one of another disk is copied. */
async function adopt(base: string, machinePath: string, target: string): Promise<void> {
  try {
    await settle(machinePath, target)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw explain(cause)
    const part = partIn(base)
    await copyFile(machinePath, part).catch((failure: unknown) => {
      throw explain(failure)
    })
    await settle(part, target)
    await rm(machinePath, { force: true })
  }
}

/** A folder that is not there has nothing. */
async function* listBelow(base: string, folder: string): AsyncGenerator<ListedFile> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    const found = await stat(full).catch(() => undefined)
    if (found) yield { path: relative(base, full).split(sep).join('/'), size: found.size, modifiedAt: found.mtimeMs }
  }
}

/** The file itself, which grows where it lies; servers that share the folder share it. */
function makeArriving(place: (path: string) => string): ArrivingFiles {
  return {
    async append(path, content, position) {
      const target = place(path)
      const flags = constants.O_WRONLY | constants.O_CREAT
      try {
        await mkdir(dirname(target), { recursive: true })
        const handle = await open(target, flags, 0o600)
        await pipeline(content, handle.createWriteStream({ start: position }))
      } catch (cause) {
        throw explain(cause)
      }
    },
    size: async (path) => (await stat(place(path)).catch(() => undefined))?.size ?? 0,
    async finish(path, to) {
      await settle(place(path), place(to)).catch((cause: unknown) => {
        throw explain(cause)
      })
    },
    remove: (path) => rm(place(path), { force: true }),
  }
}

export function makeDiskFiles(root: string): Files {
  const base = resolve(root)

  /** Paths come from callers: nothing outside of the folder can be named. */
  const place = (path: string): string => {
    const full = inside(base, path)
    if (full === undefined) throw refusal(errors.parameter, '文件路径不正确')
    return full
  }

  return {
    async write(path, content, maxBytes) {
      const target = place(path)
      const limit = makeLimit(maxBytes)
      await store(
        base,
        () => content,
        limit.count,
        () => target,
      )
      return { size: limit.size() }
    },
    copy: async (from, name) => copyHashed(base, place(from), place, name),
    adopt: async (machinePath, path) => adopt(base, machinePath, place(path)),
    read: (path, range) => createReadStream(place(path), range),
    async stat(path) {
      const found = await stat(place(path)).catch(() => undefined)
      return found?.isFile() ? { size: found.size, modifiedAt: found.mtimeMs } : undefined
    },
    async move(from, to) {
      const target = place(to)
      await mkdir(dirname(target), { recursive: true })
      await patientRename(place(from), target).catch((cause: unknown) => {
        throw explain(cause)
      })
    },
    remove: (path) => rm(place(path), { force: true }),
    list: (folder) => listBelow(base, folder === '' ? base : place(folder)),
    async room() {
      await mkdir(base, { recursive: true })
      const { bavail, bsize } = await statfs(base)
      return bavail * bsize
    },
    link: async () => undefined,
    arriving: makeArriving(place),
  }
}
