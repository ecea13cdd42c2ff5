/** Which lists grow without end, and how their rows are found by time; which others have an order that new rows do not move. */
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { listEventLog, listHubLog, listPropertyLog, listSdkLog } from '@ithings/contract/features/history.ts'
import { listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import { SortDirection } from '@ithings/contract/paging.ts'

export type Body = Record<string, unknown>

export interface TimeWalk {
  /** undefined: asked in an order, or for something, that does not go along time. */
  newestFirst(body: Body): boolean | undefined
  /** Milliseconds, 0 where there is no limit: [from, to). */
  rangeOf(body: Body): { from: number; to: number }
  within(body: Body, from: number, to: number): Body
  /** The same with the order of time, where the list has another one by itself. */
  ordered(body: Body): Body
  timeOf(row: Record<string, unknown>): number
  /** How finely a row tells its time. */
  stepMs: number
}

const historyWalk = (newestFirst: TimeWalk['newestFirst']): TimeWalk => ({
  newestFirst,
  rangeOf: ({ timeStart, timeEnd }) => ({ from: Number(timeStart ?? 0), to: Number(timeEnd ?? 0) }),
  within: (body, timeStart, timeEnd) => ({ ...body, timeStart, timeEnd }),
  ordered: (body) => body,
  timeOf: ({ timestamp }) => Number(timestamp),
  stepMs: 1,
})

interface Order {
  field: string
  sort?: number
}
const ordersOf = ({ page }: Body): Order[] => (page as { orders?: Order[] } | undefined)?.orders ?? []
const withOrders = (body: Body, orders: Order[]): Body => ({ ...body, page: { ...(body.page as object), orders } })

interface Range {
  start?: unknown
  end?: unknown
}
/** Days are counted by the zone of the platform, which the list knows and we do not: a day stays with the list. */
const exact = (moment: unknown): number => (/^\d{13}$/.test(String(moment ?? '')) ? Number(moment) : 0)

/** Both logs of the platform say seconds, and have an order of their own (the number of the row). */
const logWalk: TimeWalk = {
  newestFirst(body) {
    const { start, end } = ((body.dateRange ?? body.date) as Range | undefined) ?? {}
    if ((start && !exact(start)) || (end && !exact(end))) return undefined
    const [first, ...more] = ordersOf(body)
    if (!first) return true
    return first.field === 'createdTime' && more.length === 0
      ? Number(first.sort ?? 1) === SortDirection.desc
      : undefined
  },
  rangeOf({ dateRange, date }) {
    const { start, end } = ((dateRange ?? date) as Range | undefined) ?? {}
    return { from: exact(start), to: exact(end) }
  },
  within: ({ date, ...body }, from, to) => ({ ...body, dateRange: { start: padded(from), end: padded(to) } }),
  ordered: (body) =>
    ordersOf(body).length > 0 ? body : withOrders(body, [{ field: 'createdTime', sort: SortDirection.desc }]),
  timeOf: ({ createdTime }) => Number(createdTime) * 1000,
  stepMs: 1000,
}

/** Ten digits would be seconds; before 2001 there is no log. */
const padded = (ms: number): string => String(Math.max(ms, 1_000_000_000_000))

export const timeWalks: ReadonlyMap<string, TimeWalk> = new Map([
  [
    listPropertyLog.path,
    // Values in buckets come all at once.
    historyWalk(({ order, interval, argFunc, argFuncs }) =>
      Number(interval ?? 0) > 0 || argFunc || (argFuncs as unknown[] | undefined)?.length
        ? undefined
        : Number(order ?? 0) === 1,
    ),
  ],
  [listEventLog.path, historyWalk(() => true)],
  [listHubLog.path, historyWalk(() => true)],
  [listSdkLog.path, historyWalk(() => true)],
  [listOperationLogs.path, logWalk],
  [listLoginLogs.path, logWalk],
])

/** Long lists whose own order moves while they are read are asked oldest first: what is new comes at the end. */
const grows = new Set([listAlarmRecords.path, listDevices.path])

export const steadyOrders = (path: string, body: Body): Body | undefined =>
  grows.has(path) && ordersOf(body).length === 0
    ? withOrders(body, [{ field: 'createdTime', sort: SortDirection.asc }])
    : undefined
