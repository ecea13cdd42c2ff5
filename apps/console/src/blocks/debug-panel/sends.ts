/** What was sent from here: the last 50 and the saved ones, kept in the browser by device or product (screens.md 18). */
import * as z from 'zod'
import { readCacheOr, writeCache } from '#kit/json-cache.ts'

export const sendKinds = ['property', 'read', 'action', 'message'] as const
export type SendKind = (typeof sendKinds)[number]
export const sendKindLabels: Record<SendKind, string> = {
  property: '设置属性',
  read: '获取属性',
  action: '调用行为',
  message: '自定义消息',
}

/** A request as it can be sent again. */
export const debugRequest = z.object({
  kind: z.enum(sendKinds),
  /** Action of an action, topic of a message. */
  target: z.string(),
  /** JSON text: values of properties, input of an action, the payload of a message. */
  data: z.string(),
})
export type DebugRequest = z.output<typeof debugRequest>

const sentRequest = debugRequest.extend({
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

const savedRequest = debugRequest.extend({ id: z.string(), productID: z.string(), name: z.string() })
export type SavedRequest = z.output<typeof savedRequest>

const sentKey = 'debug-sent'
const savedKey = 'debug-saved'
export const keptSends = 50
export const keptSaved = 100

export const readSent = (storage?: Storage): SentRequest[] =>
  readCacheOr(sentKey, (value) => z.array(sentRequest).parse(value), [], storage)

export const readSaved = (storage?: Storage): SavedRequest[] =>
  readCacheOr(savedKey, (value) => z.array(savedRequest).parse(value), [], storage)

export function noteSent(one: SentRequest, storage?: Storage): SentRequest[] {
  const list = [one, ...readSent(storage)].slice(0, keptSends)
  try {
    writeCache(sentKey, list, storage)
  } catch {
    // History is a convenience: a full store must not make a send that worked look failed.
  }
  return list
}

/** A request of the same name and product is replaced. Throws when the browser refuses to keep it. */
export function saveRequest(one: SavedRequest, storage?: Storage): SavedRequest[] {
  const others = readSaved(storage).filter(({ name, productID }) => name !== one.name || productID !== one.productID)
  const list = [one, ...others].slice(0, keptSaved)
  writeCache(savedKey, list, storage)
  return list
}

export function dropSaved(id: string, storage?: Storage): SavedRequest[] {
  const list = readSaved(storage).filter((one) => one.id !== id)
  writeCache(savedKey, list, storage)
  return list
}

/** Short, unlike any before it, readable in a log. */
export const newToken = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  return `c-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The payload with a fresh token under each key it uses; undefined when it is no JSON object. */
export function withToken(payload: string, token: string): string | undefined {
  try {
    const message: unknown = JSON.parse(payload)
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined
    const keys = ['clientToken', 'msgToken'].filter((key) => key in message)
    const fresh = Object.fromEntries((keys.length > 0 ? keys : ['clientToken']).map((key) => [key, token]))
    return JSON.stringify({ ...message, ...fresh }, null, 2)
  } catch {
    return undefined
  }
}
