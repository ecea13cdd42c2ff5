/** Real devices for room tests: mqtt.js with the credentials that the platform gives. */
import { clientIDOf, passwordOf, randomConnID, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import type { World } from './world.ts'

export interface DeviceKey {
  productID: string
  deviceName: string
}
export type Message = Record<string, unknown>
export interface Received {
  topic: string
  payload: Buffer
  /** {} when it is no JSON object. */
  message: Message
}

const daySeconds = 86_400
const patienceMs = 120_000

/** What the device signs in with; its secret is read as an administrator. */
export async function credentialsOf(world: World, key: DeviceKey): Promise<IClientOptions> {
  const { secret } = await world.asAdmin(readDevice, key)
  const clientId = clientIDOf(key)
  const username = userNameOf(clientId, randomConnID(), Math.floor(world.clock.now() / 1000) + daySeconds)
  return { clientId, username, password: passwordOf(username, secret, SignMethod.sha256) }
}

export interface TestDevice {
  key: DeviceKey
  client: MqttClient
  /** Everything that came and was not taken by `next`. */
  received: Received[]
  /** QoS 1 on `$<head>/up/<type>` of a path like thing/property; resolves with the PUBACK. `of`: a child's topic. */
  publish(path: string, message: unknown, options?: { of?: DeviceKey; dup?: boolean }): Promise<void>
  publishRaw(topic: string, payload: string | Uint8Array, options?: { dup?: boolean }): Promise<void>
  /** The next message on a down topic that satisfies the condition; it is taken out of `received`. */
  next(path: string, want?: (message: Message) => boolean, of?: DeviceKey): Promise<Message>
  nextRaw(want: (one: Received) => boolean): Promise<Received>
  /** Publishes, and waits for an answer with the same token on the same path. */
  ask(path: string, message: Message, of?: DeviceKey): Promise<Message>
  /** Asks for something else and waits for its answer: what has not come by then will not come. */
  quiet(): Promise<Received[]>
  /** Resolves when the connection has ended. */
  closed: Promise<void>
  end(): Promise<void>
}

const read = (payload: Buffer): Message => {
  try {
    const value = JSON.parse(payload.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const topicOf = (path: string, way: 'up' | 'down', { productID, deviceName }: DeviceKey): string =>
  `$${path.replace('/', `/${way}/`)}/${productID}/${deviceName}`

const tokenOf = ({ msgToken, clientToken }: Message) => msgToken ?? clientToken

let asked = 0

/** Connects and subscribes to what the platform sends to it. */
export async function connectDevice(
  world: World,
  key: DeviceKey,
  options: IClientOptions & { subscribe?: string[]; url?: string } = {},
): Promise<TestDevice> {
  const own = `${key.productID}/${key.deviceName}`
  const heads = ['thing', 'gateway', 'log', 'config', 'ext']
  const all = [...heads.map((head) => `$${head}/down/+/${own}`), `$thing/down/+/custom/${own}`]
  const { subscribe = all, url = `mqtt://127.0.0.1:${world.app.mqtt.port}`, ...given } = options
  const client = await connectAsync(url, {
    ...(given.clientId === undefined ? await credentialsOf(world, key) : {}),
    reconnectPeriod: 0,
    connectTimeout: patienceMs,
    ...given,
  })
  const received: Received[] = []
  const listeners = new Set<() => void>()
  client.on('message', (topic, payload) => {
    received.push({ topic, payload, message: read(payload) })
    for (const look of [...listeners]) look()
  })
  // Hundreds of messages may be under way at once.
  client.setMaxListeners(0)
  // A connection that the platform ends is an answer too.
  client.on('error', () => {})
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  if (subscribe.length > 0) await client.subscribeAsync(subscribe, { qos: 1 })

  const device: TestDevice = {
    key,
    client,
    received,
    closed,
    publish: (path, message, { of = key, dup = false } = {}) =>
      device.publishRaw(topicOf(path, 'up', of), JSON.stringify(message), { dup }),
    publishRaw: (topic, payload, { dup = false } = {}) =>
      new Promise((resolve, reject) => {
        const gone = () => reject(new Error('the connection was closed without an acknowledgement'))
        if (!client.connected) return gone()
        client.once('close', gone)
        const bytes = typeof payload === 'string' ? payload : Buffer.from(payload)
        client.publish(topic, bytes, { qos: 1, dup }, (error) => {
          client.off('close', gone)
          if (error) reject(error)
          else resolve()
        })
      }),
    next: async (path, want = () => true, of = key) => {
      const topic = topicOf(path, 'down', of)
      return (await device.nextRaw((one) => one.topic === topic && want(one.message))).message
    },
    nextRaw: (want) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(look)
          reject(new Error(`nothing of that kind came; there is ${JSON.stringify(received.slice(-5))}`))
        }, patienceMs)
        const look = () => {
          const at = received.findIndex(want)
          if (at < 0) return
          clearTimeout(timer)
          listeners.delete(look)
          resolve(received.splice(at, 1)[0] as Received)
        }
        listeners.add(look)
        look()
      }),
    ask: async (path, message, of = key) => {
      const token = tokenOf(message) ?? `ask-${++asked}`
      const full = tokenOf(message) === undefined ? { ...message, clientToken: token } : message
      await device.publish(path, full, { of })
      return device.next(path, (reply) => tokenOf(reply) === token, of)
    },
    quiet: async () => {
      await device.ask('ext/ntp', { method: 'getNtp' })
      return [...received]
    },
    end: async () => {
      await client.endAsync(true)
    },
  }
  return device
}

/**
 * What a device does whose connection ended before its message was acknowledged: it comes back and sends it again, until
 * it is. Who is back at once may find its earlier message still being given up, and this one with it.
 */
export async function sendAgain(world: World, key: DeviceKey, path: string, message: Message): Promise<TestDevice> {
  const end = Date.now() + patienceMs
  for (;;) {
    const back = await connectDevice(world, key)
    try {
      await back.publish(path, message, { dup: true })
      return back
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
