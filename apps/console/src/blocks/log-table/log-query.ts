/** What the log screens ask for: the scope (which devices) and the filters of the URL, as the wire wants them. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { type HubLogRow, listHubLog, listSdkLog, type ResultType } from '@ithings/contract/features/history.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import type { ListPaging } from '#kit/list-page/list-contract.ts'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { alone, groupByRequest } from './exchanges.ts'

/** No product: every device; no names: every device of the product. */
export interface LogScope {
  productID?: string | undefined
  deviceNames?: readonly string[] | undefined
}

export interface HubLogFilters {
  time?: TimeChoice | undefined
  content?: string | undefined
  requestID?: string | undefined
  action?: string | undefined
  topic?: string | undefined
  resultType?: (typeof ResultType)[keyof typeof ResultType] | undefined
}

export interface SdkLogFilters {
  time?: TimeChoice | undefined
  content?: string | undefined
  logLevel?: number | undefined
}

/** Resolved at each read: presets move with the clock (screens.md 0.3). Ends are exclusive; 0 means now. */
export function rangeOf(time: TimeChoice | undefined, now = Date.now()): { timeStart: number; timeEnd: number } {
  if (!time) return { timeStart: 0, timeEnd: 0 }
  const { timeStart, timeEnd } = resolveTime(time, now)
  return { timeStart: Number(timeStart), timeEnd: timeEnd === '0' ? 0 : Number(timeEnd) + 1 }
}

type HubLogBody = BodyInput<typeof listHubLog>

export function hubLogBody(scope: LogScope, filters: HubLogFilters, actions?: readonly string[]): HubLogBody {
  const { time, content, requestID, action, topic, resultType } = filters
  const names = scope.deviceNames ?? []
  const wanted = action ? [action] : actions
  return {
    ...(scope.productID && { productID: scope.productID }),
    ...(names.length > 0 && { deviceNames: [...names] }),
    ...rangeOf(time),
    ...(wanted && { actions: [...wanted] }),
    ...(topic && { topics: [topic] }),
    ...(content && { content }),
    ...(requestID && { requestID }),
    ...(resultType && { resultType }),
  }
}

interface HubLogInput {
  scope: LogScope
  filters: HubLogFilters
  page: ListPaging
  /** Only these categories. */
  actions?: readonly string[] | undefined
  /** Replies stand beside their request. */
  grouped: boolean
}

export const hubLogQuery = ({ scope, filters, page: { page, size }, actions, grouped }: HubLogInput) =>
  queryOptions({
    queryKey: [listHubLog.path, { scope, filters, page, size, actions, grouped }],
    queryFn: async ({ signal }) => {
      const body = { ...hubLogBody(scope, filters, actions), page: { page, size } }
      const { list, total } = await call(listHubLog, body, { quiet: true, signal })
      return { list: grouped ? groupByRequest(list) : list.map(alone), total }
    },
  })

interface SdkLogInput {
  productID: string
  deviceNames: readonly string[]
  filters: SdkLogFilters
  page: ListPaging
}

/** Two lines of a device may say the same at the same time: the place tells them apart. */
const withIndex = <T extends object>(list: readonly T[], from: number) =>
  list.map((row, index) => ({ ...row, key: String(from + index) }))

export const sdkLogQuery = ({ productID, deviceNames, filters, page: { page, size } }: SdkLogInput) =>
  queryOptions({
    queryKey: [listSdkLog.path, { productID, deviceNames, filters, page, size }],
    queryFn: async ({ signal }) => {
      const { time, content, logLevel } = filters
      const body = {
        productID,
        ...(deviceNames.length > 0 && { deviceNames: [...deviceNames] }),
        ...(content && { content }),
        ...(logLevel && { logLevel }),
        ...rangeOf(time),
        page: { page, size },
      }
      const { list, total } = await call(listSdkLog, body, { quiet: true, signal })
      return { list: withIndex(list, (page - 1) * size), total }
    },
  })

/** Lines on each side of the one that is looked at. */
export const contextLines = 20

/** How far the lines that follow are looked for at first, and how much further each time. */
const firstSpan = 60_000
const spanFactor = 10

/** The lines around one, newest first: what happened on the device just before and after (screens.md 19). */
export const logContextQuery = (row: HubLogRow) =>
  queryOptions({
    queryKey: [listHubLog.path, 'context', row.tranceID],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const at = Number(row.timestamp)
      const read = async (own: Partial<HubLogBody>) =>
        call(listHubLog, { productID: row.productID, deviceNames: [row.deviceName], ...own }, { quiet: true, signal })
      const before = await read({ timeEnd: at + 1, page: { page: 1, size: contextLines + 1 } })
      // The log is read newest first, so the lines that follow are at the end of what came since: as short a time
      // as holds enough of them, because a talking device writes more than is counted.
      const now = Date.now() + 1
      let since = { timeStart: at + 1, timeEnd: now }
      let total = 0
      for (let span = firstSpan; ; span *= spanFactor) {
        since = { timeStart: at + 1, timeEnd: Math.min(now, at + span) }
        total = (await read({ ...since, page: { page: 1, size: 1 } })).total
        if (total >= contextLines || since.timeEnd === now) break
      }
      const last = Math.max(1, Math.ceil(total / contextLines))
      const pages = last > 1 ? [last - 1, last] : [last]
      const after = await Promise.all(
        pages.map((page) => read({ ...since, page: { page, size: contextLines } }).then(({ list }) => list)),
      )
      return [...after.flat().slice(-contextLines), ...before.list]
    },
  })
