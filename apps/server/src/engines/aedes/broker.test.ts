import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  closed,
  connectPacket,
  downTopic,
  ended,
  nextMessage,
  productID,
  publishPacket,
  startTestBroker,
  type TestBroker,
  upTopic,
} from './testing/test-broker.ts'

let world: TestBroker
afterEach(() => world.stop())

test('decisions.md 4.1: a QoS 1 message is acknowledged only after the hook has resolved', async () => {
  world = await startTestBroker()
  const stored = Promise.withResolvers<void>()
  world.onMessage = () => stored.promise
  const client = await world.client('lamp')
  let acknowledged = false
  const published = client.publishAsync(upTopic('lamp'), '{"a":1}', { qos: 1 }).then(() => {
    acknowledged = true
  })
  await expect.poll(() => world.messages.length).toBe(1)
  await client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  expect(acknowledged).toBe(false)
  stored.resolve()
  await published
  expect(world.messages[0]).toMatchObject({ topic: upTopic('lamp'), qos: 1, dup: false })
  expect(world.messages[0]?.payload.toString()).toBe('{"a":1}')
  expect(world.messages[0]?.session.device).toEqual({ productID, deviceName: 'lamp', deviceID: 1, deviceType: 1 })
})

test('decisions.md 4.1: when the store does not answer, the connection is dropped without PUBACK', async () => {
  world = await startTestBroker({ limits: { storeMs: 200 } })
  world.onMessage = () => new Promise(() => {})
  const client = await world.client('lamp')
  let acknowledged = false
  client.publish(upTopic('lamp'), 'x', { qos: 1 }, (error) => {
    acknowledged = !error
  })
  await closed(client)
  expect(acknowledged).toBe(false)
  await expect.poll(() => world.events).toContain('disconnected lamp 消息保存超时')
  expect(world.events).toContain('limited storeTimeout lamp')
  expect(await world.metric('ithings_mqtt_limited_total', { limit: 'storeTimeout' })).toBe(1)
})

test('a message that cannot be stored drops the connection without PUBACK', async () => {
  world = await startTestBroker()
  world.onMessage = () => Promise.reject(new Error('disk full'))
  const client = await world.client('lamp')
  let acknowledged = false
  client.publish(upTopic('lamp'), 'x', { qos: 1 }, (error) => {
    acknowledged = !error
  })
  await closed(client)
  expect(acknowledged).toBe(false)
  await expect.poll(() => world.events).toContain('disconnected lamp 消息保存失败')
})

test('QoS 2 is answered in four steps', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp')
  await client.publishAsync(upTopic('lamp'), 'once', { qos: 2 })
  expect(world.messages.map(({ qos, dup }) => [qos, dup])).toEqual([[2, false]])
})

test('the hook hears when a device sends a message again', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp')
  await client.publishAsync(upTopic('lamp'), 'again', { qos: 1, dup: true })
  expect(world.messages.map(({ qos, dup }) => [qos, dup])).toEqual([[1, true]])
})

test('devices that hang up at any moment of their sign-in leave nothing behind', async () => {
  world = await startTestBroker()
  for (let round = 0; round < 60; round++) {
    const socket = await world.raw()
    // A persistent session, whose sign-in has the most steps.
    const packet = connectPacket('lamp')
    packet[9] = 0
    socket.write(packet)
    for (let turn = 0; turn < round % 12; turn++) await new Promise(setImmediate)
    socket.resetAndDestroy()
  }
  await expect.poll(() => world.broker.connections).toBe(0)
  const count = (start: string) => world.events.filter((event) => event.startsWith(start)).length
  await expect.poll(() => count('connected lamp') - count('disconnected lamp')).toBe(0)
  expect(world.broker.sessionOf(productID, 'lamp')).toBeUndefined()
})

test('decisions.md 2: sign-in with a bad password is CONNACK 4', async () => {
  world = await startTestBroker()
  await expect(world.client('bad')).rejects.toMatchObject({ code: 4 })
  expect(await world.metric('ithings_mqtt_refused_total', { what: 'login' })).toBe(1)
  expect(world.events).toEqual([`refused ${productID}bad 127.0.0.1 1000004`])
})

test('a second connection of the device ends the first, whichever form of client id it uses', async () => {
  world = await startTestBroker()
  const first = await world.client('lamp')
  const second = await world.client('lamp', { clientId: `${productID}&lamp` })
  await closed(first)
  expect(world.events).toEqual([
    'connected lamp',
    'disconnected lamp 被同一设备的新连接取代 (taken over)',
    'connected lamp',
  ])
  expect(world.broker.sessionOf(productID, 'lamp')?.clientID).toBe(`${productID}&lamp`)
  await second.publishAsync(upTopic('lamp'), 'still here', { qos: 1 })
  expect(world.broker.connections).toBe(1)
})

test('many connections of one device at once leave one session, and the platform hears a true story', async () => {
  world = await startTestBroker()
  const outcomes = Array.from({ length: 20 }, () => world.attempt('slow'))
  expect(await Promise.all(outcomes)).toContain('connected')
  await expect.poll(() => world.broker.connections).toBe(1)
  const count = (start: string) => world.events.filter((event) => event.startsWith(start)).length
  expect(count('connected slow') - count('disconnected slow')).toBe(1)
  expect(world.broker.sessionOf(productID, 'slow')).toBeDefined()
})

test('when the new connection dies while it takes over, the old session is told as ended', async () => {
  world = await startTestBroker()
  await world.client('lamp')
  const socket = await world.raw()
  // A CONNECT, and gone before CONNACK can be read.
  socket.write(connectPacket('lamp'))
  socket.destroySoon()
  await expect.poll(() => world.broker.connections).toBe(0)
  const last = world.events.at(-1)
  expect(last).toMatch(/^disconnected lamp/)
  expect(last).not.toContain('taken over')
})

test('a device that registers itself does not end the session of the device', async () => {
  world = await startTestBroker()
  const device = await world.client('lamp')
  const registering = await world.client('', { clientId: `register&${productID}&lamp` })
  expect(device.connected).toBe(true)
  await registering.subscribeAsync(`$ext/down/register/${productID}/lamp`)
  const answer = nextMessage(registering)
  await world.broker.publish(`$ext/down/register/${productID}/lamp`, 'answer')
  expect(await answer).toBe('answer')
  expect(device.connected).toBe(true)
})

test('who registers is not kept for long, and the session of the device is', async () => {
  world = await startTestBroker({ limits: { registerMs: 150 } })
  const device = await world.client('lamp')
  await world.attempt('', { clientId: `register&${productID}&lamp` })
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 注册超时')
  expect(device.connected).toBe(true)
})

test('a last will goes the way of every message of the device', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp', {
    will: { topic: upTopic('lamp'), payload: Buffer.from('gone'), qos: 1, retain: true },
  })
  client.stream.destroy()
  await expect.poll(() => world.messages.length).toBe(1)
  expect(world.messages[0]).toMatchObject({ topic: upTopic('lamp') })
  expect(world.messages[0]?.session.device.deviceName).toBe('lamp')
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 连接中断')
})

test('a device that says goodbye has no last will, nor has one whose platform stops', async () => {
  world = await startTestBroker()
  const will = { topic: upTopic('lamp'), payload: Buffer.from('gone'), qos: 1 as const, retain: false }
  const first = await world.client('lamp', { will })
  await first.endAsync()
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 设备主动断开')
  await world.client('lamp', { will })
  await world.broker.stop()
  expect(world.events.at(-1)).toBe('disconnected lamp 平台停止')
  expect(world.messages).toEqual([])
})

test('decisions.md 2: the retain flag is ignored', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp')
  await client.publishAsync(upTopic('lamp'), 'kept?', { qos: 1, retain: true })
  const received: string[] = []
  client.on('message', (topic) => received.push(topic))
  await client.subscribeAsync(`$thing/down/+/${productID}/lamp`, { qos: 1 })
  await world.broker.publish(downTopic('lamp'), 'first')
  await expect.poll(() => received).toEqual([downTopic('lamp')])
})

test('decisions.md 2: a subscription that is not allowed gets SUBACK 128, the others of the packet stand', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp')
  const asked = { [downTopic('lamp')]: { qos: 1 }, [downTopic('other')]: { qos: 1 }, '$SYS/#': { qos: 0 } } as const
  await expect(client.subscribeAsync(asked)).rejects.toMatchObject({ packet: { granted: [1, 128, 128] } })
  expect(world.events).toContain(`subscribed lamp ${downTopic('lamp')} true`)
  expect(world.events).toContain(`subscribed lamp ${downTopic('other')} false`)
  const received: string[] = []
  client.on('message', (topic) => received.push(topic))
  await world.broker.publish(downTopic('other'), 'not for the lamp')
  await world.broker.publish(downTopic('lamp'), 'for the lamp')
  await expect.poll(() => received).toEqual([downTopic('lamp')])
})

test('a downlink reaches the device once though two of its filters match', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp')
  await client.subscribeAsync({ [downTopic('lamp')]: { qos: 1 }, [`$thing/down/+/${productID}/lamp`]: { qos: 0 } })
  const received: Array<[string, number]> = []
  client.on('message', (_topic, payload, packet) => received.push([payload.toString(), packet.qos]))
  await world.broker.publish(downTopic('lamp'), 'one')
  await world.broker.publish(downTopic('lamp'), new Uint8Array([116, 119, 111]))
  await expect
    .poll(() => received)
    .toEqual([
      ['one', 1],
      ['two', 1],
    ])
})

test('a gateway gets the downlinks of children whose topics it subscribed to', async () => {
  world = await startTestBroker()
  const gateway = await world.client('gateway1')
  await gateway.subscribeAsync(downTopic('child1'), { qos: 1 })
  const message = nextMessage(gateway)
  await world.broker.publish(downTopic('child1'), 'for the child')
  expect(await message).toBe('for the child')
  await gateway.unsubscribeAsync(downTopic('child1'))
  const received: string[] = []
  gateway.on('message', (topic) => received.push(topic))
  await world.broker.publish(downTopic('child1'), 'nobody listens')
  await gateway.publishAsync(upTopic('gateway1'), 'after', { qos: 1 })
  expect(received).toEqual([])
})

test('kick ends the connection of the device and says why', async () => {
  world = await startTestBroker()
  const client = await world.client('lamp')
  await world.broker.kick(productID, 'lamp', '设备已禁用')
  await closed(client)
  expect(world.broker.sessionOf(productID, 'lamp')).toBeUndefined()
  expect(world.events.at(-1)).toBe('disconnected lamp 平台断开：设备已禁用')
  await world.broker.kick(productID, 'nobody', 'no matter')
})

test('a device that stays silent for longer than one and a half times its keep-alive is disconnected', async () => {
  world = await startTestBroker()
  const socket = await world.raw()
  socket.write(connectPacket('lamp', 1))
  await ended(socket)
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 心跳超时')
})

test('packets that are pipelined behind CONNECT are handled after the sign-in', async () => {
  world = await startTestBroker()
  const socket = await world.raw()
  socket.write(Buffer.concat([connectPacket('slow'), ...Array.from({ length: 200 }, () => publishPacket('slow', 'x'))]))
  await expect.poll(() => world.messages.length).toBe(200)
})

test('a server that stood still takes nothing from its sockets: its devices have sent it again elsewhere', async () => {
  world = await startTestBroker({ standstillMs: 4_000 })
  const devices = await Promise.all(['lamp', 'pump'].map((name) => world.client(name)))
  const published = devices[0]?.publishAsync(upTopic('lamp'), 'before', { qos: 1 })
  await published
  const written = devices[0]?.stream as Socket
  written.write(publishPacket('lamp', 'while it stood still'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_600)
  await Promise.all(devices.map((device) => closed(device)))
  await expect.poll(() => world.events).toContain('disconnected pump 服务器停顿')
  expect(world.messages.map(({ payload }) => payload.toString())).toEqual(['before'])
})
