/** PUBLISH of a device: back-pressure before it is read, our hook before its PUBACK. */
import { kept, phrase } from '@ithings/contract/text.ts'
import type { Client, PublishPacket } from 'aedes'
import { StoreTimeout } from '#ports/journal.ts'
import type { Intake } from '../intake/intake.ts'
import { inside } from './aedes-inside.ts'
import type { Connection } from './connection.ts'
import type { BrokerCore } from './core.ts'

const tooFastText = kept('消息过于频繁')
const lateText = kept('消息保存超时')
const unstoredText = kept('消息保存失败')
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
    const passes = this.#passes(connection)
    if (connection.session) connection.session.unread = !passes
    return passes
  }

  #passes(connection: Connection): boolean {
    if (connection.leaving) return false
    const { limits, limited } = this.#core
    const intake = this.#intake
    const most = this.#mostOf(connection)
    if (connection.inflight + connection.underway >= most) {
      connection.full = true
      limited('inflight', connection, phrase('未确认的消息达到 {count} 条，暂停接收', { count: most }))
      return false
    }
    if (!intake.hasRoom()) {
      limited('inflight', connection, phrase('平台正在处理的消息过多，暂停接收'))
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
      limited('messageRate', connection, phrase('消息持续超过每秒 {count} 条，断开连接', { count: allowed }))
      connection.drop(tooFastText)
      return false
    }
    limited('messageRate', connection, phrase('消息超过每秒 {count} 条，暂停接收', { count: allowed }))
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
      () => hooks.message({ session, topic, payload, qos, dup, comesAgain: qos > 0 && !isWill, receivedAt }),
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
      const count = limits.storeMs / 1000
      limited('storeTimeout', connection, phrase('消息在 {count} 秒内未能保存，断开连接', { count }))
      connection.reason ||= lateText
    } else if (error) {
      log.warn({ err: error, clientID: connection.session?.clientID }, 'a message could not be stored')
      connection.reason ||= unstoredText
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
