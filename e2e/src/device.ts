/** A real device beside the browser: mqtt.js with the credentials that the platform gives. */
import { clientIDOf, passwordOf, randomConnID, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import type { Caller } from './api.ts'
import type { Platform } from './platform.ts'
import { patience } from './visit.ts'

export interface DeviceKey {
  productID: string
  deviceName: string
}

const dayS = 86_400

/** What the device signs in with; reads its secret as an administrator. */
export async function credentialsOf(call: Caller, key: DeviceKey): Promise<IClientOptions> {
  const { secret } = await call(readDevice, key)
  const clientId = clientIDOf(key)
  const username = userNameOf(clientId, randomConnID(), Math.floor(Date.now() / 1000) + dayS)
  return { clientId, username, password: passwordOf(username, secret, SignMethod.sha256) }
}

export interface WalkDevice {
  client: MqttClient
  /** QoS 1 on `$<kind>/up/<type>`; resolves with the PUBACK. */
  publish(path: string, message: Record<string, unknown>): Promise<void>
  /** The next message on a down topic that satisfies the condition. */
  next(path: string, want?: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  end(): Promise<void>
}

/** Connects, subscribes to its own down topics, and remembers what comes. */
export async function connectDevice(platform: Platform, call: Caller, key: DeviceKey): Promise<WalkDevice> {
  const own = `${key.productID}/${key.deviceName}`
  const client = await connectAsync(platform.mqttUrl, {
    ...(await credentialsOf(call, key)),
    reconnectPeriod: 0,
    connectTimeout: patience,
  })
  // A platform that is killed resets the connection: no error of the walk, which asks for messages by `next`.
  client.on('error', () => undefined)
  const seen: Array<{ topic: string; message: Record<string, unknown> }> = []
  const listeners = new Set<() => void>()
  client.on('message', (topic, payload) => {
    seen.push({ topic, message: JSON.parse(payload.toString('utf8')) })
    for (const look of [...listeners]) look()
  })
  await client.subscribeAsync(`$thing/down/+/${own}`, { qos: 1 })
  return {
    client,
    publish: async (path, message) => {
      await client.publishAsync(`$${path.replace('/', '/up/')}/${own}`, JSON.stringify(message), { qos: 1 })
    },
    next: (path, want = () => true) =>
      new Promise((resolve, reject) => {
        const topic = `$${path.replace('/', '/down/')}/${own}`
        const timer = setTimeout(() => {
          listeners.delete(look)
          reject(new Error(`nothing came on ${topic}; seen: ${JSON.stringify(seen.slice(-5))}`))
        }, patience)
        const look = () => {
          const at = seen.findIndex((one) => one.topic === topic && want(one.message))
          if (at < 0) return
          clearTimeout(timer)
          listeners.delete(look)
          const [found] = seen.splice(at, 1)
          resolve(found?.message ?? {})
        }
        listeners.add(look)
        look()
      }),
    end: async () => {
      await client.endAsync(true)
    },
  }
}
