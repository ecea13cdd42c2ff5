/** The work queue: filters of the URL, the rows they give, and the counts beside them. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ListPaging } from '#kit/list-page/list-contract.ts'
import { useList } from '#kit/list-page/use-list.ts'
import { type QueueFilters, queueFields, queueFilter, sharedFilter } from '../../queue-filter.ts'
import { recordCountQuery, recordsQuery, useAlarmLive } from '../../record-queries.ts'

export function useQueue() {
  const pace = useAlarmLive()
  const query = ({ page, filters }: { page: ListPaging; filters: QueueFilters }) =>
    recordsQuery({ filters, page }, () => ({ ...queueFilter(filters), page }), pace)
  const list = useList<AlarmRecord, QueueFilters>({ filters: queueFields, query })
  const { state, filters, result } = list
  const { tab: _t, levels: _l, ...shared } = filters
  const count = useQuery({
    ...recordCountQuery({ filters: shared }, () => sharedFilter(shared), pace),
    placeholderData: keepPreviousData,
  })
  const fresh = useFresh(
    JSON.stringify([filters, state.page, state.size, state.sort]),
    result.isPlaceholderData ? undefined : result.data?.list,
  )
  // A tab is where one looks, not what one looks for.
  const active = list.active.filter(({ name }) => name !== 'tab')
  return { ...list, query: (page: ListPaging) => query({ page, filters }), count: count.data, active, fresh }
}

type Counted = Pick<AlarmRecord, 'id' | 'totalCount' | 'lastAlarm'>

interface Seen {
  /** Ids with how often each has happened. */
  counts: ReadonlyMap<number, number>
  /** The latest occurrence that was on the screen. */
  newest: number
}

export const seenOf = (rows: readonly Counted[], before?: Seen): Seen => ({
  counts: new Map(rows.map(({ id, totalCount }) => [id, totalCount])),
  newest: rows.reduce((newest, { lastAlarm }) => Math.max(newest, lastAlarm), before?.newest ?? 0),
})

/** An older row that moved up from the next page, because one above it was handled, is no news. */
export const freshIDs = (before: Seen, rows: readonly Counted[]): number[] =>
  rows
    .filter(({ id, totalCount, lastAlarm }) => {
      const count = before.counts.get(id)
      return count === undefined ? lastAlarm > before.newest : totalCount > count
    })
    .map(({ id }) => id)

/** How long a row that is news stays marked. */
const markedMs = 8000

/** Rows that came or happened again while the same part of the queue was looked at. */
function useFresh(view: string, rows: readonly AlarmRecord[] | undefined): ReadonlySet<number> {
  const before = useRef<{ view: string; seen: Seen }>(undefined)
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  useEffect(() => {
    if (!rows) return
    const seen = before.current?.view === view ? before.current.seen : undefined
    const news = seen ? freshIDs(seen, rows) : []
    before.current = { view, seen: seenOf(rows, seen) }
    if (news.length === 0) return
    setFresh((marked) => new Set([...marked, ...news]))
    // Each group of news fades by itself, so nothing takes the timer back.
    setTimeout(() => setFresh((marked) => new Set([...marked].filter((id) => !news.includes(id)))), markedMs)
  }, [view, rows])
  return fresh
}
