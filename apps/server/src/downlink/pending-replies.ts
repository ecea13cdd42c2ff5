/**
 * Requests that devices have not answered yet (device-protocol.md 5 "Pairing"), kept for ten minutes. The corridor
 * calls `settle` when a reply comes in and, once the reply is stored, `confirm`: only then does the waiting caller go
 * on, so that it reads what the reply has changed. A reply that could not be stored is sent again and settles again.
 */
import { AppError, errors } from '@ithings/contract/errors.ts'
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

export interface PendingReplies {
  /** Before sending, so that no reply can be early; an open one of the same token ends. Throws when too many are open. */
  open(request: Omit<PendingRequest, 'sentAt'> & { sentAt?: number }): void
  /** Ends with the reply, or with undefined after the time, when the request is dropped or the server stops. */
  wait(deviceID: number, token: string, ms: number): Promise<DeviceReply | undefined>
  /** @returns the request it answers; undefined when this device was not asked that, or it is answered already */
  settle(deviceID: number, reply: DeviceReply): PendingRequest | undefined
  /** The reply is stored: whoever waits goes on. */
  confirm(deviceID: number, token: string): void
  /** It was asked here and has no answer yet. */
  isOpen(deviceID: number, token: string): boolean
  /** It was not sent after all. */
  drop(deviceID: number, token: string): void
  counts(): PendingCounts
  /** Ends all waiting, for good. */
  close(): void
  readonly closed: boolean
}

export const keepMs = 10 * 60_000

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

export function makePendingReplies(clock: Clock, limits: PendingLimits = defaultLimits): PendingReplies {
  // In the order of their time.
  const entries = new Map<string, Entry>()
  const counts = { opened: 0, answered: 0, unknown: 0, expired: 0, refused: 0 }
  let size = 0
  let waiting = 0
  let closed = false

  const remove = (key: string, entry: Entry) => {
    entries.delete(key)
    size -= entry.size
    for (const wake of [...entry.waiters]) wake()
  }

  const dropExpired = () => {
    const now = clock.now()
    for (const [key, entry] of entries) {
      if (now - entry.request.sentAt < keepMs) return
      counts.expired += 1
      remove(key, entry)
    }
  }

  return {
    open(asked) {
      dropExpired()
      const key = keyOf(asked.deviceID, asked.token)
      const before = entries.get(key)
      if (before) remove(key, before)
      const cost = JSON.stringify(asked.params).length
      if (entries.size >= limits.requests || size + cost > limits.size) {
        counts.refused += 1
        throw new AppError(errors.rateLimited, { detail: `等待设备回复的指令已有 ${entries.size} 条` })
      }
      const request = { ...asked, sentAt: asked.sentAt ?? clock.now() }
      entries.set(key, { request, size: cost, reply: undefined, stored: false, waiters: new Set() })
      size += cost
      counts.opened += 1
    },
    wait(deviceID, token, ms) {
      const entry = entries.get(keyOf(deviceID, token))
      if (!entry || closed) return Promise.resolve(undefined)
      waiting += 1
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          entry.waiters.delete(wake)
          waiting -= 1
          // A reply that is not stored when the time is up may never be: the history tells once it is.
          resolve(entry.stored ? entry.reply : undefined)
        }
        const timer = setTimeout(wake, ms).unref()
        entry.waiters.add(wake)
      })
    },
    settle(deviceID, reply) {
      dropExpired()
      const entry = entries.get(keyOf(deviceID, reply.token))
      if (entry?.request.kind !== reply.kind) {
        counts.unknown += 1
        return undefined
      }
      if (!entry.reply) counts.answered += 1
      entry.reply = reply
      return entry.request
    },
    confirm(deviceID, token) {
      const key = keyOf(deviceID, token)
      const entry = entries.get(key)
      if (!entry?.reply) return
      entry.stored = true
      remove(key, entry)
    },
    isOpen(deviceID, token) {
      const entry = entries.get(keyOf(deviceID, token))
      return entry !== undefined && !entry.reply
    },
    drop(deviceID, token) {
      const key = keyOf(deviceID, token)
      const entry = entries.get(key)
      if (entry) remove(key, entry)
    },
    counts() {
      dropExpired()
      return { kept: entries.size, waiting, ...counts }
    },
    close() {
      closed = true
      for (const entry of entries.values()) for (const wake of [...entry.waiters]) wake()
    },
    get closed() {
      return closed
    },
  }
}
