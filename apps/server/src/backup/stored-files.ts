/** The stored files in a backup, and on their way back. */
import { randomUUID } from 'node:crypto'
import { type FilesPlace, stagingPrefix, storageOf } from './file-storage.ts'
import { makeKeyStaging } from './secret-key.ts'
import type { OpenPart } from './write-archive.ts'

/** A file that somebody deleted since the listing is left out: its row is on its way out too. */
export async function* fileParts(place: FilesPlace, onGone: (path: string) => void): AsyncGenerator<OpenPart> {
  const storage = storageOf(place)
  for await (const path of storage.list()) {
    const content = await storage.open(path)
    if (content) yield { part: { kind: 'file', path }, content }
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
  const storage = storageOf(place)
  // Of a restore that was killed; two at a time there are none, the database sees to that.
  await storage.clear()
  const staging = stagingPrefix + randomUUID()
  const paths = new Set<string>()
  const placed: string[] = []
  const key = makeKeyStaging(place.dataDir, say)
  const put = (path: string) => storage.move(`${staging}/${path}`, path)

  return {
    async add(path, content) {
      // Refuses a path that leads elsewhere before anything of it is written.
      await storage.has(path)
      await storage.write(`${staging}/${path}`, content)
      paths.add(path)
    },
    addKey: key.add,
    async placeNew() {
      await key.placeNew()
      for (const path of paths) {
        if (await storage.has(path)) continue
        await put(path)
        placed.push(path)
      }
    },
    async finish() {
      await key.finish()
      const done = new Set(placed)
      for (const path of paths) if (!done.has(path)) await put(path)
      for await (const path of storage.list()) if (!paths.has(path)) await storage.remove(path)
      await storage.clear()
    },
    async drop() {
      await key.drop()
      for (const path of placed) await storage.remove(path)
      await storage.clear()
    },
  }
}
