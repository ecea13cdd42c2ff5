/** The MQTT connection of a virtual device: signs in anew each time, comes back after every break. */
import {
  clientIDOf,
  defaultExpiryDays,
  passwordOf,
  randomConnID,
  SignMethod,
  userNameOf,
} from '@ithings/contract/device/credentials.ts'
import { dayMs } from '@ithings/contract/durations.ts'
import { connect, type MqttClient } from 'mqtt'
import type { Counts, DeviceIdentity, SimulateOptions } from './options.ts'
import type { Random } from './random.ts'
import type { Cancel, Scheduler } from './scheduler.ts'

export interface ConnectionParts {
  url: string
  device: DeviceIdentity
  options: SimulateOptions
  scheduler: Scheduler
  random: Random
  counts: Counts
  /** Subscribed before `ready` is called. */
  topics: string[]
  ready(): void
  lost(): void
  heard(topic: string, payload: Uint8Array): void
}

/** Messages without PUBACK; more are not sent. */
const maxUnacked = 100
const longestPause = 60_000
const goodbyeMs = 2000

export function signIn(device: DeviceIdentity, now: number) {
  const clientId = clientIDOf(device)
  const username = userNameOf(clientId, randomConnID(), Math.floor((now + defaultExpiryDays * dayMs) / 1000))
  return { clientId, username, password: passwordOf(username, device.secret, SignMethod.sha256) }
}

/** Waits for what is on its way, but not for a broker that does not answer. */
async function end(client: MqttClient, gently: boolean): Promise<void> {
  const patience = setTimeout(() => client.end(true), gently ? goodbyeMs : 0)
  await new Promise<void>((resolve) => {
    client.once('close', resolve)
    client.end(!gently, () => resolve())
  })
  clearTimeout(patience)
}

export class Connection {
  readonly #parts: ConnectionParts
  #client: MqttClient | undefined
  #ready = false
  #unacked = 0
  #failures = 0
  /** What the library said last, for `onState`. */
  #reason = ''
  #retry: Cancel | undefined
  #closed = true

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  get connected(): boolean {
    return this.#ready
  }

  open(): void {
    this.#closed = false
    this.#connect()
  }

  send(topic: string, payload: string): void {
    const { counts, options } = this.#parts
    const own = this.#client
    if (!own || !this.#ready) return
    if (this.#unacked >= maxUnacked) {
      counts.skipped++
      return
    }
    counts.sent++
    this.#unacked++
    const began = performance.now()
    own.publish(topic, payload, { qos: options.qos ?? 1 }, (error) => {
      if (this.#client === own) this.#unacked--
      if (error) return
      counts.acked++
      options.onAck?.(performance.now() - began)
    })
  }

  subscribe(topics: string[]): void {
    if (topics.length > 0) this.#client?.subscribe(topics, { qos: 1 })
  }

  unsubscribe(topics: string[]): void {
    if (topics.length > 0) this.#client?.unsubscribe(topics)
  }

  /** Without goodbye, as when the power fails. */
  breakOff(): void {
    this.#client?.stream.destroy()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#retry?.()
    this.#retry = undefined
    const own = this.#client
    const was = this.#letGo()
    if (own) await end(own, was)
    this.#parts.options.onState?.({ connected: false, reason: '' })
  }

  #connect(): void {
    this.#retry = undefined
    if (this.#closed || this.#client) return
    const { url, device, options, topics, heard } = this.#parts
    const { keepaliveSeconds = 60, persistent = false } = options
    const own = connect(url, {
      ...signIn(device, Date.now()),
      clean: !persistent,
      keepalive: keepaliveSeconds,
      protocolVersion: 4,
      // Signed anew each time, so this file connects again, not the library.
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
    })
    this.#client = own
    this.#unacked = 0
    own.on('error', (error) => {
      this.#reason = error.message
      own.end(true)
    })
    own.on('connect', () => own.subscribe(topics, { qos: 1 }, (error) => error ?? this.#subscribed(own)))
    own.on('message', (topic, payload) => heard(topic, payload))
    own.on('close', () => this.#broke(own))
  }

  #subscribed(own: MqttClient): void {
    const { counts, options, ready } = this.#parts
    if (this.#client !== own) return
    this.#ready = true
    this.#failures = 0
    this.#reason = ''
    counts.connects++
    options.onState?.({ connected: true, reason: '' })
    ready()
  }

  #broke(own: MqttClient): void {
    if (this.#client !== own) return
    own.end(true)
    const was = this.#letGo()
    const reason = this.#reason || (was ? 'connection lost' : 'not reached')
    this.#parts.options.onState?.({ connected: false, reason })
    this.#openLater()
  }

  /** @returns whether it was ready */
  #letGo(): boolean {
    const was = this.#ready
    this.#client = undefined
    this.#ready = false
    if (was) this.#parts.lost()
    return was
  }

  #openLater(): void {
    if (this.#closed || this.#retry) return
    const { options, scheduler, random } = this.#parts
    const pause = Math.min((options.reconnectMs ?? 1000) * 2 ** this.#failures++, longestPause)
    this.#retry = scheduler.after(pause * random.between(0.5, 1), () => this.#connect())
  }
}
