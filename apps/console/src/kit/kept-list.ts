import * as z from 'zod'
import { readCacheOr, writeCache } from './json-cache.ts'

/**
 * A list that this browser keeps, the newest first.
 * @param isSame an entry takes the place of those that are the same
 */
export function keptList<S extends z.ZodType>(
  key: string,
  schema: S,
  most: number,
  isSame: (one: z.output<S>, other: z.output<S>) => boolean,
) {
  type Entry = z.output<S>
  const read = (storage?: Storage): Entry[] => readCacheOr(key, (value) => z.array(schema).parse(value), [], storage)
  const write = (list: Entry[], storage?: Storage): Entry[] => {
    writeCache(key, list, storage)
    return list
  }
  const withOne = (one: Entry, storage?: Storage): Entry[] =>
    [one, ...read(storage).filter((other) => !isSame(one, other))].slice(0, most)
  return {
    read,
    /** Throws when the browser refuses to keep it. */
    save: (one: Entry, storage?: Storage): Entry[] => write(withOne(one, storage), storage),
    /** The same for what is a convenience only: a full or blocked store costs nothing else. */
    note: (one: Entry, storage?: Storage): Entry[] => {
      const list = withOne(one, storage)
      try {
        return write(list, storage)
      } catch {
        return list
      }
    },
    drop: (isGone: (one: Entry) => boolean, storage?: Storage): Entry[] =>
      write(
        read(storage).filter((one) => !isGone(one)),
        storage,
      ),
  }
}
