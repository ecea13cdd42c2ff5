/**
 * The MQTT broker in our process (ports/broker.ts): aedes speaks the protocol, everything that decides is here or in the
 * hooks. No client can make it buffer, queue or wait without bound (limits.ts).
 */

import type { Duplex } from 'node:stream'
import { kept, type Phrase, phrase } from '@ithings/contract/text.ts'
import type { Client } from 'aedes'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Broker, BrokerHooks, Session } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { SessionStore } from '#ports/session-store.ts'
import { Intake } from '../intake/intake.ts'
import { guardParser, inside, makeQuietAedes, type QuietAedes } from './aedes-inside.ts'
import { Connection } from './connection.ts'
import { type BrokerCore, makeCore } from './core.ts'
import { Downlink } from './downlink.ts'
import { describeError, protocolText, silentText, standstillText, stoppedText, tooBigText } from './end-reasons.ts'
import { FrameGate, type GateRules } from './frame-gate.ts'
import { leaveEvenly } from './leave-evenly.ts'
import { type BrokerLimits, defaultLimits } from './limits.ts'
import { type Listeners, type ListenOptions, makeListeners } from './listeners.ts'
import { makeBrokerMetrics } from './metrics.ts'
import { makePersistence } from './persistence.ts'
import { onceAMinute } from './proxied-socket.ts'
import { SignIn, SignInRefused, unprovenText } from './sign-in.ts'
import { type Standstill, watchStandstill } from './standstill.ts'
import { deviceOfKey } from './topic-filter.ts'
import { Uplink } from './uplink.ts'

export interface AedesBrokerOptions {
  hooks: BrokerHooks
  limits?: Partial<BrokerLimits>
  log: Logger
  metrics: Registry
  clock: Clock
  sessions: SessionStore
  /** Beside other servers: who stood still for longer ends all its connections. */
  standstillMs?: number | undefined
}

const brokerID = 'ithings'
const connectTimeoutMs = 10_000
const slowReaderMs = 60_000
/** QoS 2 messages between PUBLISH and PUBREL of one client. */
const receivedQos2 = 100

const plainAddress = (ip: string): string => (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip)

export class AedesBroker implements Broker {
  readonly #log: Logger
  readonly #limits: BrokerLimits
  readonly #core: BrokerCore
  readonly #intake: Intake
  readonly #aedes: QuietAedes
  readonly #signIn: SignIn
  readonly #uplink: Uplink
  readonly #downlink: Downlink
  readonly #listeners: Listeners
  readonly #rules: GateRules<Connection>
  readonly #standstill: Standstill | undefined
  readonly #connections = new Set<Connection>()
  readonly #byClient = new WeakMap<Client, Connection>()
  #stopping = false

  constructor(options: AedesBrokerOptions) {
    const { hooks, log, clock, sessions: store } = options
    const limits: BrokerLimits = { ...defaultLimits, ...options.limits }
    this.#intake = new Intake(limits)
    this.#log = log
    this.#limits = limits
    const metrics = makeBrokerMetrics(options.metrics, {
      connections: () => this.#connections.size,
      inflight: () => this.#intake.count,
      stored: () => store.count(),
    })
    this.#core = makeCore({ hooks, limits, clock, log, metrics, store })
    this.#signIn = new SignIn(this.#core)
    this.#uplink = new Uplink(this.#core, this.#intake)
    this.#aedes = this.#makeAedes()
    this.#downlink = new Downlink(this.#core, this.#aedes)
    this.#listenToAedes()
    this.#rules = {
      connectBytes: limits.connectBytes,
      packetBytes: limits.packetBytes,
      mayPass: (connection) => this.#standstill?.isAwake() !== false && this.#uplink.mayPass(connection),
      broken: (connection, why, detail) => this.#broken(connection, why, detail),
    }
    if (options.standstillMs !== undefined)
      this.#standstill = watchStandstill(options.standstillMs, (ms) => this.#stoodStill(ms))
    this.#listeners = makeListeners({
      accept: (socket, address) => this.accept(socket, address),
      failed: (error) => log.error({ err: error }, 'an MQTT port has trouble'),
      refused: onceAMinute((address, why) => log.warn({ address, why }, 'no good PROXY protocol header')),
      most: limits.connections,
    })
  }

  get connections(): number {
    return this.#connections.size
  }

  async start(listen: ListenOptions): Promise<void> {
    this.#stopping = false
    this.#intake.start()
    await this.#aedes.listen()
    await this.#listeners.open(listen)
  }

  /** Devices go to other servers, evenly within this time, and none come in until it is taken back. */
  async drain(ms: number, takenBack?: AbortSignal): Promise<void> {
    this.#stopping = true
    takenBack?.addEventListener('abort', () => {
      this.#stopping = false
    })
    const open = [...this.#connections]
    if (await leaveEvenly(open, ms, takenBack)) await Promise.all(open.map((connection) => connection.untilGone()))
  }

  /** Messages under way are finished, then all connections end. */
  async stop(): Promise<void> {
    this.#stopping = true
    const closed = this.#listeners.close()
    await this.#intake.drain()
    const open = [...this.#connections]
    for (const connection of open) {
      // The platform ends, not the device: its will is not meant for that.
      if (connection.client) inside(connection.client).will = null
      connection.drop(stoppedText)
    }
    await Promise.all(open.map((connection) => connection.untilGone()))
    await new Promise<void>((resolve) => this.#aedes.close(resolve))
    await closed
    this.#intake.stop()
    this.#standstill?.stop()
  }

  #stoodStill(ms: number): void {
    this.#log.warn({ ms: Math.round(ms), devices: this.#connections.size }, 'this server stood still')
    for (const connection of this.#connections) connection.drop(standstillText)
  }

  get ownPort(): number {
    return this.#listeners.ownPort()
  }

  address(): { port: number; tlsPort: number } {
    return this.#listeners.address()
  }

  /** A client that came, by one of our ports or another way, for example by WebSocket. */
  accept(stream: Duplex, address: string): void {
    stream.on('error', () => {})
    const ip = plainAddress(address)
    const most = this.#limits.connections
    const full = this.#connections.size >= most
    if (this.#stopping || full) {
      if (full) this.#core.limited('connections', undefined, phrase('上限 {most}', { most }), { ip, clientID: '' })
      stream.destroy()
      return
    }
    const connection = new Connection(stream, ip)
    this.#connections.add(connection)
    // aedes hears of the end first, so that a last will is on its way by then.
    stream.once('close', () => setImmediate(() => this.#ended(connection)))
    connection.gate = new FrameGate(stream, this.#rules, connection)
    const client = this.#aedes.handle(stream)
    connection.client = client
    this.#byClient.set(client, connection)
    guardParser(client, (error) => {
      this.#core.metrics.refused('protocol')
      connection.drop(describeError(error))
    })
  }

  publish(topic: string, payload: string | Uint8Array, asker?: Session): Promise<void> {
    return this.#downlink.publish(topic, payload, asker)
  }

  sessionOf(productID: string, deviceName: string): Session | undefined {
    const connection = this.#core.claims.get(`${productID}/${deviceName}`)
    return connection?.ready ? connection.session : undefined
  }

  async kick(productID: string, deviceName: string, reason: string): Promise<void> {
    const connection = this.#core.claims.get(`${productID}/${deviceName}`)
    if (!connection) return
    connection.drop(kept('平台断开：{reason}', { reason }))
    await connection.untilGone()
  }

  #makeAedes(): QuietAedes {
    const byClient = this.#byClient
    const mayHear = (id: string, topic: string) => this.#downlink.mayHear(id, topic)
    const storedOf = (client: { id: string }) => {
      const connection = byClient.get(client as Client) ?? this.#core.claims.get(deviceOfKey(client.id))
      return connection?.stored
    }
    const nextCounter = () => {
      this.#aedes.counter++
      return this.#aedes.counter
    }
    return makeQuietAedes({
      id: brokerID,
      persistence: makePersistence({ storedOf, nextCounter, brokerID, mayHear }),
      connectTimeout: connectTimeoutMs,
      drainTimeout: slowReaderMs,
      maxInflightInbound: receivedQos2,
      maxClientsIdLength: 256,
      authenticate: (client, userName, password, done) =>
        this.#authenticate(client, userName ?? '', password?.toString() ?? '', done),
      authorizePublish: (client, packet, done) =>
        this.#uplink.receive(client ? byClient.get(client) : undefined, client, packet, done),
      authorizeSubscribe: (client, asked, done) =>
        this.#downlink.subscribe(byClient.get(client), client, asked, done as Parameters<Downlink['subscribe']>[3]),
    })
  }

  #authenticate(
    client: Client,
    userName: string,
    password: string,
    done: (error: SignInRefused | null, success: boolean | null) => void,
  ): void {
    const connection = this.#byClient.get(client)
    if (!connection) {
      done(new SignInRefused(3), false)
      return
    }
    this.#signIn.signIn(connection, client, userName, password).then(
      (code) => {
        if (code === 0) done(null, true)
        else if (code !== undefined) done(new SignInRefused(code), false)
      },
      (error) => {
        this.#log.error({ err: error }, 'a sign-in failed')
        connection.drop(unprovenText)
      },
    )
  }

  #listenToAedes(): void {
    const aedes = this.#aedes
    const byClient = this.#byClient
    const blame = (client: Client, reason: string) => {
      const connection = byClient.get(client)
      if (connection) connection.reason ||= reason
    }
    // In this order: the platform knows of the session when the device reads its CONNACK, and before its first message.
    aedes.on('client', (client) => {
      const connection = byClient.get(client)
      // aedes lets clients in that hung up while their session was read.
      if (!connection || connection.left) aedes.forget(client)
      else this.#signIn.becameReady(connection)
    })
    aedes.on('clientReady', (client) => {
      const connection = byClient.get(client)
      if (connection) this.#downlink.caughtUp(connection)
      connection?.gate?.open()
    })
    aedes.on('unsubscribe', (_topics, client) => this.#downlink.unsubscribed(byClient.get(client), client))
    aedes.on('keepaliveTimeout', (client) => blame(client, silentText))
    aedes.on('clientError', (client, error) => blame(client, describeError(error)))
    aedes.on('connectionError', (client, error) => blame(client, describeError(error)))
    ;(aedes as NodeJS.EventEmitter).on('error', (error) => this.#log.error({ err: error }, 'the broker has trouble'))
  }

  #broken(connection: Connection, why: 'protocol' | 'packetSize', detail: Phrase): void {
    if (why === 'packetSize') this.#core.limited('packetSize', connection, detail)
    else this.#core.metrics.refused('protocol')
    connection.drop(why === 'packetSize' ? tooBigText : protocolText(detail))
  }

  #ended(connection: Connection): void {
    connection.ended = true
    if (connection.session) connection.session.ended = true
    this.#connections.delete(connection)
    clearTimeout(connection.rateTimer)
    clearTimeout(connection.lifeTimer)
    this.#uplink.ended(connection)
    this.#downlink.unwatchAll(connection)
    this.#signIn.ended(connection)
  }
}
