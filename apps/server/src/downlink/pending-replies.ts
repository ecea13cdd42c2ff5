/**
 * Requests that devices have not answered yet (device-protocol.md 5 "Pairing"), kept for ten minutes. The corridor
 * calls `settle` when a reply comes in and, once the reply is stored, `confirm`: only then does the waiting caller go
 * on, so that it reads what the reply has changed. A reply that could not be stored is sent again and settles again.
 */

import { minuteMs } from '@ithings/contract/durations.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { Registry } from 'prom-client'
import { showCounts } from '#background/gauges.ts'
import type { Clock } from '#ports/clock.ts'

/** Answered by controlReply, actionReply and getReportReply. */
export type RequestKind = 'property' | 'action' | 'get'

export interface PendingRequest {
  deviceID: number
  token: string
  kind: RequestKind
  /** What was asked for: the values of a control, the inputs of an action. */
  params: Record<string, unknown>
  /** actionID of an action, else ''. */
  target: string
  /** Milliseconds. */
  sentAt: number
}

export interface DeviceReply {
  token: string
  kind: RequestKind
  code: number
  msg: string
  /** Outputs of an action, values of a report; undefined when the device sent none. */
  data: unknown
}

export interface PendingCounts {
  kept: number
  waiting: number
  opened: number
  answered: number
  /** Replies to nothing that was asked. */
  unknown: number
  /** Never answered within the ten minutes. */
  expired: number
  /** Not sent because too many are open. */
  refused: number
}

export const keepMs = 10 * minuteMs

export interface PendingLimits {
  requests: number
  /** Characters of all requests together. */
  size: number
}
const defaultLimits: PendingLimits = { requests: 20_000, size: 32 * 1_048_576 }

interface Entry {
  request: PendingRequest
  size: number
  reply: DeviceReply | undefined
  stored: boolean
  waiters: Set<() => void>
}

/** Debugging may choose a token, so that two devices can have the same. */
const keyOf = (deviceID: number, token: string): string => `${deviceID}/${token}`

export class PendingReplies {
  readonly #clock: Clock
  readonly #limits: PendingLimits
  /** In the order of their time. */
  readonly #entries = new Map<string, Entry>()
  readonly #counts = { opened: 0, answered: 0, unknown: 0, expired: 0, refused: 0 }
  #size = 0
  #waiting = 0
  #closed = false

  constructor(clock: Clock, limits: PendingLimits = defaultLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Before sending, so that no reply can be early; an open one of the same token ends. Throws when too many are open. */
  open(asked: Omit<PendingRequest, 'sentAt'> & { sentAt?: number }): void {
    this.#dropExpired()
    this.drop(asked.deviceID, asked.token)
    const size = JSON.stringify(asked.params).length
    const kept = this.#entries.size
    if (kept >= this.#limits.requests || this.#size + size > this.#limits.size) {
      this.#counts.refused += 1
      throw refusal(errors.rateLimited, '等待设备回复的指令已有 {count} 条', { count: kept })
    }
    const request = { ...asked, sentAt: asked.sentAt ?? this.#clock.now() }
    const entry: Entry = { request, size, reply: undefined, stored: false, waiters: new Set() }
    this.#entries.set(keyOf(asked.deviceID, asked.token), entry)
    this.#size += size
    this.#counts.opened += 1
  }

  /** Ends with the reply, or with undefined after the time, when the request is dropped or the server stops. */
  wait(deviceID: number, token: string, ms: number): Promise<DeviceReply | undefined> {
    const entry = this.#entries.get(keyOf(deviceID, token))
    if (!entry || this.#closed) return Promise.resolve(undefined)
    this.#waiting += 1
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        entry.waiters.delete(wake)
        this.#waiting -= 1
        // A reply that is not stored when the time is up may never be: the history tells once it is.
        resolve(entry.stored ? entry.reply : undefined)
      }
      const timer = setTimeout(wake, ms).unref()
      entry.waiters.add(wake)
    })
  }

  /** @returns the request it answers; undefined when this device was not asked that, or it is answered already */
  settle(deviceID: number, reply: DeviceReply): PendingRequest | undefined {
    this.#dropExpired()
    const entry = this.#entries.get(keyOf(deviceID, reply.token))
    if (entry?.request.kind !== reply.kind) {
      this.#counts.unknown += 1
      return undefined
    }
    if (!entry.reply) this.#counts.answered += 1
    entry.reply = reply
    return entry.request
  }

  /** The reply is stored: whoever waits goes on. */
  confirm(deviceID: number, token: string): void {
    const key = keyOf(deviceID, token)
    const entry = this.#entries.get(key)
    if (!entry?.reply) return
    entry.stored = true
    this.#remove(key, entry)
  }

  /** It was asked here and has no answer yet. */
  isOpen(deviceID: number, token: string): boolean {
    const entry = this.#entries.get(keyOf(deviceID, token))
    return entry !== undefined && !entry.reply
  }

  /** It was not sent after all. */
  drop(deviceID: number, token: string): void {
    const key = keyOf(deviceID, token)
    const entry = this.#entries.get(key)
    if (entry) this.#remove(key, entry)
  }

  counts(): PendingCounts {
    this.#dropExpired()
    return { kept: this.#entries.size, waiting: this.#waiting, ...this.#counts }
  }

  /** Ends all waiting, for good. */
  close(): void {
    this.#closed = true
    for (const entry of this.#entries.values()) for (const wake of [...entry.waiters]) wake()
  }

  get closed(): boolean {
    return this.#closed
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#size -= entry.size
    for (const wake of [...entry.waiters]) wake()
  }

  #dropExpired(): void {
    const now = this.#clock.now()
    for (const [key, entry] of this.#entries) {
      if (now - entry.request.sentAt < keepMs) return
      this.#counts.expired += 1
      this.#remove(key, entry)
    }
  }
}

/** Counters for /metrics (decisions.md 4.3). */
export function installPendingMetrics(metrics: Registry, pending: PendingReplies): void {
  showCounts(
    metrics,
    'ithings_pending_replies',
    'Requests to devices: kept and waited for now; opened, answered, unknown, expired and refused since the start',
    () => pending.counts(),
  )
}
