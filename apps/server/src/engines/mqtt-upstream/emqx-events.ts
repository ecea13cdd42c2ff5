/** What EMQX tells of its clients on `$SYS/brokers/<node>/clients/<client id>/connected` and `disconnected`. */
import { isRecord } from '@ithings/contract/is-record.ts'
import type { UpstreamMessage, UpstreamPassage } from '#ports/upstream.ts'

export const emqxEventFilters = ['$SYS/brokers/+/clients/+/connected', '$SYS/brokers/+/clients/+/disconnected']

const topicForm = /^\$SYS\/brokers\/[^/]+\/clients\/(.+)\/(connected|disconnected)$/

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 128) : '')

/** undefined: it is no such event. */
export function readEmqxEvent({ topic, payload }: UpstreamMessage, now: number): UpstreamPassage | undefined {
  const [, clientID, word] = topicForm.exec(topic) ?? []
  if (clientID === undefined) return undefined
  let body: unknown
  try {
    body = JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
  if (!isRecord(body)) return undefined
  const online = word === 'connected'
  const at = online ? body.connected_at : body.disconnected_at
  return {
    clientID,
    online,
    // Older versions count in seconds, newer ones in milliseconds.
    at: typeof at === 'number' && Number.isFinite(at) ? Math.trunc(at < 1e11 ? at * 1000 : at) : now,
    ip: textOf(body.ipaddress),
    reason: textOf(body.reason),
  }
}
