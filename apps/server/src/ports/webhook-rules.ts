/** What our webhooks have in common, those of notices and those of forwarding: which headers they carry, and how they are signed. */
import { createHmac } from 'node:crypto'
import { type Phrase, phrase } from '@ithings/contract/text.ts'

/** Headers that belong to the connection. */
const forbidden = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Also what we set ourselves. */
export const isForbiddenHeader = (key: string): boolean => {
  const name = key.toLowerCase()
  return forbidden.has(name) || name.startsWith('x-ithings-')
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const fieldValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** Undefined when the header can be sent as it is. */
export function headerFault({ key, value }: { key: string; value: string }): Phrase | undefined {
  if (!token.test(key)) return phrase('请求头「{name}」的名称无效', { name: key })
  if (isForbiddenHeader(key)) return phrase('请求头「{name}」由平台设置，不能自定义', { name: key })
  if (!fieldValue.test(value)) return phrase('请求头「{name}」的值含有不能发送的字符', { name: key })
  return undefined
}

/** What receivers compute again: HMAC-SHA256 of `timestamp.body` (timestamp in ms, as in the header). */
export const signWebhook = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
