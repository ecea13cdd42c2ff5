/** Messages and tools as the runner has them. */
import { fill, sayKept } from '@ithings/contract/text.ts'
import { makeAddressGuard } from '#features/notify/address-guard.ts'
import type { ForwardMessage, ForwardTools, Refused } from '#ports/forward-target.ts'

export const message = (n: number, more: Partial<ForwardMessage> = {}): ForwardMessage => ({
  id: `m${n}`,
  source: 'property',
  time: 1_700_000_000_000 + n,
  productID: 'p1',
  deviceName: 'd1',
  identifier: '',
  body: `{"n":${n}}`,
  contentType: 'application/json',
  data: { n },
  ...more,
})
export const messages = (from: number, to: number): ForwardMessage[] =>
  Array.from({ length: to - from + 1 }, (_, i) => message(from + i))

/** An answer that comes is waited for, however slow the machine is. */
const patientMs = 120_000
export const tools = (allow: string[] = ['127.0.0.0/8', '::1'], timeoutMs = patientMs): ForwardTools => ({
  guard: makeAddressGuard(allow),
  timeoutMs,
})

export const untilTheEnd: AbortSignal = new AbortController().signal

/** As somebody reads them. */
export const inWords = (refused: Refused[]): Refused[] =>
  refused.map(({ index, reason }) => ({ index, reason: sayKept(reason, fill) }))
