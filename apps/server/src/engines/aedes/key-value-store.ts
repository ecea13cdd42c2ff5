/** Small values by key, on disk (LevelDB) or, without a folder, in memory. Writes keep their order. */
import { rename, rm } from 'node:fs/promises'
import { ClassicLevel } from 'classic-level'
import { makePrivateFolder } from '#ports/private-folder.ts'

export interface KeyValueStore {
  open(): Promise<void>
  /** Resolves when it is written; a failed write rejects and changes nothing. */
  put(key: string, value: Buffer): Promise<void>
  del(keys: string[]): Promise<void>
  get(key: string): Promise<Buffer | undefined>
  entries(prefix: string): AsyncIterable<[string, Buffer]>
  close(): Promise<void>
}

function makeMemoryStore(): KeyValueStore {
  const values = new Map<string, Buffer>()
  return {
    open: async () => {},
    put: async (key, value) => void values.set(key, value),
    del: async (keys) => {
      for (const key of keys) values.delete(key)
    },
    get: async (key) => values.get(key),
    async *entries(prefix) {
      for (const entry of values) if (entry[0].startsWith(prefix)) yield entry
    },
    close: async () => {},
  }
}

type Write = { type: 'put'; key: string; value: Buffer } | { type: 'del'; key: string }

const causeOf = (error: unknown): string => String(((error as Error).cause as { code?: unknown } | undefined)?.code)

/** A broken one is repaired, or put aside: what waits for absent devices must not keep all others out. */
async function openLevel(db: ClassicLevel<string, Buffer>, folder: string, warn: (text: string) => void) {
  await makePrivateFolder(folder)
  try {
    return await db.open()
  } catch (error) {
    if (causeOf(error) === 'LEVEL_LOCKED') {
      throw new Error(`${folder} is in use by another server: give each its own DATA_DIR`, { cause: error })
    }
    if (causeOf(error) !== 'LEVEL_CORRUPTION') throw error
  }
  try {
    await ClassicLevel.repair(folder)
    await db.open()
    warn('the stored MQTT sessions were damaged and have been repaired')
  } catch {
    await rm(`${folder}.broken`, { recursive: true, force: true })
    await rename(folder, `${folder}.broken`)
    await makePrivateFolder(folder)
    await db.open()
    warn('the stored MQTT sessions were damaged and have been put aside')
  }
}

function makeDiskStore(folder: string, warn: (text: string) => void): KeyValueStore {
  const db = new ClassicLevel<string, Buffer>(folder, { valueEncoding: 'buffer' })
  let waiting: Write[] = []
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  /** All writes that arrive while one batch is on its way leave together in the next one. */
  function write(writes: Write[]): Promise<void> {
    waiting.push(...writes)
    next ??= last
      .catch(() => {})
      .then(() => {
        const batch = waiting
        waiting = []
        next = undefined
        last = db.batch(batch)
        return last
      })
    return next
  }

  const written = () => (next ?? last).catch(() => {})

  return {
    open: () => openLevel(db, folder, warn),
    put: (key, value) => write([{ type: 'put', key, value }]),
    del: (keys) => write(keys.map((key) => ({ type: 'del', key }))),
    async get(key) {
      await written()
      return db.get(key)
    },
    async *entries(prefix) {
      await written()
      // U+FFFF sorts behind everything that our keys hold.
      for await (const entry of db.iterator({ gte: prefix, lt: `${prefix}\uffff` })) yield entry
    },
    async close() {
      await written()
      await db.close()
    },
  }
}

export const makeStore = (folder: string | undefined, warn: (text: string) => void): KeyValueStore =>
  folder === undefined ? makeMemoryStore() : makeDiskStore(folder, warn)
