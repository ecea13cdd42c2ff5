/** PUBLISH of a device: back-pressure before it is read, our hook before its PUBACK. */
import type { Client, PublishPacket } from 'aedes'
import { StoreTimeout } from '#ports/journal.ts'
import { inside } from './aedes-inside.ts'
import type { Connection } from './connection.ts'
import type { BrokerCore } from './core.ts'
import type { BrokerLimits } from './limits.ts'

interface Waiting {
  startedAt: number
  bytes: number
  settle(error: Error | undefined): void
}

const sweepMs = 250
/**
 * As many are let in as are done in a quarter of the time that each has. A store that became slow, for instance because
 * others use the machine, would otherwise hold more than it can finish in time: connections would be dropped and their
 * devices would send all of it again, which makes it slower still. What is not let in stays with the devices.
 */
const shareOfTime = 1 / 4
/** However slow it was: enough to notice that it is quick again. */
const fewest = 500
/** How much a sweep changes what is thought of the pace. */
const weight = 0.3

/** Messages between PUBLISH and PUBACK: how many there may be, and how long one may take (decisions.md 4.1, 4.3). */
export class Intake {
  readonly #limits: BrokerLimits
  /** In the order of arrival, so that the sweep looks at the oldest only. */
  readonly #waiting = new Set<Waiting>()
  /** Connections that are held back, the longest waiting first. */
  readonly #sleepers = new Set<() => void>()
  #bytes = 0
  /** Frames that were let in and have not been taken yet. */
  #announced = 0
  #inTurn = 0
  #turnEnds: NodeJS.Immediate | undefined
  #draining: (() => void) | undefined
  #closed = false
  #timer: NodeJS.Timeout | undefined
  /** Messages that may be under way at the pace of late. */
  #most: number
  #perMs = 0
  #finished = 0
  #measuredAt = performance.now()

  constructor(limits: BrokerLimits) {
    this.#limits = limits
    this.#most = Math.min(fewest, limits.totalInflight)
  }

  start(): void {
    this.#closed = false
    this.#timer = setInterval(() => this.#sweep(), Math.min(sweepMs, this.#limits.storeMs))
  }

  stop(): void {
    clearInterval(this.#timer)
    clearImmediate(this.#turnEnds)
  }

  get count(): number {
    return this.#waiting.size
  }

  /** Room for one more from whoever asks. */
  hasRoom(): boolean {
    return (
      !this.#closed &&
      this.#inTurn < this.#limits.perTurn &&
      this.#waiting.size + this.#announced < this.#most &&
      this.#bytes < this.#limits.totalInflightBytes
    )
  }

  /** Frames that were let in and have not been taken yet; a negative number gives room back. */
  announce(frames: number): void {
    this.#announced += frames
    if (frames > 0) this.#countTurn(frames)
  }

  /** Calls `wake` when there is room again; the longest waiting first. */
  whenRoom(wake: () => void): void {
    this.#sleepers.add(wake)
  }

  /** `done` is called once: when the work is done, failed, or took too long. */
  take(size: number, work: () => Promise<void>, done: (error: Error | undefined) => void): void {
    const one: Waiting = { startedAt: performance.now(), bytes: size, settle: done }
    this.#waiting.add(one)
    this.#bytes += size
    const fail = (error: unknown) => this.#finish(one, error instanceof Error ? error : new Error(String(error)))
    try {
      work().then(() => this.#finish(one, undefined), fail)
    } catch (error) {
      fail(error)
    }
  }

  /** No more from here on; resolves when nothing is under way. */
  async drain(): Promise<void> {
    this.#closed = true
    if (this.#waiting.size === 0) return
    await new Promise<void>((resolve) => {
      this.#draining = resolve
    })
  }

  #wakeSome(): void {
    for (const wake of this.#sleepers) {
      if (!this.hasRoom()) return
      this.#sleepers.delete(wake)
      wake()
    }
  }

  /** Thousands of sockets may be full at once; answering calls of people must not wait for all of them. */
  #countTurn(frames: number): void {
    this.#inTurn += frames
    this.#turnEnds ??= setImmediate(() => {
      this.#turnEnds = undefined
      this.#inTurn = 0
      this.#wakeSome()
    })
  }

  #finish(one: Waiting, error: Error | undefined): void {
    if (!this.#waiting.delete(one)) return
    this.#finished++
    this.#bytes -= one.bytes
    one.settle(error)
    if (this.#sleepers.size > 0) this.#wakeSome()
    if (this.#draining && this.#waiting.size === 0) this.#draining()
  }

  #sweep(): void {
    const now = performance.now()
    this.#measurePace(now)
    const { storeMs } = this.#limits
    for (const one of this.#waiting) {
      if (one.startedAt > now - storeMs) break
      this.#finish(one, new StoreTimeout(`not stored in ${storeMs} ms`))
    }
  }

  #measurePace(now: number): void {
    const { storeMs, totalInflight } = this.#limits
    this.#perMs += (this.#finished / Math.max(now - this.#measuredAt, 1) - this.#perMs) * weight
    this.#finished = 0
    this.#measuredAt = now
    this.#most = Math.min(Math.max(fewest, Math.ceil(this.#perMs * storeMs * shareOfTime)), totalInflight)
    this.#wakeSome()
  }
}

const badWillTopic = /^$|[+#\0]/

export class Uplink {
  readonly #core: BrokerCore
  readonly #intake: Intake

  constructor(core: BrokerCore, intake: Intake) {
    this.#core = core
    this.#intake = intake
  }

  /** The gate asks before a PUBLISH is read. */
  mayPass(connection: Connection): boolean {
    if (connection.leaving) return false
    const { limits, limited } = this.#core
    const intake = this.#intake
    const most = this.#mostOf(connection)
    if (connection.inflight + connection.underway >= most) {
      connection.full = true
      limited('inflight', connection, `未确认的消息达到 ${most} 条，暂停接收`)
      return false
    }
    if (!intake.hasRoom()) {
      limited('inflight', connection, '平台正在处理的消息过多，暂停接收')
      intake.whenRoom(() => connection.gate?.resume())
      return false
    }
    const pace = connection.paceMs(limits, performance.now())
    if (pace === 0) {
      connection.underway++
      intake.announce(1)
      return true
    }
    const allowed = connection.isGateway ? limits.gatewayMessageRate : limits.messageRate
    if (pace === undefined) {
      limited('messageRate', connection, `消息持续超过每秒 ${allowed} 条，断开连接`)
      connection.drop('消息过于频繁')
      return false
    }
    limited('messageRate', connection, `消息超过每秒 ${allowed} 条，暂停接收`)
    connection.rateTimer = setTimeout(() => connection.gate?.resume(), pace)
    return false
  }

  /** For aedes: messages, and wills when a connection ends. */
  receive(
    connection: Connection | undefined,
    client: Client | null,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): void {
    const { hooks, clock, metrics } = this.#core
    const session = connection?.session
    if (!connection || !session || !client) {
      done(new Error('nobody has signed in'))
      return
    }
    const isWill = inside(client).will === packet
    if (!isWill) this.#forget(connection, 1)
    if (isWill && (badWillTopic.test(packet.topic) || !connection.ready)) {
      done(new Error('no such topic'))
      return
    }
    // decisions.md 2 "Retained messages".
    packet.retain = false
    const { topic, qos, dup } = packet
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    const receivedAt = clock.now()
    connection.inflight++
    metrics.message('up')
    this.#intake.take(
      payload.length + topic.length,
      () => hooks.message({ session, topic, payload, qos, dup, receivedAt }),
      (error) => this.#settle(connection, error, done),
    )
  }

  ended(connection: Connection): void {
    this.#forget(connection, connection.underway)
  }

  #mostOf({ isGateway }: Connection): number {
    const { gatewayInflight, inflight } = this.#core.limits
    return isGateway ? gatewayInflight : inflight
  }

  /** Frames that arrived, or never will. */
  #forget(connection: Connection, frames: number): void {
    connection.underway -= frames
    this.#intake.announce(-frames)
  }

  #settle(connection: Connection, error: Error | undefined, done: (error?: Error | null) => void): void {
    const { limits, limited, log } = this.#core
    connection.inflight--
    if (error instanceof StoreTimeout) {
      limited('storeTimeout', connection, `消息在 ${limits.storeMs / 1000} 秒内未能保存，断开连接`)
      connection.reason ||= '消息保存超时'
    } else if (error) {
      log.warn({ err: error, clientID: connection.session?.clientID }, 'a message could not be stored')
      connection.reason ||= '消息保存失败'
    }
    // An error ends the connection without PUBACK: the device sends it again (decisions.md 4.1).
    done(error ?? null)
    connection.leaveWhenIdle()
    if (connection.full && connection.inflight <= this.#mostOf(connection) / 2) {
      connection.full = false
      connection.gate?.resume()
    }
  }
}
