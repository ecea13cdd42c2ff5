/** Where forwarded messages go: one engine for each kind of target (engines/forward-*). */

import type { LookupFunction } from 'node:net'
import type { ForwardSource } from '@ithings/contract/features/forwarding/rules.ts'
import type { SettingsOf, TargetType } from '@ithings/contract/features/forwarding/targets.ts'
import { fill, type Phrase, say } from '@ithings/contract/text.ts'

export interface ForwardMessage {
  /** The same whenever it is sent again. */
  id: string
  source: ForwardSource
  /** When it happened, ms. */
  time: number
  /** '' of operations. */
  productID: string
  deviceName: string
  /** Event or action, else ''. */
  identifier: string
  /** JSON text (or what a script made), as it is sent. */
  body: string
  contentType: string
  /** What it says, for targets with columns: properties, parameters of an event, or fields of an alarm. */
  data: Record<string, unknown>
}

export interface Refused {
  /** In the batch. */
  index: number
  /** Kept sentence. */
  reason: string
}

export interface ForwardTarget {
  /** So many are handed over at once at most. */
  readonly most: number
  /** Waits so long for more before it sends; 0: sends at once. */
  readonly gatherMs: number
  /**
   * Sends in this order and waits until the other side has them. What it throws (TargetAway) means that the whole batch is
   * sent again later; what it answers was refused for good, the rest has arrived.
   */
  send(batch: readonly ForwardMessage[], signal: AbortSignal): Promise<Refused[]>
  close(): Promise<void>
}

/** The other side cannot be reached or does not want anything now: to be tried again. */
export class TargetAway extends Error {
  readonly words: Phrase
  /** It asked to be left alone for so long. */
  readonly retryAfterMs: number | undefined

  constructor(words: Phrase, options?: ErrorOptions & { retryAfterMs?: number | undefined }) {
    super(say(words, fill), options)
    this.words = words
    this.retryAfterMs = options?.retryAfterMs
  }
}

/** The address may be used; a name leads only to addresses that may be. */
export interface ForwardGuard {
  allows(address: string): boolean
  lookup: LookupFunction
}

export interface ForwardTools {
  guard: ForwardGuard
  /** For one answer of the other side. */
  timeoutMs: number
}

export type OpenTarget<T extends TargetType = TargetType> = (
  settings: SettingsOf<T>,
  tools: ForwardTools,
) => ForwardTarget
