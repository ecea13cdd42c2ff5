/** Messages of one request belong together: request, reply and how long it took (screens.md 6.5, 18). Pure. */
import { type DeviceMethod, methodOf } from '@ithings/contract/device/messages.ts'
import { commandTimeoutMs } from '@ithings/contract/features/commands.ts'
import type { HubLogRow } from '@ithings/contract/features/history.ts'
import { resultOf } from './result-view.ts'

/** A row with the later messages of the same request, old to new. */
export interface Exchange extends HubLogRow {
  replies: HubLogRow[]
}

const requestKey = ({ productID, deviceName, requestID }: HubLogRow): string =>
  `${productID}/${deviceName}/${requestID}`

export const alone = (row: HubLogRow): Exchange => ({ ...row, replies: [] })

const isReply = ({ method }: HubLogRow): boolean => /reply$/i.test(method)

/** Devices may use one token for ever; only what comes within this time belongs to one request. */
const longestRequest = 10 * 60_000

const opens = (row: HubLogRow, group: readonly HubLogRow[]): boolean => {
  const first = group[0]
  return !first || !isReply(row) || Number(row.timestamp) - Number(first.timestamp) > longestRequest
}

/**
 * Newest first, as the log is read: each request stands where its newest message stood. A reply joins the request
 * before it; a repeated token begins a new exchange.
 */
export function groupByRequest(rows: readonly HubLogRow[]): Exchange[] {
  const open = new Map<string, HubLogRow[]>()
  const groups: HubLogRow[][] = []
  for (const row of rows.toReversed()) {
    const key = requestKey(row)
    const group = row.requestID === '' ? undefined : open.get(key)
    if (group && !opens(row, group)) {
      group.push(row)
      continue
    }
    const made = [row]
    groups.push(made)
    if (row.requestID !== '') open.set(key, made)
  }
  const at = new Map(rows.map((row, index) => [row, index]))
  const newest = (group: readonly HubLogRow[]) => Math.min(...group.map((row) => at.get(row) ?? 0))
  return groups
    .toSorted((one, other) => newest(one) - newest(other))
    .flatMap(([first, ...replies]) => (first ? [{ ...first, replies }] : []))
}

const commands: readonly (DeviceMethod | undefined)[] = ['control', 'action', 'getReport']

/** What the platform asked and the device has to answer. */
const wantsReply = (row: HubLogRow): boolean => row.way === 'down' && commands.includes(methodOf(row.method))

export type ReplyState =
  | { state: 'none' }
  | { state: 'waiting' }
  | { state: 'timeout' }
  | { state: 'refused'; reply: HubLogRow | undefined; latency: number }
  | { state: 'answered'; reply: HubLogRow; latency: number }

/** The answer to a request, or how long it has been missing. */
export function replyState(exchange: Exchange, now: number): ReplyState {
  const reply = exchange.replies.at(-1)
  if (reply) {
    const latency = reply.latency || Number(reply.timestamp) - Number(exchange.timestamp)
    return { state: resultOf(reply).ok ? 'answered' : 'refused', reply, latency }
  }
  if (!wantsReply(exchange)) return { state: 'none' }
  if (!resultOf(exchange).ok) return { state: 'refused', reply: undefined, latency: 0 }
  return { state: now - Number(exchange.timestamp) < commandTimeoutMs ? 'waiting' : 'timeout' }
}
