/** One connection of a client, from its first byte to its end. */
import type { Duplex } from 'node:stream'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Client } from 'aedes'
import type { BrokerLimit, Session } from '#ports/broker.ts'
import { inside } from './aedes-inside.ts'
import type { FrameGate } from './frame-gate.ts'
import type { BrokerLimits } from './limits.ts'
import type { StoredSession } from './stored-session.ts'

/** Waking for every single message would cost more than the messages. */
const shortestHoldMs = 50
const tellAgainMs = 60_000
const lastWordsMs = 1_000

const leftText = kept('设备主动断开')
export const brokenText = kept('连接中断')

/** A token bucket as two numbers (GCRA): cheap enough for each of 50,000 connections. */
export class Rate {
  readonly #step: number
  readonly #slack: number
  /** When the bucket will be full again. */
  #full = 0

  constructor(perSecond: number, burst: number) {
    this.#step = 1000 / perSecond
    this.#slack = this.#step * Math.max(0, burst - 1)
  }

  /** Milliseconds until the next one may pass; 0 now. */
  wait(now: number): number {
    return Math.max(0, this.#full - this.#slack - now)
  }

  /** Counts it although it is too early, unless it would have to wait for longer than that. */
  reserve(now: number, longest: number): number | undefined {
    const delay = this.wait(now)
    if (delay > longest) return undefined
    this.#full = Math.max(this.#full, now) + this.#step
    return delay
  }

  /** True: it may pass and is counted. */
  take(now: number): boolean {
    return this.reserve(now, 0) !== undefined
  }

  /** Less than half of the burst is used. */
  relaxed(now: number): boolean {
    return this.#full - now < this.#slack / 2
  }
}

export interface EndedSession {
  session: Session
  reason: string
}

export class Connection {
  readonly stream: Duplex
  readonly ip: string
  client: Client | undefined
  gate: FrameGate<Connection> | undefined
  session: Session | undefined
  /** Key of the device (or of its registration) that it signed in for. */
  key = ''
  /** Under which aedes and the stored sessions know it: a device made anew under an old name is another one. */
  clientKey = ''
  /** It is in: aedes knows it by its key, the platform knows of the session, CONNACK is the next packet. */
  ready = false
  ended = false
  /** Why it ends, for people; the first reason counts. */
  reason = ''
  inflight = 0
  /** PUBLISH frames that the gate let pass and that aedes has not brought to us yet. */
  underway = 0
  /** Held until half of its messages are acknowledged. */
  full = false
  /** It ends as soon as all that it sent is acknowledged. */
  leaving = false
  subscriptions = 0
  /** It outlives this connection. */
  stored: StoredSession | undefined
  /** `product/device` of others whose topics it listens to. */
  watched: Set<string> | undefined
  /** The connection of the same device that came after this one. */
  successor: Connection | undefined
  /** The one before this, while it has not ended. */
  predecessor: Connection | undefined
  /** Sessions that this one replaced; told as ended when its own fate is known. */
  replaced: EndedSession[] | undefined
  rateTimer: NodeJS.Timeout | undefined
  lifeTimer: NodeJS.Timeout | undefined
  #rate: Rate | undefined
  #heldSince = 0
  #told: Map<BrokerLimit, number> | undefined
  #gone = false
  #waiters: Array<() => void> | undefined

  constructor(stream: Duplex, ip: string) {
    this.stream = stream
    this.ip = ip
  }

  /** Resolves when nothing is left of it, nor of the connections that it replaced. */
  async untilGone(): Promise<void> {
    if (this.#gone) return
    await new Promise<void>((resolve) => {
      this.#waiters ??= []
      this.#waiters.push(resolve)
    })
  }

  tellGone(): void {
    this.#gone = true
    for (const tell of this.#waiters ?? []) tell()
  }

  /** It is gone, or about to be. */
  get left(): boolean {
    return this.ended || this.stream.destroyed
  }

  get isGateway(): boolean {
    return this.session?.device.deviceType === DeviceType.gateway
  }

  /** Ends it; aedes sees to the rest. */
  drop(reason: string): void {
    this.reason ||= reason
    if (this.client) this.client.close()
    // A client that waits for CONNACK is closed by its stream.
    this.stream.destroy()
  }

  /** Nothing more is read from it, and it ends after its last PUBACK. */
  leave(reason: string): void {
    this.leaving = true
    this.reason ||= reason
    this.leaveWhenIdle()
  }

  leaveWhenIdle(): void {
    if (!this.leaving || this.inflight + this.underway > 0) return
    // What was written for it goes out first, unless it does not take it.
    const end = () => this.drop(this.reason)
    const limit = setTimeout(end, lastWordsMs).unref()
    this.stream.end(() => {
      clearTimeout(limit)
      end()
    })
  }

  endReason(): string {
    if (this.client && inside(this.client)._disconnected) return leftText
    return this.reason || brokenText
  }

  /** A limit is told of once a minute; the counter counts every time. */
  mayTell(limit: BrokerLimit, now: number): boolean {
    this.#told ??= new Map()
    if (now - (this.#told.get(limit) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return false
    this.#told.set(limit, now)
    return true
  }

  /** 0: a message may pass now; else how long to wait; undefined: it has been too fast for too long. */
  paceMs(limits: BrokerLimits, now: number): number | undefined {
    this.#rate ??= this.isGateway
      ? new Rate(limits.gatewayMessageRate, limits.gatewayMessageBurst)
      : new Rate(limits.messageRate, limits.messageBurst)
    if (this.#rate.take(now)) {
      if (this.#heldSince > 0 && this.#rate.relaxed(now)) this.#heldSince = 0
      return 0
    }
    this.#heldSince ||= now
    if (now - this.#heldSince > limits.messageHoldMs) return undefined
    return Math.max(shortestHoldMs, this.#rate.wait(now))
  }
}
