/** The stored files in a backup, and on their way back. */
import { randomUUID } from 'node:crypto'
import { makeKeyStaging } from './secret-key.ts'
import { type FilesPlace, shelfOf, stagingPrefix } from './shelf.ts'
import type { OpenPart } from './write-archive.ts'

/** A file that somebody deleted since the listing is left out: its row is on its way out too. */
export async function* fileParts(place: FilesPlace, onGone: (path: string) => void): AsyncGenerator<OpenPart> {
  const shelf = shelfOf(place)
  for await (const path of shelf.list()) {
    const content = await shelf.open(path)
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
  const shelf = shelfOf(place)
  // Of a restore that was killed; two at a time there are none, the database sees to that.
  await shelf.clear()
  const staging = stagingPrefix + randomUUID()
  const paths = new Set<string>()
  const placed: string[] = []
  const key = makeKeyStaging(place.dataDir, say)
  const put = (path: string) => shelf.move(`${staging}/${path}`, path)

  return {
    async add(path, content) {
      // Refuses a path that leads elsewhere before anything of it is written.
      await shelf.has(path)
      await shelf.write(`${staging}/${path}`, content)
      paths.add(path)
    },
    addKey: key.add,
    async placeNew() {
      await key.placeNew()
      for (const path of paths) {
        if (await shelf.has(path)) continue
        await put(path)
        placed.push(path)
      }
    },
    async finish() {
      await key.finish()
      const done = new Set(placed)
      for (const path of paths) if (!done.has(path)) await put(path)
      for await (const path of shelf.list()) if (!paths.has(path)) await shelf.remove(path)
      await shelf.clear()
    },
    async drop() {
      await key.drop()
      for (const path of placed) await shelf.remove(path)
      await shelf.clear()
    },
  }
}
