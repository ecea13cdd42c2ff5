/** The files port on a local folder. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { Files } from '#ports/files.ts'

const partFolder = '.part'

/** Counts, hashes and refuses in passing, so that a large file never lies in memory. */
function makeMeter(maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) {
        done(new AppError(errors.outOfRange, { msg: `文件超过 ${Math.floor(maxBytes / 1024 / 1024)} MB 的上限` }))
        return
      }
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ size, sha256: hash.digest('hex') }) }
}

function explain(cause: unknown): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError(errors.quota, { msg: '存储空间已满', cause })
  return cause
}

/** A rename alone may survive a power cut with empty content. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function makeDiskFiles(root: string): Files {
  const base = resolve(root)

  /** Paths come from callers: nothing outside of the folder can be named. */
  const place = (path: string): string => {
    const full = resolve(base, path)
    if (full === base || !full.startsWith(base + sep)) {
      throw new AppError(errors.parameter, { detail: '文件路径不正确' })
    }
    return full
  }

  return {
    async write(path, content, maxBytes) {
      const target = place(path)
      const part = join(base, partFolder, randomUUID())
      const meter = makeMeter(maxBytes)
      await mkdir(dirname(part), { recursive: true })
      try {
        await pipeline(content, meter.stream, createWriteStream(part))
        await syncFile(part)
        await mkdir(dirname(target), { recursive: true })
        await rename(part, target)
      } catch (cause) {
        await rm(part, { force: true })
        throw explain(cause)
      }
      return meter.result()
    },
    read: (path, range) => createReadStream(place(path), range),
    async stat(path) {
      const found = await stat(place(path)).catch(() => undefined)
      return found?.isFile() ? { size: found.size, modifiedAt: found.mtimeMs } : undefined
    },
    async move(from, to) {
      const target = place(to)
      await mkdir(dirname(target), { recursive: true })
      await rename(place(from), target).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') throw new AppError(errors.notFound, { detail: `文件 ${from} 不存在` })
        throw cause
      })
    },
    remove: (path) => rm(place(path), { force: true }),
    async olderThan(folder, time) {
      const entries = await readdir(place(folder), { recursive: true, withFileTypes: true }).catch(() => [])
      const old: string[] = []
      for (const entry of entries.filter((one) => one.isFile())) {
        const full = join(entry.parentPath, entry.name)
        const found = await stat(full).catch(() => undefined)
        if (found && found.mtimeMs < time) old.push(relative(base, full).split(sep).join('/'))
      }
      return old
    },
  }
}
