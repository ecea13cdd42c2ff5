/** PUBLISH of a device: back-pressure before it is read, our hook before its PUBACK. */
import type { Client, PublishPacket } from 'aedes'
import { inside } from './aedes-inside.ts'
import type { Connection } from './connection.ts'
import type { BrokerCore } from './core.ts'
import { StoreTimeout } from './intake.ts'

const badWillTopic = /^$|[+#\0]/

export function makeUplink(core: BrokerCore) {
  const { hooks, limits, clock, log, metrics, intake } = core

  /** The gate asks before a PUBLISH is read. */
  function mayPass(connection: Connection): boolean {
    const most = connection.isGateway ? limits.gatewayInflight : limits.inflight
    const resume = () => connection.gate?.resume()
    if (connection.inflight + connection.underway >= most) {
      connection.full = true
      core.limited('inflight', connection, `未确认的消息达到 ${most} 条，暂停接收`)
      return false
    }
    if (!intake.hasRoom()) {
      core.limited('inflight', connection, '平台正在处理的消息过多，暂停接收')
      intake.whenRoom(resume)
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
      core.limited('messageRate', connection, `消息持续超过每秒 ${allowed} 条，断开连接`)
      connection.drop('消息过于频繁')
      return false
    }
    core.limited('messageRate', connection, `消息超过每秒 ${allowed} 条，暂停接收`)
    connection.rateTimer = setTimeout(resume, pace)
    return false
  }

  /** Frames that arrived, or never will. */
  function forget(connection: Connection, frames: number): void {
    connection.underway -= frames
    intake.announce(-frames)
  }

  function settle(connection: Connection, error: Error | undefined, done: (error?: Error | null) => void): void {
    connection.inflight--
    if (error instanceof StoreTimeout) {
      core.limited('storeTimeout', connection, `消息在 ${limits.storeMs / 1000} 秒内未能保存，断开连接`)
      connection.reason ||= '消息保存超时'
    } else if (error) {
      log.warn({ err: error, clientID: connection.session?.clientID }, 'a message could not be stored')
      connection.reason ||= '消息保存失败'
    }
    // An error ends the connection without PUBACK: the device sends it again (decisions.md 4.1).
    done(error ?? null)
    const most = connection.isGateway ? limits.gatewayInflight : limits.inflight
    if (connection.full && connection.inflight <= most / 2) {
      connection.full = false
      connection.gate?.resume()
    }
  }

  /** For aedes: messages, and wills when a connection ends. */
  function receive(
    connection: Connection | undefined,
    client: Client | null,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): void {
    const session = connection?.session
    if (!connection || !session || !client) {
      done(new Error('nobody has signed in'))
      return
    }
    const isWill = inside(client).will === packet
    if (!isWill) forget(connection, 1)
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
    intake.take(
      payload.length + topic.length,
      () => hooks.message({ session, topic, payload, qos, dup, receivedAt }),
      (error) => settle(connection, error, done),
    )
  }

  return { mayPass, receive, ended: (connection: Connection) => forget(connection, connection.underway) }
}
