/** An MQTT server that tells of its clients as EMQX does: a plain aedes whose `$SYS` topics the test writes. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { clientIDOf } from '@ithings/contract/device/credentials.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { Aedes } from 'aedes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { eventually } from '#testing/eventually.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { readiness, upstreamSettings } from '#testing/upstream.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'

let broker: Aedes
let world: World
let key: DeviceKey
let url: string
const server = createServer()

beforeAll(async () => {
  broker = await Aedes.createBroker()
  server.on('connection', broker.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  world = await openWorld({ config: { upstream: upstreamSettings(url, { events: 'emqx', silentMs: 86_400_000 }) } })
  key = await makeDevice(world, await makeFullProduct(world))
  await eventually(async () => expect(await readiness(world)).toEqual({ status: 200, upstream: 'up' }))
})
afterAll(async () => {
  await world.close()
  await new Promise<void>((resolve) => broker.close(resolve))
  server.close()
})

function tell(word: 'connected' | 'disconnected', at: number, clientid = clientIDOf(key)): void {
  const times = word === 'connected' ? { connected_at: at } : { disconnected_at: at, reason: 'tcp_closed' }
  const payload = JSON.stringify({ username: 'foo', ts: at, ipaddress: '10.0.0.9', clientid, ...times })
  const topic = `$SYS/brokers/emqx@127.0.0.1/clients/${clientid}/${word}`
  broker.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => {})
}
const isOnline = async () => (await world.asAdmin(readDevice, key)).isOnline

test('who came is online before it says anything, who went is offline', async () => {
  expect(await isOnline()).toBe(2)
  tell('connected', world.clock.now())
  await expect.poll(isOnline).toBe(1)
  const row = await world.db.selectFrom('device_session').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ client_id: 'upstream', ip: '10.0.0.9' })
  tell('disconnected', world.clock.now())
  await expect.poll(isOnline).toBe(2)
})

test('the end of an older connection that is told late changes nothing; strangers change nothing', async () => {
  const now = world.clock.now()
  tell('connected', now)
  await expect.poll(isOnline).toBe(1)
  tell('disconnected', now - 5)
  tell('connected', now, 'somebody')
  tell('disconnected', now, `register&${key.productID}&${key.deviceName}`)
  // What was told before is done when a later message is answered.
  const device = await connectDevice(world, key, { url })
  await device.ask('ext/ntp', { method: 'getNtp' })
  expect(await isOnline()).toBe(1)
  await device.end()
  tell('disconnected', world.clock.now())
  await expect.poll(isOnline).toBe(2)
})
