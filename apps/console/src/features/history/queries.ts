import { dayMs } from '@ithings/contract/durations.ts'
import { countHubLog, listHubLog } from '@ithings/contract/features/history.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { type HubLogFilters, hubLogBody, type LogScope, rangeOf } from '#blocks/log-table/log-query.ts'

/** As many bars as are told apart on a laptop. */
const bars = 60
/**
 * Without a time filter the picture still needs a begin: logs are kept 15 days at most
 * (decisions.md 2 "Log retention").
 */
const longest = 15 * dayMs

export const volumeQuery = (scope: LogScope, filters: HubLogFilters) =>
  queryOptions({
    // Under the list's own path: whoever asks the list again asks for its picture too.
    queryKey: [listHubLog.path, 'volume', { scope, filters }],
    queryFn: ({ signal }) => {
      const now = Date.now()
      const { timeStart, timeEnd } = rangeOf(filters.time, now)
      const body = { ...hubLogBody(scope, filters), timeStart: timeStart || now - longest, timeEnd, buckets: bars }
      return call(countHubLog, body, { quiet: true, signal })
    },
  })

/** One file of what the filter finds, as far as a browser can carry it. */
const exportRows = 10_000
const pageRows = 500

export async function readAll(scope: LogScope, filters: HubLogFilters, signal: AbortSignal) {
  const rows: unknown[] = []
  const wanted = hubLogBody(scope, filters)
  // The end stands still while it is read: new lines would shift the pages.
  const body = { ...wanted, timeEnd: wanted.timeEnd || Date.now() + 1 }
  for (let page = 1; rows.length < exportRows; page++) {
    const { list, total } = await call(listHubLog, { ...body, page: { page, size: pageRows } }, { quiet: true, signal })
    rows.push(...list)
    if (list.length === 0 || rows.length >= total) break
  }
  return rows.slice(0, exportRows)
}
