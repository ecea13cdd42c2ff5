/** A real device at the real broker: connects with the credentials of its secret, hears and says what the test wants. */
import { clientIDOf, passwordOf, randomConnID, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import mqtt from 'mqtt'
import { expect } from 'vitest'
import type { World } from '#testing/world.ts'

type Key = { productID: string; deviceName: string }
type Message = Record<string, unknown>

export interface MqttDevice {
  /** Everything that came down, in its order. */
  heard: Array<{ topic: string; message: Message }>
  /** The next message of this method that no call of `next` has given yet. */
  next(method: string): Promise<Message>
  /** To a topic of itself, or of the device given, like thing/property; resolves with the PUBACK. */
  say(to: `${string}/${string}`, message: Message, as?: Key): Promise<void>
  readonly connected: boolean
  leave(): Promise<void>
}

export async function connectDevice(world: World, key: Key, children: Key[] = []): Promise<MqttDevice> {
  const { secret } = await world.asAdmin(readDevice, key)
  const clientId = clientIDOf(key)
  const username = userNameOf(clientId, randomConnID(), Math.floor(world.clock.now() / 1000) + 3600)
  const password = passwordOf(username, secret, SignMethod.sha256)
  const url = `mqtt://127.0.0.1:${world.app.mqtt.port}`
  const client = await mqtt.connectAsync(url, {
    clientId,
    username,
    password,
    reconnectPeriod: 0,
    connectTimeout: 120_000,
  })
  const heard: MqttDevice['heard'] = []
  const given = new Set<Message>()
  client.on('message', (topic, payload) => void heard.push({ topic, message: JSON.parse(payload.toString()) }))
  for (const { productID, deviceName } of [key, ...children]) {
    await client.subscribeAsync(`$thing/down/+/${productID}/${deviceName}`, { qos: 1 })
  }
  await client.subscribeAsync(`$log/down/+/${key.productID}/${key.deviceName}`, { qos: 1 })
  return {
    heard,
    async next(method) {
      const find = () => heard.find(({ message }) => message.method === method && !given.has(message))
      await expect.poll(find).toBeDefined()
      const { message } = find() as { message: Message }
      given.add(message)
      return message
    },
    async say(to, message, as = key) {
      const [head, type] = to.split('/')
      await client.publishAsync(`$${head}/up/${type}/${as.productID}/${as.deviceName}`, JSON.stringify(message), {
        qos: 1,
      })
    },
    get connected() {
      return client.connected
    },
    leave: () => client.endAsync(),
  }
}
