import { afterEach, expect, test } from 'vitest'
import {
  closed,
  connectPacket,
  downTopic,
  productID,
  publishPacket,
  startTestBroker,
  type TestBroker,
  upTopic,
} from './testing/test-broker.ts'

let world: TestBroker
afterEach(() => world.stop())

const limited = (limit: string) => world.metric('ithings_mqtt_limited_total', { limit })

test('a packet above the size limit ends the connection before it is buffered', async () => {
  world = await startTestBroker({ limits: { packetBytes: 1000 } })
  const client = await world.client('lamp')
  await client.publishAsync(upTopic('lamp'), Buffer.alloc(900), { qos: 1 })
  client.publish(upTopic('lamp'), Buffer.alloc(5000), { qos: 1 })
  await closed(client)
  expect(world.messages.length).toBe(1)
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 报文过大')
  expect(world.events).toContain('limited packetSize lamp')
  expect(await limited('packetSize')).toBe(1)
})

test('the length that a stranger announces is not believed', async () => {
  world = await startTestBroker({ limits: { connectBytes: 100 } })
  const socket = await world.raw()
  const ended = new Promise((resolve) => socket.once('close', resolve))
  // CONNECT of 256 MB.
  socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]))
  await ended
  expect(await limited('packetSize')).toBe(1)
})

test('above the limit of connections the newest is turned away, and there is room again when one leaves', async () => {
  world = await startTestBroker({ limits: { connections: 2 } })
  const first = await world.client('a')
  await world.client('b')
  // With what it has just sent unread, its connection may be reset.
  expect(await world.attempt('c')).not.toBe('connected')
  expect(world.events).toContain('limited connections -')
  expect(await limited('connections')).toBe(1)
  await first.endAsync()
  await expect.poll(() => world.broker.connections).toBe(1)
  expect(await world.attempt('c')).toBe('connected')
})

test('too many connects at once wait in line, then are turned away for a moment', async () => {
  world = await startTestBroker({ limits: { connectRate: 4, connectBurst: 2, connectWaitMs: 1_000 } })
  const startedAt = performance.now()
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => world.attempt(`d${n}`)))
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length
  // Two of the burst and four within the second; more if it takes longer until all of them are here.
  expect(count('connected')).toBeGreaterThanOrEqual(6)
  expect(count('closed')).toBeGreaterThanOrEqual(10)
  expect(performance.now() - startedAt).toBeGreaterThan(750)
  expect(await limited('connectRate')).toBeGreaterThanOrEqual(count('closed'))
  // Each that was turned away is told of by its name, those that only waited are not.
  const told = world.events.filter((event) => event.startsWith('limited connectRate'))
  expect(told.filter((event) => event.includes(productID))).toHaveLength(count('closed'))
  expect(told.filter((event) => event.endsWith(' -')).length).toBeGreaterThan(0)
})

test('who is turned away does not end the session that the device has', async () => {
  world = await startTestBroker({ limits: { connectRate: 0.01, connectBurst: 1, connectWaitMs: 0 } })
  const client = await world.client('lamp')
  expect(await world.attempt('lamp')).toBe('closed')
  await client.publishAsync(upTopic('lamp'), 'still here', { qos: 1 })
  expect(world.events.filter((event) => event.startsWith('disconnected'))).toEqual([])
})

test('a connection has a bounded number of messages under way; the rest waits in its socket and none is lost', async () => {
  world = await startTestBroker({ limits: { inflight: 10, messageBurst: 10_000 } })
  let underWay = 0
  let most = 0
  const release: Array<() => void> = []
  world.onMessage = async () => {
    most = Math.max(most, ++underWay)
    await new Promise<void>((resolve) => release.push(resolve))
    underWay--
  }
  const client = await world.client('lamp')
  const published = Promise.all(
    Array.from({ length: 300 }, (_, n) => client.publishAsync(upTopic('lamp'), String(n), { qos: n % 2 ? 1 : 0 })),
  )
  await expect.poll(() => underWay).toBe(10)
  const pump = setInterval(() => {
    for (const one of release.splice(0)) one()
  }, 1)
  await published
  await expect.poll(() => world.messages.length).toBe(300)
  clearInterval(pump)
  expect(most).toBe(10)
  expect(world.messages.map(({ payload }) => payload.toString())).toEqual(Array.from({ length: 300 }, (_, n) => `${n}`))
  expect(await limited('inflight')).toBeGreaterThan(0)
  expect(world.events).toContain('limited inflight lamp')
})

test('all connections together have a bounded number of messages under way, and each gets its turn', async () => {
  world = await startTestBroker({ limits: { totalInflight: 5 } })
  let underWay = 0
  let most = 0
  world.onMessage = async () => {
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 2))
    underWay--
  }
  const clients = await Promise.all(Array.from({ length: 8 }, (_, n) => world.client(`d${n}`)))
  await Promise.all(
    clients.flatMap((client, n) =>
      Array.from({ length: 20 }, () => client.publishAsync(upTopic(`d${n}`), 'x', { qos: 1 })),
    ),
  )
  expect(world.messages.length).toBe(160)
  expect(most).toBe(5)
})

test('a device above its message rate is slowed down, and nothing is lost', async () => {
  world = await startTestBroker({ limits: { messageRate: 100, messageBurst: 20 } })
  const client = await world.client('lamp')
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 60 }, () => client.publishAsync(upTopic('lamp'), 'x', { qos: 1 })))
  // 20 at once, 40 at 100 a second.
  expect(performance.now() - startedAt).toBeGreaterThan(300)
  expect(world.messages.length).toBe(60)
  expect(world.events.filter((event) => event === 'limited messageRate lamp')).toHaveLength(1)
  expect(await limited('messageRate')).toBeGreaterThan(0)
})

test('a gateway may speak for many children', async () => {
  world = await startTestBroker({ limits: { messageRate: 10, messageBurst: 1, gatewayMessageRate: 10_000 } })
  const client = await world.client('gateway1')
  await Promise.all(Array.from({ length: 200 }, () => client.publishAsync(upTopic('child1'), 'x', { qos: 1 })))
  expect(world.messages.length).toBe(200)
  expect(world.events.filter((event) => event.startsWith('limited'))).toEqual([])
})

test('who is too fast for too long is disconnected', async () => {
  world = await startTestBroker({ limits: { messageRate: 10, messageBurst: 1, messageHoldMs: 200 } })
  const socket = await world.raw()
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write(Buffer.concat([connectPacket('lamp'), ...Array.from({ length: 500 }, () => publishPacket('lamp', 'x'))]))
  await ended
  expect(world.messages.length).toBeLessThan(20)
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 消息过于频繁')
})

test('a message is read to its end although the device hangs up behind it', async () => {
  world = await startTestBroker({ limits: { inflight: 5 } })
  const socket = await world.raw()
  socket.end(Buffer.concat([connectPacket('lamp'), ...Array.from({ length: 50 }, () => publishPacket('lamp', 'x'))]))
  await expect.poll(() => world.messages.length).toBe(50)
})

test('a device that does not read what is sent to it cannot fill the memory', async () => {
  world = await startTestBroker({ limits: { sendBufferBytes: 64 * 1024 } })
  const client = await world.client('lamp')
  await client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  client.stream.pause()
  const payload = Buffer.alloc(32 * 1024)
  const flood = async () => {
    for (let n = 0; n < 2_000; n++) {
      await world.broker.publish(downTopic('lamp'), payload)
      await new Promise(setImmediate)
    }
  }
  await expect(flood()).rejects.toThrow('does not read')
  expect(await world.metric('ithings_mqtt_refused_total', { what: 'slowReader' })).toBe(1)
})

test('a device has a bounded number of subscriptions', async () => {
  world = await startTestBroker({ limits: { subscriptions: 2 } })
  const client = await world.client('lamp')
  const topic = (n: number) => `$thing/down/t${n}/${productID}/lamp`
  await client.subscribeAsync([topic(1), topic(2)])
  await expect(client.subscribeAsync(topic(3))).rejects.toThrow()
  await client.subscribeAsync(topic(2))
})

test('a large packet that arrives in many pieces is put together', async () => {
  world = await startTestBroker()
  const socket = await world.raw()
  const bytes = Buffer.concat([connectPacket('lamp'), publishPacket('lamp', 'x'.repeat(150_000))])
  for (let at = 0; at < bytes.length; at += 10_000) {
    socket.write(bytes.subarray(at, at + 10_000))
    if (at % 30_000 === 0) await new Promise(setImmediate)
  }
  await expect.poll(() => world.messages[0]?.payload.length).toBe(150_000)
})
