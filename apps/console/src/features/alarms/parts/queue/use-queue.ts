/** The work queue: filters of the URL, the rows they give, and the counts beside them. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { activeFilters, readFilters } from '#kit/list-page/filter-values.ts'
import { lastPage, parseSort, useListState } from '#kit/list-page/use-list-state.ts'
import { freshIDs, type Seen, seenOf } from '../../fresh-rows.ts'
import { type QueueFilters, queueFields, queueFilter, sharedFilter } from '../../queue-filter.ts'
import { recordCountQuery, recordsQuery, useAlarmLive } from '../../record-queries.ts'

export function useQueue() {
  const pace = useAlarmLive()
  const [state, set] = useListState(queueFields, '', undefined)
  const filters = useMemo(() => readFilters(queueFields, state.filters) as QueueFilters, [state.filters])
  const orders = parseSort(state.sort)
  const query = (page: { page: number; size: number }) => {
    const paging = { ...page, ...(orders && { orders }) }
    return recordsQuery({ filters, page: paging }, () => ({ ...queueFilter(filters), page: paging }), pace)
  }
  const place = { page: state.page, size: state.size }
  const result = useQuery({ ...query(place), placeholderData: keepPreviousData })
  const { tab: _t, levels: _l, ...shared } = filters
  const count = useQuery({
    ...recordCountQuery({ filters: shared }, () => sharedFilter(shared), pace),
    placeholderData: keepPreviousData,
  })

  const total = result.data?.total
  const pages = total === undefined ? undefined : lastPage(total, state.size)
  const beyond = !result.isPlaceholderData && pages !== undefined && state.page > pages
  useEffect(() => {
    if (beyond && pages !== undefined) set({ page: pages }, { replace: true })
  }, [beyond, pages, set])

  const active = activeFilters(queueFields, state.filters).filter(({ name }) => name !== 'tab')
  const fresh = useFresh(
    JSON.stringify([filters, place, state.sort]),
    result.isPlaceholderData ? undefined : result.data?.list,
  )
  return { state, set, filters, orders, query, result, count: count.data, active, fresh }
}

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
