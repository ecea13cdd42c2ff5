/** A command on its way to a device with a stored session that moves to another server on the same database. */
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { deleteDevice, readDevice } from '@ithings/contract/features/devices/info.ts'
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { credentialsOf, type DeviceKey } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'

const config = { databaseUrl: 'shared' }
let one: World
let two: World
let productID: string
beforeAll(async () => {
  one = await openWorld({ config })
  two = await openWorld({ config, databaseUrl: one.url })
  productID = await makeFullProduct(one)
})
afterAll(async () => {
  await two.close()
  await one.close()
})

interface Device {
  client: MqttClient
  sessionPresent: boolean
  commands: Array<{ power: unknown; token: string; dup: boolean }>
}

async function connect(world: World, key: DeviceKey, acknowledges: boolean): Promise<Device> {
  const commands: Device['commands'] = []
  const url = `mqtt://127.0.0.1:${world.app.mqtt.port}`
  const client = mqtt.connect(url, { ...(await credentialsOf(world, key)), clean: false, reconnectPeriod: 0 })
  if (!acknowledges) client.handleMessage = () => {}
  client.on('error', () => {})
  client.on('message', (_topic, payload, { dup }: IPublishPacket) => {
    const { method, params, clientToken } = JSON.parse(payload.toString())
    if (method === 'control') commands.push({ power: params.power, token: clientToken, dup })
  })
  const sessionPresent = await new Promise<boolean>((resolve, reject) => {
    client.once('connect', (packet) => resolve(packet.sessionPresent))
    client.once('close', () => reject(new Error('it was not let in')))
  })
  return { client, sessionPresent, commands }
}

const storedOf = async () => (await one.db.selectFrom('mqtt_session').select('device_id').execute()).length

test('it is repeated by the server that the device comes to, its answer counts, and the session goes with the device', async () => {
  const key = await makeDevice(one, productID)
  const topic = `$thing/down/property/${key.productID}/${key.deviceName}`
  const first = await connect(one, key, false)
  expect(first.sessionPresent).toBe(false)
  await first.client.subscribeAsync(topic, { qos: 1 })
  await expect.poll(async () => (await two.asAdmin(readDevice, key)).isOnline).toBe(1)
  const answer = two.asAdmin(sendProperty, { ...key, data: JSON.stringify({ power: 1 }), isAsync: false })
  await expect.poll(() => first.commands.length).toBe(1)
  expect(first.commands[0]?.dup).toBe(false)

  const second = await connect(two, key, true)
  expect(second.sessionPresent).toBe(true)
  await expect.poll(() => second.commands.length).toBe(1)
  expect(second.commands[0]).toEqual({ ...first.commands[0], dup: true })
  const reply = { method: 'controlReply', clientToken: second.commands[0]?.token, code: 200, msg: '' }
  await second.client.publishAsync(topic.replace('down', 'up'), JSON.stringify(reply), { qos: 1 })
  expect(await answer).toMatchObject({ code: 200 })
  await expect.poll(() => one.db.selectFrom('mqtt_message').selectAll().execute()).toEqual([])

  await first.client.endAsync(true)
  await second.client.endAsync(true)
  expect(await storedOf()).toBe(1)
  await one.asAdmin(deleteDevice, key)
  expect(await storedOf()).toBe(0)
})
