/**
 * One session at the broker that others run. A message is acknowledged to it when ours is committed and not before: what
 * was not acknowledged comes again after each new connection, to whoever has the session by then.
 */
import type { IConnackPacket, IPublishPacket, MqttClient } from 'mqtt'
import type { Logger } from 'pino'
import type { UpstreamMessage } from '#ports/upstream.ts'
import { Intake, type IntakeLimits } from '../intake/intake.ts'
import { Acknowledgements, type Owed } from './acknowledgements.ts'
import { connectUpstream, retryMs } from './connect.ts'
import type { UpstreamAddress } from './upstream-address.ts'

export interface SessionOptions {
  address: UpstreamAddress
  clientID: string
  filters: string[]
  /** Resolves when it is stored; rejects when the broker has to bring it again. */
  take(message: UpstreamMessage): Promise<void>
  /** It listens again after it did not. */
  opened(): void
  log: Logger
}

/** Beyond this the socket is not read on, and what comes waits in the broker. */
const limits: IntakeLimits = {
  totalInflight: 10_000,
  totalInflightBytes: 32 * 1024 * 1024,
  perTurn: Number.POSITIVE_INFINITY,
  storeMs: 5_000,
}
/** A store that is in trouble is not asked again and again at once. */
const pauseMs = 5_000
const goodbyeMs = 5_000

/** Tells mqtt.js to read on without a PUBACK of its own. */
const readOn = new Error('acknowledged later')

type Stream = MqttClient['stream']

/** Of one connection; a new one begins with nothing, because the broker sends everything again. */
interface Connection {
  stream: Stream
  acknowledgements: Acknowledgements
  flushing: boolean
}

export class UpstreamSession {
  readonly #options: SessionOptions
  readonly #intake = new Intake(limits)
  readonly #client: MqttClient
  #connection: Connection | undefined
  #listens = false
  #trouble = ''

  constructor(options: SessionOptions) {
    this.#options = options
    this.#intake.start()
    const { address, clientID } = options
    // The session outlives the connection: nothing is lost while nobody is connected.
    const client = connectUpstream(address, { clientId: clientID, clean: false })
    this.#client = client
    client.handleMessage = (packet, next) => this.#received(packet, next)
    // What waited in the session comes right behind the CONNACK, before mqtt.js says that it is connected.
    client.on('packetreceive', (packet) => packet.cmd === 'connack' && this.#begin(packet))
    client.on('connect', () => void this.#subscribe())
    client.on('close', () => this.#closed())
    client.on('error', (error) => this.#troubled(error))
  }

  /** '' when it listens. */
  get trouble(): string {
    return this.#listens ? '' : this.#trouble || 'not connected yet'
  }

  get inflight(): number {
    return this.#intake.count
  }

  /** What was taken is stored and acknowledged; the session stays at the broker. */
  async stop(): Promise<void> {
    await this.#intake.drain()
    this.#intake.stop()
    if (this.#connection) this.#flush(this.#connection)
    await this.#end(false)
  }

  /** At once: somebody else may have the session by now. */
  async drop(): Promise<void> {
    this.#connection = undefined
    this.#intake.stop()
    await this.#end(true)
  }

  async #end(force: boolean): Promise<void> {
    const ended = this.#client.endAsync(force).catch(() => undefined)
    const limit = setTimeout(() => this.#client.stream.destroy(), goodbyeMs)
    await ended
    clearTimeout(limit)
  }

  #begin({ returnCode = 0, sessionPresent }: IConnackPacket): void {
    if (returnCode !== 0) return
    // At the first start of all there was none; later it has expired or was removed there.
    if (!sessionPresent) {
      const { log, clientID } = this.#options
      log.warn({ clientID }, 'the upstream MQTT server has no session of ours: what was said before now is not heard')
    }
    this.#connection = { stream: this.#client.stream, acknowledgements: new Acknowledgements(), flushing: false }
  }

  async #subscribe(): Promise<void> {
    const connection = this.#connection
    if (!connection) return
    const wanted = Object.fromEntries(this.#options.filters.map((filter) => [filter, { qos: 1 as const }]))
    try {
      await this.#client.subscribeAsync(wanted)
    } catch (error) {
      this.#troubled(new Error('the broker does not let us subscribe', { cause: error }))
      if (this.#connection === connection) this.#breakOff(connection, pauseMs)
      return
    }
    if (this.#connection !== connection) return
    this.#listens = true
    this.#trouble = ''
    this.#options.opened()
  }

  #closed(): void {
    this.#connection = undefined
    this.#listens = false
  }

  #troubled(error: Error): void {
    const said = this.#trouble
    this.#trouble = error.message || (error as NodeJS.ErrnoException).code || 'the connection has failed'
    if (this.#trouble !== said) this.#options.log.warn({ err: error }, 'the upstream MQTT server is in trouble')
  }

  /** By mqtt.js, one after the other; it reads on when it is told to. */
  #received(packet: IPublishPacket, next: (error?: Error) => void): void {
    const { topic, payload, qos, dup, messageId } = packet
    const connection = this.#connection
    // It was broken off: the rest comes again with the next one, which begins by itself.
    if (!connection) return
    const owed = qos === 0 || messageId === undefined ? undefined : connection.acknowledgements.received(messageId)
    // What the broker keeps of the past, and tells whoever subscribes again: it came when it was new.
    if (packet.retain) {
      this.#settled(connection, owed, undefined)
      next(readOn)
      return
    }
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    this.#intake.take(
      bytes.length + topic.length,
      () => this.#options.take({ topic, payload: bytes, qos, dup }),
      (error) => this.#settled(connection, owed, error),
    )
    if (this.#intake.hasRoom()) next(readOn)
    else this.#intake.whenRoom(() => next(readOn))
  }

  #settled(connection: Connection, owed: Owed | undefined, error: Error | undefined): void {
    if (connection !== this.#connection) return
    if (error) {
      this.#options.log.warn({ err: error }, 'a message of the upstream MQTT server could not be stored')
      // Sent with QoS 0 it would not come again; everything else would come twice.
      if (owed) this.#breakOff(connection, pauseMs)
      return
    }
    if (!owed) return
    owed.stored = true
    // One commit stores many: they are told together.
    if (connection.flushing) return
    connection.flushing = true
    setImmediate(() => this.#flush(connection))
  }

  #flush(connection: Connection): void {
    connection.flushing = false
    const bytes = connection.acknowledgements.take()
    if (!bytes || connection.stream.destroyed) return
    this.#client.options.reconnectPeriod = retryMs
    connection.stream.write(bytes)
  }

  /** Without an acknowledgement: the broker sends it again on the next connection. */
  #breakOff(connection: Connection, pause: number): void {
    this.#connection = undefined
    this.#client.options.reconnectPeriod = pause
    connection.stream.destroy()
  }
}
