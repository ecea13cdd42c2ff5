/** Screens that move by themselves: notices of the server make queries ask again. */
import { type LiveChange, liveChanges, livePath, maxLiveTopics } from '@ithings/contract/features/live.ts'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { makeLiveSocket } from './live-socket.ts'
import { makeRefresher, type Refresher } from './refresher.ts'
import { session } from './session-store.ts'

/** Without notices screens ask by themselves this often. */
export const fallbackPace = 5000
/** With notices: for what another server knows and this one does not, and for connections that died unnoticed. */
export const safetyPace = 30_000
/** A whole fleet may come back at once: a list reads its rows once in this time. */
const rowsGap = 1000

/** The platform's host as the request layer has it; empty means the page's own. */
export function liveUrl(host: string, page: string): string {
  const url = new URL(livePath, host || page)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

const live = makeLiveSocket({
  url: () => liveUrl(import.meta.env.VITE_API_HOST ?? '', window.location.href),
  token: session.token,
  visible: () => document.visibilityState === 'visible',
  onVisible: (listener) => {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
})

/** Before the first screen is there: its socket opens while the session loads. */
export const expectLive = live.expect

/** Which queries each kind of change makes old; beginnings of keys suffice. */
export type LiveQueries = Partial<Record<LiveChange, readonly QueryKey[]>>

/** @param changes undefined: anything may have changed */
export function applyNotice(refresher: Refresher, queries: LiveQueries, changes: readonly string[] | undefined): void {
  const kinds = liveChanges.filter((kind) => changes?.includes(kind) ?? true)
  const keys = new Set(kinds.flatMap((kind) => queries[kind] ?? []))
  for (const key of keys) changes ? refresher.changed(key) : refresher.uncertain(key)
}

/**
 * Asks the given queries again when the topic changes. Call it before the useQuery of the same screen, so that nothing
 * falls between the answer and the watching.
 * @param topic undefined: not yet known
 */
export function useLive(topic: string | undefined, queries: LiveQueries): void {
  useTopics(topic ?? '', queries, 0)
}

/** The rows of a list, which one query reads: as many as leave room for the other topics of a page. */
export function useLiveRows(topics: readonly string[], queries: LiveQueries): void {
  useTopics(topics.slice(0, maxLiveTopics - 10).join(' '), queries, rowsGap)
}

/** @param topics with blanks between them, so that equal ones are not watched anew */
function useTopics(topics: string, queries: LiveQueries, gapMs: number): void {
  const client = useQueryClient()
  const latest = useRef(queries)
  latest.current = queries
  useEffect(() => {
    const refresher = makeRefresher(client, gapMs)
    const listen = (changes: readonly string[] | undefined) => applyNotice(refresher, latest.current, changes)
    const ends = topics.split(' ').flatMap((topic) => (topic ? [live.watch(topic, listen)] : []))
    return () => {
      for (const end of ends) end()
    }
  }, [topics, client, gapMs])
}

export const useLiveConnected = (): boolean => useSyncExternalStore(live.onState, live.connected)

/** The refetchInterval of a query that a notice refreshes: 5 s as long as no notices arrive. */
export const useLivePolling = (): number => (useLiveConnected() ? safetyPace : fallbackPace)
