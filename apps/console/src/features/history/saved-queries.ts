/** Searches of the log that somebody keeps, in this browser (screens.md 19 "saved queries"). */
import * as z from 'zod'
import { keptList } from '#kit/kept-list.ts'

const savedQuery = z.object({ name: z.string(), search: z.string() })
export type SavedQuery = z.output<typeof savedQuery>

const queries = keptList('log-queries', savedQuery, 30, (one, other) => one.name === other.name)
export const { read: readQueries, save: saveQuery } = queries
export const dropQuery = (name: string, storage?: Storage): SavedQuery[] =>
  queries.drop((query) => query.name === name, storage)

/** What a search is made of: not the page somebody happened to be on. */
export function searchOf(params: URLSearchParams): string {
  const next = new URLSearchParams(params)
  next.delete('page')
  next.sort()
  return next.toString()
}
