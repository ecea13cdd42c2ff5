/** The AMQP target against a real RabbitMQ. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Channel, connect, type GetMessage } from 'amqplib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeTestCertificate } from '#engines/aedes/testing/test-certificate.ts'
import { inWords, message, messages, tools, untilTheEnd } from '#engines/forward-shared/testing/messages.ts'
import { targetContract } from '#engines/forward-shared/testing/target-contract.ts'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { eventually } from '#testing/eventually.ts'
import { freePort } from '#testing/mosquitto.ts'
import { type Rabbitmq, startRabbitmq, withoutRabbitmq } from '#testing/rabbitmq.ts'
import { openAmqp } from './amqp-target.ts'

const settings = {
  type: 'amqp',
  username: 'guest',
  password: 'guest',
  exchange: '',
  routingKey: `to-$\{deviceName}`,
  ca: '',
} as const

describe('AMQP, on every machine', () => {
  async function failureAt(port: number, host = '127.0.0.1', by = tools()): Promise<unknown> {
    const target = openAmqp({ ...settings, url: `amqp://${host}:${port}` }, by)
    const error = await target.send(messages(1, 1), untilTheEnd).catch((cause: unknown) => cause)
    await target.close()
    return error
  }

  test('nobody there, somebody who speaks otherwise, and an address that is not allowed', async () => {
    const port = await freePort()
    expect(await failureAt(port)).toMatchObject({ message: '连接被拒绝' }) // not a text
    const server = createServer(
      (socket) =>
        void socket
          .on('error', () => {})
          .resume()
          .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    )
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    expect(await failureAt(port, '127.0.0.1', tools(undefined, 500))).toBeInstanceOf(TargetAway)
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await failureAt(port, host, tools([]))).toMatchObject({
        message: expect.stringContaining('WEBHOOK_ALLOW'),
      })
    }
    server.close()
    await once(server, 'close')
  })
})

describe.skipIf(withoutRabbitmq)('with a RabbitMQ', () => {
  const ends: Array<() => Promise<void>> = []
  const tls = makeTestCertificate()
  let rabbit: Rabbitmq
  let tlsPort: number
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ithings-amqp-'))
    ends.push(() => rm(folder, { recursive: true }))
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    await writeFile(cert, tls.cert)
    await writeFile(key, tls.key)
    tlsPort = await freePort()
    const extra = [
      `listeners.ssl.1 = 127.0.0.1:${tlsPort}`,
      `ssl_options.certfile = ${cert}`,
      `ssl_options.keyfile = ${key}`,
      'max_message_size = 2000',
    ]
    rabbit = await startRabbitmq((close) => void ends.push(close), extra)
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  const url = () => `amqp://guest:guest@127.0.0.1:${rabbit.amqpPort}`
  async function atServer<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    const connection = await connect(url())
    try {
      return await work(await connection.createChannel())
    } finally {
      await connection.close()
    }
  }
  /** Empty, and kept over a restart. */
  const makeQueue = (name = 'to-d1', options = {}) =>
    atServer(async (channel) => {
      await channel.deleteQueue(name)
      await channel.assertQueue(name, { durable: true, ...options })
    })
  const take = (name = 'to-d1') =>
    atServer(async (channel) => {
      const found: GetMessage[] = []
      for (;;) {
        const one = await channel.get(name, { noAck: true })
        if (!one) return found
        found.push(one)
      }
    })
  const bodiesOf = (found: GetMessage[]) => found.map(({ content }) => content.toString())

  /** A RabbitMQ that is killed forgets a queue that it has not written to its disk yet; when it stops it writes all. */
  beforeAll(async () => {
    await makeQueue()
    await rabbit.stop()
    await startAgain()
  })
  async function startAgain(): Promise<void> {
    await rabbit.startAgain()
    // Its AMQP may be there a moment after its MQTT.
    await eventually(() => atServer((channel) => channel.checkQueue('to-d1')))
  }

  targetContract('AMQP', {
    async start() {
      await atServer((channel) => channel.purgeQueue('to-d1'))
      const arrived: string[] = []
      return {
        port: rabbit.amqpPort,
        arrived: async () => {
          arrived.push(...bodiesOf(await take()))
          return arrived
        },
        kill: () => rabbit.kill(),
        startAgain,
      }
    },
    open: (host, port, by) => openAmqp({ ...settings, url: `amqp://${host}:${port}` }, by),
  })

  const closers: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })
  function open(more: Partial<Parameters<typeof openAmqp>[0]> = {}): ForwardTarget {
    const target = openAmqp({ ...settings, url: `amqp://127.0.0.1:${rabbit.amqpPort}`, ...more }, tools())
    closers.push(() => target.close())
    return target
  }
  const failure = (target: ForwardTarget): Promise<unknown> =>
    target.send(messages(1, 2), untilTheEnd).catch((error: unknown) => error)

  test('a message is persistent and says which one it is', async () => {
    await makeQueue()
    await open().send([message(3, { source: 'event', body: '{"a":"温度"}' })], untilTheEnd)
    const [found] = await take()
    expect(found?.content.toString()).toBe('{"a":"温度"}')
    expect(found?.properties).toMatchObject({
      messageId: 'm3',
      contentType: 'application/json',
      deliveryMode: 2,
      timestamp: 1_700_000_000,
      headers: { source: 'event' },
    })
  })

  test('what no queue takes is refused, the rest arrives', async () => {
    await makeQueue()
    const batch = [
      message(1),
      message(2, { deviceName: 'nobody' }),
      message(3),
      message(4, { deviceName: 'x'.repeat(256) }),
    ]
    expect(inWords(await open().send(batch, untilTheEnd))).toEqual([
      { index: 1, reason: '没有队列接收这条消息：NO_ROUTE' }, // not a text
      { index: 3, reason: '路由键超过 255 字节' }, // not a text
    ])
    expect(bodiesOf(await take())).toEqual(['{"n":1}', '{"n":3}'])
  })

  test('a message that is too large ends the channel: it is found and named, the rest arrives', async () => {
    await makeQueue()
    const batch = messages(1, 6).map((one, i) => (i % 3 === 1 ? { ...one, body: 'x'.repeat(2_001) } : one))
    expect(inWords(await open().send(batch, untilTheEnd))).toEqual([
      { index: 1, reason: expect.stringMatching(/^对方拒收：.*larger than configured max size/) }, // not a text
      { index: 4, reason: expect.stringMatching(/^对方拒收：.*larger than configured max size/) }, // not a text
    ])
    expect([...new Set(bodiesOf(await take()))]).toEqual(['{"n":1}', '{"n":3}', '{"n":4}', '{"n":6}'])
  })

  test('a certificate counts by whoever signed it, and only by that', async () => {
    await makeQueue()
    const ca = tls.cert.toString()
    expect(await open({ url: `amqps://localhost:${tlsPort}`, ca }).send(messages(1, 3), untilTheEnd)).toEqual([])
    expect(bodiesOf(await take())).toHaveLength(3)
    const stranger = open({ url: `amqps://localhost:${tlsPort}` })
    expect(await failure(stranger)).toMatchObject({ message: '对方的证书是自签名的' }) // not a text
    const misnamed = open({ url: `amqps://127.0.0.1:${tlsPort}`, ca })
    expect(await failure(misnamed)).toMatchObject({ message: '对方的证书与域名不符' }) // not a text
  })

  test('a full queue is no fault of the message: it is tried again', async () => {
    await makeQueue('to-d1', { arguments: { 'x-max-length': 1, 'x-overflow': 'reject-publish' } })
    const target = open()
    const error = await failure(target)
    expect(error).toBeInstanceOf(TargetAway)
    expect(error).toMatchObject({ message: '对方暂不接收（basic.nack）' }) // not a text
    await makeQueue()
    expect(await target.send(messages(1, 2), untilTheEnd)).toEqual([])
  })

  test('an exchange that is missing, and one that appears', async () => {
    await makeQueue()
    const target = open({ exchange: 'forwarded', routingKey: 'k' })
    expect(await failure(target)).toMatchObject({ message: expect.stringContaining("no exchange 'forwarded'") })
    expect(await failure(target)).toBeInstanceOf(TargetAway)
    await atServer(async (channel) => {
      await channel.assertExchange('forwarded', 'topic')
      await channel.bindQueue('to-d1', 'forwarded', '#')
    })
    expect(await target.send(messages(1, 2), untilTheEnd)).toEqual([])
    expect(bodiesOf(await take())).toHaveLength(2)
  })

  test('who may not sign in is told so', async () => {
    expect(await failure(open({ password: 'wrong' }))).toMatchObject({ message: expect.stringContaining('ACCESS') })
    const inAddress = `amqp://guest:guest@127.0.0.1:${rabbit.amqpPort}/`
    await makeQueue()
    expect(await open({ url: inAddress, username: '', password: '' }).send(messages(1, 1), untilTheEnd)).toEqual([])
  })
})
