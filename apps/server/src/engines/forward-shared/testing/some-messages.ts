/** Messages of three devices within one hour. */
import type { ForwardMessage } from '#ports/forward-target.ts'
import { message as plain } from './messages.ts'

/** 08:30 of a day in UTC. */
export const someTime = Date.UTC(2026, 10, 18, 8, 30)

export const message = (n: number, changes: Partial<ForwardMessage> = {}): ForwardMessage =>
  plain(n, { time: someTime + n, deviceName: `d${n % 3}`, ...changes })

export const messages = (count: number, from = 0): ForwardMessage[] =>
  Array.from({ length: count }, (_, n) => message(from + n))
