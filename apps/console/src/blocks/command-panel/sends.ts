/** What was sent from here: the last 50 and the saved ones, kept in the browser by device or product (screens.md 18). */
import { isRecord } from '@ithings/contract/is-record.ts'
import * as z from 'zod'
import { parsedJson } from '#kit/json-object.ts'
import { keptList } from '#kit/kept-list.ts'

export const sendKinds = ['property', 'read', 'action', 'message'] as const
export type SendKind = (typeof sendKinds)[number]
export const sendKindLabels: Record<SendKind, string> = {
  property: '设置属性',
  read: '获取属性',
  action: '调用行为',
  message: '自定义消息',
}

/** A request as it can be sent again. */
export const sendRequest = z.object({
  kind: z.enum(sendKinds),
  /** Action of an action, topic of a message. */
  target: z.string(),
  /** JSON text: values of properties, input of an action, the payload of a message. */
  data: z.string(),
})
export type SendRequest = z.output<typeof sendRequest>

const sentRequest = sendRequest.extend({
  id: z.string(),
  productID: z.string(),
  deviceName: z.string(),
  at: z.number(),
  /** 0: sent without an answer that could come. */
  code: z.number(),
  text: z.string(),
  latency: z.number(),
})
export type SentRequest = z.output<typeof sentRequest>

const savedRequest = sendRequest.extend({ id: z.string(), productID: z.string(), name: z.string() })
export type SavedRequest = z.output<typeof savedRequest>

export const keptSends = 50
export const { read: readSent, note: noteSent } = keptList('debug-sent', sentRequest, keptSends, () => false)

const saved = keptList(
  'debug-saved',
  savedRequest,
  100,
  (one, other) => one.name === other.name && one.productID === other.productID,
)
export const { read: readSaved, save: saveRequest } = saved
export const dropSaved = (id: string, storage?: Storage): SavedRequest[] => saved.drop((one) => one.id === id, storage)

/** Short, unlike any before it, readable in a log. */
export const newToken = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  return `c-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The payload with a fresh token under each key it uses; undefined when it is no JSON object. */
export function withToken(payload: string, token: string): string | undefined {
  const message = parsedJson(payload)
  if (!isRecord(message)) return undefined
  const keys = ['clientToken', 'msgToken'].filter((key) => key in message)
  const fresh = Object.fromEntries((keys.length > 0 ? keys : ['clientToken']).map((key) => [key, token]))
  return JSON.stringify({ ...message, ...fresh }, null, 2)
}
