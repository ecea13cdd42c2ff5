import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { size } from '#testing/size.ts'
import {
  connectPacket,
  ended,
  productID,
  publishPacket,
  startTestBroker,
  type TestBroker,
  upTopic,
} from './testing/test-broker.ts'

let world: TestBroker
const crashes: unknown[] = []
const crash = (error: unknown) => void crashes.push(error)

beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', crash)
  world = await startTestBroker({ limits: { connectRate: 1_000_000, connectBurst: 1_000_000 } })
})
afterAll(async () => {
  await world.stop()
  process.off('uncaughtExceptionMonitor', crash)
})

/** Sends bytes, waits until the broker has had its say about them, hangs up. */
async function send(...chunks: Array<Uint8Array | Buffer>): Promise<void> {
  const socket = await world.raw()
  for (const chunk of chunks) {
    if (socket.destroyed) break
    socket.write(chunk)
    await new Promise(setImmediate)
  }
  socket.end()
  await ended(socket)
}

async function stillServes(): Promise<void> {
  const client = await world.client('witness')
  await client.publishAsync(upTopic('witness'), 'well', { qos: 1 })
  await client.endAsync()
  expect(crashes).toEqual([])
}

const bytes = fc.uint8Array({ maxLength: 200 })
/** Something that looks like a packet: type and flags, a true or a false length, and any content. */
const packet = fc
  .record({ first: fc.integer({ min: 0, max: 255 }), body: bytes, lie: fc.integer({ min: -3, max: 3 }) })
  .map(({ first, body, lie }) => {
    const length = Math.max(0, body.length + lie)
    const size = length > 127 ? [(length & 127) | 128, length >> 7] : [length]
    return Buffer.from([first, ...size, ...body])
  })

test('any bytes as the first ones of a connection', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, (chunk) => send(chunk)),
    { numRuns: size(150, 5_000) },
  )
  await stillServes()
})

test('a CONNECT with any content', async () => {
  const connects = fc.tuple(fc.constantFrom('MQTT', 'MQIsdp', 'x'), bytes).map(([name, body]) => {
    const content = Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), body])
    return Buffer.concat([Buffer.from([0x10, (content.length & 127) | 128, content.length >> 7]), content])
  })
  await fc.assert(
    fc.asyncProperty(connects, (chunk) => send(chunk)),
    { numRuns: size(150, 5_000) },
  )
  await stillServes()
})

test('a CONNECT that was changed in a few places', async () => {
  const good = connectPacket('lamp')
  const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(change, async (changes) => {
      const bad = Buffer.from(good)
      for (const [at, value] of changes) bad[at] = value
      await send(bad, publishPacket('lamp', 'x'))
    }),
    { numRuns: size(150, 5_000) },
  )
  await stillServes()
})

test('any packets behind a good CONNECT', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(packet, { maxLength: 5 }), (packets) => send(connectPacket('lamp'), ...packets)),
    { numRuns: size(300, 10_000) },
  )
  await stillServes()
})

const field = (content: Uint8Array) =>
  Buffer.concat([Buffer.from([content.length >> 8, content.length & 255]), content])
const publishTo = (topic: Uint8Array) => {
  const body = Buffer.concat([field(topic), Buffer.from('x')])
  const size = [(body.length & 127) | 128, ((body.length >> 7) & 127) | 128, body.length >> 14]
  return Buffer.concat([Buffer.from([0x30, ...size]), body])
}
const subscribeTo = (topic: Uint8Array, qos: number) => {
  const body = Buffer.concat([Buffer.from([0, 9]), field(topic), Buffer.from([qos])])
  const size = [(body.length & 127) | 128, ((body.length >> 7) & 127) | 128, body.length >> 14]
  return Buffer.concat([Buffer.from([0x82, ...size]), body])
}

const strangeTopics: Array<[string, Uint8Array]> = [
  ['huge', Buffer.alloc(65_535, 'a')],
  ['of 60,000 levels', Buffer.from('/'.repeat(60_000))],
  ['of 100 levels', Buffer.from('a/'.repeat(100))],
  ['with a wildcard', Buffer.from(`$thing/up/+/${productID}/lamp`)],
  ['with a wildcard at the end', Buffer.from('$thing/up/#')],
  ['with a zero', Buffer.from('$thing/up/\0/a/b')],
  ['that is not UTF-8', Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])],
  ['of the system', Buffer.from('$SYS/broker/new/clients')],
  ['named like a member of objects', Buffer.from('__proto__')],
  ['that is empty', Buffer.alloc(0)],
]

test.each(strangeTopics)('a topic %s, published and subscribed', async (_name, topic) => {
  await send(connectPacket('lamp'), publishTo(topic))
  for (const qos of [0, 1, 2, 3]) await send(connectPacket('lamp'), subscribeTo(topic, qos))
  await stillServes()
})

const frame = (first: number, ...parts: Uint8Array[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([first, body.length]), body])
}
const own = field(Buffer.from(upTopic('lamp')))
const withZero = field(Buffer.from('$thing/up/\0/a/b'))
const zeroID = Buffer.from([0, 0])
const someID = Buffer.from([0, 7])

test.each([
  ['PUBLISH of QoS 1 with the identifier 0', frame(0x32, own, zeroID)],
  ['PUBLISH of QoS 2 with the identifier 0', frame(0x34, own, zeroID)],
  ['SUBSCRIBE with the identifier 0', frame(0x82, zeroID, own, Buffer.from([1]))],
  ['UNSUBSCRIBE with the identifier 0', frame(0xa2, zeroID, own)],
  ['PUBLISH to a topic with NUL', frame(0x32, withZero, someID)],
  ['SUBSCRIBE to a topic with NUL', frame(0x82, someID, withZero, Buffer.from([1]))],
])('a %s ends the connection unanswered and reaches nobody', async (_name, packet) => {
  const before = world.messages.length
  const socket = await world.raw()
  const answers: Buffer[] = []
  socket.on('data', (data) => answers.push(Buffer.from(data)))
  socket.write(connectPacket('lamp'))
  await expect.poll(() => Buffer.concat(answers).length).toBe(4)
  socket.write(packet)
  await ended(socket)
  expect(Buffer.concat(answers)).toEqual(Buffer.from([0x20, 2, 0, 0]))
  expect(world.messages.length).toBe(before)
  await stillServes()
})

test('a will with a wildcard as topic is not passed on', async () => {
  const before = world.messages.length
  const client = await world.client('lamp', { will: { topic: '$thing/up/#', payload: Buffer.from('x'), qos: 1 } })
  client.stream.destroy()
  await expect.poll(() => world.broker.connections).toBe(0)
  expect(world.messages.length).toBe(before)
  await stillServes()
})

test('MQTT 5 is refused with a word, not with silence', async () => {
  await expect(world.attempt('lamp', { protocolVersion: 5 })).resolves.toBe('refused')
  await stillServes()
})
