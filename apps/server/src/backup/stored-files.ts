/** The stored files (FILES_DIR) as a backup sees them: relative paths with slashes. */
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, opendir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inside as insideOf } from '#engines/disk-files/inside.ts'
import { partFolder } from '#ports/files.ts'
import { patientRename } from '#ports/patient-rename.ts'
import { keyName } from '#secret-key/key-file.ts'
import { damaged } from './format.ts'
import { makeKeyStaging } from './secret-key.ts'
import type { OpenPart } from './write-archive.ts'

export interface FilesPlace {
  filesDir: string
  /** The same folder or another one: what the server keeps there is no stored file. */
  dataDir: string
}

const stagingPrefix = '.restore-'
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

export async function* listFiles(place: FilesPlace, below = ''): AsyncGenerator<string> {
  const folder = await opendir(join(place.filesDir, below)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!folder) return
  for await (const entry of folder) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (await isForeign(place, path, entry.name)) continue
    if (entry.isDirectory()) yield* listFiles(place, path)
    else if (entry.isFile()) yield path
  }
}

/** A file that somebody deleted since the listing is left out: its row is on its way out too. */
export async function* fileParts(place: FilesPlace, onGone: (path: string) => void): AsyncGenerator<OpenPart> {
  for await (const path of listFiles(place)) {
    const handle = await open(join(place.filesDir, path), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    // The stream closes the handle, at its end and when it is given up.
    if (handle) yield { part: { kind: 'file', path }, content: handle.createReadStream({ highWaterMark: 256 * 1024 }) }
    else onGone(path)
  }
}

export interface Staging {
  add(path: string, content: AsyncIterable<Buffer>): Promise<void>
  addKey(content: AsyncIterable<Buffer>): Promise<void>
  /** Puts what takes no other file's place there; a failure afterwards is undone by `drop`. */
  placeNew(): Promise<void>
  /** Puts the rest in place and removes what the backup does not have. */
  finish(): Promise<void>
  drop(): Promise<void>
}

/** Restored files wait beside the stored ones until the database is about to commit: then it takes renames only. */
export async function openStaging(place: FilesPlace, say: (line: string) => void): Promise<Staging> {
  const base = resolve(place.filesDir)
  await mkdir(base, { recursive: true })
  // Of a restore that was killed; two at a time there are none, the database sees to that.
  for (const name of await readdir(base)) {
    if (name.startsWith(stagingPrefix)) await rm(join(base, name), { recursive: true, force: true })
  }
  const staging = await mkdtemp(join(base, stagingPrefix))
  const paths = new Set<string>()
  const placed: string[] = []
  const key = makeKeyStaging(place.dataDir, say)

  /** The file was written by this program, yet nothing it says may lead out of the folder. */
  const inside = (folder: string, path: string): string => {
    const full = insideOf(folder, path)
    if (full === undefined) throw damaged(`it holds a file with the path ${path}`)
    return full
  }
  const put = async (path: string) => {
    const target = inside(base, path)
    await mkdir(dirname(target), { recursive: true })
    await patientRename(inside(staging, path), target)
  }

  return {
    async add(path, content) {
      inside(base, path)
      const target = inside(staging, path)
      await mkdir(dirname(target), { recursive: true })
      await pipeline(content, createWriteStream(target, { flush: true }))
      paths.add(path)
    },
    addKey: key.add,
    async placeNew() {
      await key.placeNew()
      for (const path of paths) {
        if (await stat(inside(base, path)).catch(() => undefined)) continue
        await put(path)
        placed.push(path)
      }
    },
    async finish() {
      await key.finish()
      const done = new Set(placed)
      for (const path of paths) if (!done.has(path)) await put(path)
      for await (const path of listFiles(place)) if (!paths.has(path)) await rm(inside(base, path), { force: true })
      await rm(staging, { recursive: true, force: true })
    },
    async drop() {
      await key.drop()
      for (const path of placed) await rm(inside(base, path), { force: true })
      await rm(staging, { recursive: true, force: true })
    },
  }
}
