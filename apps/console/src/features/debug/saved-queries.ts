/** Searches of the log that somebody keeps, in this browser (screens.md 19 "saved queries"). */
import * as z from 'zod'
import { readCacheOr, writeCache } from '#kit/json-cache.ts'

const savedQuery = z.object({ name: z.string(), search: z.string() })
export type SavedQuery = z.output<typeof savedQuery>

const storeKey = 'log-queries'
const kept = 30

export const readQueries = (storage?: Storage): SavedQuery[] =>
  readCacheOr(storeKey, (value) => z.array(savedQuery).parse(value), [], storage)

/** What a search is made of: not the page somebody happened to be on. */
export function searchOf(params: URLSearchParams): string {
  const next = new URLSearchParams(params)
  next.delete('page')
  next.sort()
  return next.toString()
}

/** The same name is replaced. Throws when the browser refuses to keep it. */
export function saveQuery(query: SavedQuery, storage?: Storage): SavedQuery[] {
  const list = [query, ...readQueries(storage).filter(({ name }) => name !== query.name)].slice(0, kept)
  writeCache(storeKey, list, storage)
  return list
}

export function dropQuery(name: string, storage?: Storage): SavedQuery[] {
  const list = readQueries(storage).filter((query) => query.name !== name)
  writeCache(storeKey, list, storage)
  return list
}
