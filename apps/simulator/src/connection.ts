/** The MQTT connection of a virtual device: signs in anew each time, comes back after every break. */
import {
  clientIDOf,
  defaultExpiryDays,
  passwordOf,
  randomConnID,
  SignMethod,
  userNameOf,
} from '@ithings/contract/device/credentials.ts'
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

export interface Connection {
  open(): void
  send(topic: string, payload: string): void
  subscribe(topics: string[]): void
  unsubscribe(topics: string[]): void
  /** Without goodbye, as when the power fails. */
  breakOff(): void
  close(): Promise<void>
  readonly connected: boolean
}

/** Messages without PUBACK; more are not sent. */
const maxUnacked = 100
const longestPause = 60_000
const goodbyeMs = 2000
const daySeconds = 24 * 3600

export function signIn(device: DeviceIdentity, now: number) {
  const clientId = clientIDOf(device)
  const username = userNameOf(clientId, randomConnID(), Math.floor(now / 1000) + defaultExpiryDays * daySeconds)
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

export function makeConnection(parts: ConnectionParts): Connection {
  const { url, device, options, scheduler, random, counts } = parts
  const { qos = 1, reconnectMs = 1000, keepaliveSeconds = 60, persistent = false } = options
  let client: MqttClient | undefined
  let ready = false
  let unacked = 0
  let failures = 0
  let reason = ''
  let retry: Cancel | undefined
  let closed = true

  const openLater = () => {
    if (closed || retry) return
    const pause = Math.min(reconnectMs * 2 ** failures++, longestPause)
    retry = scheduler.after(pause * random.between(0.5, 1), open)
  }

  function open(): void {
    retry = undefined
    if (closed || client) return
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
    client = own
    unacked = 0
    own.on('error', (error) => {
      reason = error.message
      own.end(true)
    })
    own.on('connect', () => {
      own.subscribe(parts.topics, { qos: 1 }, (error) => {
        if (client !== own || error) return
        ready = true
        failures = 0
        reason = ''
        counts.connects++
        options.onState?.({ connected: true, reason: '' })
        parts.ready()
      })
    })
    own.on('message', (topic, payload) => parts.heard(topic, payload))
    own.on('close', () => {
      if (client !== own) return
      own.end(true)
      client = undefined
      const was = ready
      ready = false
      if (was) parts.lost()
      options.onState?.({ connected: false, reason: reason || (was ? 'connection lost' : 'not reached') })
      openLater()
    })
  }

  return {
    get connected() {
      return ready
    },
    open() {
      closed = false
      open()
    },
    send(topic, payload) {
      if (!client || !ready) return
      if (unacked >= maxUnacked) {
        counts.skipped++
        return
      }
      counts.sent++
      unacked++
      const own = client
      const began = performance.now()
      own.publish(topic, payload, { qos }, (error) => {
        if (client === own) unacked--
        if (error) return
        counts.acked++
        options.onAck?.(performance.now() - began)
      })
    },
    subscribe(topics) {
      if (topics.length > 0) client?.subscribe(topics, { qos: 1 })
    },
    unsubscribe(topics) {
      if (topics.length > 0) client?.unsubscribe(topics)
    },
    breakOff: () => void client?.stream.destroy(),
    async close() {
      closed = true
      retry?.()
      retry = undefined
      const own = client
      client = undefined
      const was = ready
      ready = false
      if (was) parts.lost()
      if (own) await end(own, was)
      options.onState?.({ connected: false, reason: '' })
    },
  }
}
