/** What was opened from the search last, kept in the browser. */
import * as z from 'zod'
import { readCacheOr, writeCache } from '#kit/json-cache.ts'
import { type SearchItem, searchItem } from './search-items.ts'

const storeKey = 'recent-search'
const kept = 6

export const readRecentItems = (storage?: Storage): SearchItem[] =>
  readCacheOr(storeKey, (value) => z.array(searchItem).parse(value).slice(0, kept), [], storage)

function write(items: SearchItem[], storage?: Storage): void {
  try {
    writeCache(storeKey, items, storage)
  } catch {
    // A blocked store costs this list, nothing else.
  }
}

/** The newest first, each once. */
export function noteRecentItem(item: SearchItem, storage?: Storage): void {
  write([item, ...readRecentItems(storage).filter(({ to }) => to !== item.to)].slice(0, kept), storage)
}

export const clearRecentItems = (storage?: Storage): void => write([], storage)
