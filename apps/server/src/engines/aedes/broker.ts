/**
 * The MQTT broker in our process (ports/broker.ts): aedes speaks the protocol, everything that decides is here or in the
 * hooks. No client can make it buffer, queue or wait without bound (limits.ts).
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Client } from 'aedes'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Broker, BrokerHooks } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import { guardParser, inside, makeQuietAedes } from './aedes-inside.ts'
import { Connection } from './connection.ts'
import { makeCore } from './core.ts'
import { makeDownlink } from './downlink.ts'
import { FrameGate, type GateRules } from './frame-gate.ts'
import { makeIntake } from './intake.ts'
import { type BrokerLimits, defaultLimits } from './limits.ts'
import { type ListenOptions, makeListeners } from './listeners.ts'
import { makeBrokerMetrics } from './metrics.ts'
import { makePersistence } from './persistence.ts'
import { SessionStore } from './session-store.ts'
import { makeShelf } from './shelf.ts'
import { makeSignIn } from './sign-in.ts'
import { deviceOfKey } from './topic-filter.ts'
import { makeUplink } from './uplink.ts'

export interface AedesBrokerOptions {
  hooks: BrokerHooks
  limits?: Partial<BrokerLimits>
  log: Logger
  metrics: Registry
  clock: Clock
  /** Folder of the sessions that outlive a restart; unset: they do not. */
  persistenceDir?: string
}

export interface AedesBroker extends Broker {
  start(options: ListenOptions): Promise<void>
  address(): { port: number; tlsPort: number }
  /** A client that came another way, for example by WebSocket. */
  accept(stream: Duplex, ip: string): void
  /** Messages under way are finished, then all connections end. */
  stop(): Promise<void>
}

const brokerID = 'ithings'
const connectTimeoutMs = 10_000
const slowReaderMs = 60_000
/** QoS 2 messages between PUBLISH and PUBREL of one client. */
const receivedQos2 = 100
const expiryMs = 3_600_000

const plainAddress = (ip: string): string => (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip)

const describeError = (error: Error): string => {
  if (error.message === 'drain timeout') return '设备接收过慢'
  if ((error as NodeJS.ErrnoException).code) return '连接中断'
  return `协议错误：${error.message}`
}

class SignInRefused extends Error {
  readonly returnCode: number
  constructor(returnCode: number) {
    super('sign-in refused')
    this.returnCode = returnCode
  }
}

export function makeAedesBroker(options: AedesBrokerOptions): AedesBroker {
  const { hooks, log, clock } = options
  const limits: BrokerLimits = { ...defaultLimits, ...options.limits }
  const connections = new Set<Connection>()
  const byClient = new WeakMap<Client, Connection>()
  const intake = makeIntake(limits)
  const store: SessionStore = new SessionStore({
    shelf: makeShelf(options.persistenceDir, (text) => log.warn({ folder: options.persistenceDir }, text)),
    limits,
    clock,
    isLive: (clientID) => core.claims.get(deviceOfKey(clientID))?.clientKey === clientID,
    dropped: (count) => metrics.queueDropped(count),
  })
  const metrics = makeBrokerMetrics(options.metrics, {
    connections: () => connections.size,
    inflight: () => intake.count,
    sessions: () => store.size,
    queued: () => store.queued,
  })
  const core = makeCore({ hooks, limits, clock, log, metrics, intake })
  const signIn = makeSignIn(core)
  const uplink = makeUplink(core)
  let expiry: NodeJS.Timeout | undefined
  let stopping = false

  const aedes = makeQuietAedes({
    id: brokerID,
    persistence: makePersistence({ store, brokerID, mayHear: (id, topic) => downlink.mayHear(id, topic) }),
    connectTimeout: connectTimeoutMs,
    drainTimeout: slowReaderMs,
    maxInflightInbound: receivedQos2,
    maxClientsIdLength: 256,
    authenticate(client, userName, password, done) {
      const connection = byClient.get(client)
      if (!connection) return done(new SignInRefused(3), false)
      signIn.signIn(connection, client, userName ?? '', password?.toString() ?? '').then(
        (code) => {
          if (code === 0) done(null, true)
          else if (code !== undefined) done(new SignInRefused(code), false)
        },
        (error) => {
          log.error({ err: error }, 'a sign-in failed')
          connection.drop('暂时无法核对身份')
        },
      )
    },
    authorizePublish: (client, packet, done) =>
      uplink.receive(client ? byClient.get(client) : undefined, client, packet, done),
    authorizeSubscribe: (client, asked, done) =>
      downlink.subscribe(byClient.get(client), client, asked, done as Parameters<typeof downlink.subscribe>[3]),
  })
  const downlink = makeDownlink(core, aedes, store)

  const blame = (client: Client, reason: string) => {
    const connection = byClient.get(client)
    if (connection) connection.reason ||= reason
  }
  // In this order: the platform knows of the session when the device reads its CONNACK, and before its first message.
  aedes.on('client', (client) => {
    const connection = byClient.get(client)
    // aedes lets clients in that hung up while their session was read.
    if (!connection || connection.left) aedes.forget(client)
    else signIn.becameReady(connection)
  })
  aedes.on('clientReady', (client) => byClient.get(client)?.gate?.open())
  aedes.on('unsubscribe', (_topics, client) => downlink.unsubscribed(byClient.get(client), client))
  aedes.on('keepaliveTimeout', (client) => blame(client, '心跳超时'))
  aedes.on('clientError', (client, error) => blame(client, describeError(error)))
  aedes.on('connectionError', (client, error) => blame(client, describeError(error)))
  ;(aedes as NodeJS.EventEmitter).on('error', (error) => log.error({ err: error }, 'the broker has trouble'))

  function ended(connection: Connection): void {
    connection.ended = true
    connections.delete(connection)
    clearTimeout(connection.rateTimer)
    clearTimeout(connection.lifeTimer)
    uplink.ended(connection)
    downlink.unwatchAll(connection)
    if (store.has(connection.clientKey)) {
      store.touch(connection.clientKey).catch((error) => log.warn({ err: error }, 'a session could not be stored'))
    }
    signIn.ended(connection)
  }

  const rules: GateRules<Connection> = {
    connectBytes: limits.connectBytes,
    packetBytes: limits.packetBytes,
    mayPass: uplink.mayPass,
    broken(connection, why, detail) {
      if (why === 'packetSize') core.limited('packetSize', connection, detail)
      else metrics.refused('protocol')
      connection.drop(why === 'packetSize' ? '报文过大' : `协议错误：${detail}`)
    },
  }

  function accept(stream: Duplex, address: string): void {
    stream.on('error', () => {})
    const ip = plainAddress(address)
    const full = connections.size >= limits.connections
    if (stopping || full) {
      if (full) core.limited('connections', undefined, `上限 ${limits.connections}`, { ip, clientID: '' })
      stream.destroy()
      return
    }
    const connection = new Connection(stream, ip)
    connections.add(connection)
    // aedes hears of the end first, so that a last will is on its way by then.
    stream.once('close', () => setImmediate(ended, connection))
    connection.gate = new FrameGate(stream, rules, connection)
    const client = aedes.handle(stream)
    connection.client = client
    byClient.set(client, connection)
    guardParser(client, (error) => {
      metrics.refused('protocol')
      connection.drop(describeError(error))
    })
  }

  const acceptSocket = (socket: Socket) => accept(socket, socket.remoteAddress ?? '')
  const listeners = makeListeners(acceptSocket, (error) => log.error({ err: error }, 'an MQTT port has trouble'))

  return {
    accept,
    address: listeners.address,
    publish: downlink.publish,
    get connections() {
      return connections.size
    },
    sessionOf(productID, deviceName) {
      const connection = core.claims.get(`${productID}/${deviceName}`)
      return connection?.ready ? connection.session : undefined
    },
    async kick(productID, deviceName, reason) {
      const connection = core.claims.get(`${productID}/${deviceName}`)
      if (!connection) return
      connection.drop(`平台断开：${reason}`)
      await connection.untilGone()
    },
    async start(listen) {
      stopping = false
      intake.start()
      await aedes.listen()
      aedes.counter = Math.max(aedes.counter, store.lastSeq)
      expiry = setInterval(() => {
        store.dropExpired().catch((error) => log.warn({ err: error }, 'old sessions could not be removed'))
      }, expiryMs)
      expiry.unref()
      await listeners.open(listen)
    },
    async stop() {
      stopping = true
      clearInterval(expiry)
      const closed = listeners.close()
      await intake.drain()
      const open = [...connections]
      for (const connection of open) {
        // The platform ends, not the device: its will is not meant for that.
        if (connection.client) inside(connection.client).will = null
        connection.drop('平台停止')
      }
      await Promise.all(open.map((connection) => connection.untilGone()))
      await new Promise<void>((resolve) => aedes.close(resolve))
      await closed
      intake.stop()
      await store.close()
    },
  }
}
