import type { lookup } from 'node:dns'
import { type SettingsOf, targetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeTestCertificate } from '#engines/aedes/testing/test-certificate.ts'
import { makeAddressGuard } from '#features/notify/address-guard.ts'
import { type ForwardMessage, type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { eventually } from '#testing/eventually.ts'
import { said } from '#testing/said.ts'
import { startGate } from '../forward-shared/testing/gate.ts'
import { tools, untilTheEnd } from '../forward-shared/testing/messages.ts'
import { startSilentServer } from '../forward-shared/testing/silent-server.ts'
import { message, messages, someTime } from '../forward-shared/testing/some-messages.ts'
import { openKafkaTarget } from './kafka-target.ts'
import { failures, type KafkaBroker, startKafkaBroker } from './testing/kafka-broker.ts'
import { startMockCluster, withoutKcat } from './testing/mock-cluster.ts'
import type { SignIn } from './testing/sign-in.ts'

function open(brokers: string, changes: Partial<SettingsOf<'kafka'>> = {}, by = tools()): ForwardTarget {
  const settings = targetSettings.parse({ type: 'kafka', brokers, topic: 'things', ...changes }) as SettingsOf<'kafka'>
  const target = openKafkaTarget(settings, by)
  onTestFinished(() => target.close())
  return target
}
const at = ({ port }: { port: number }): string => `127.0.0.1:${port}`
const valuesIn = (broker: KafkaBroker, topic = 'things'): string[] =>
  broker.log(topic).flatMap((records) => records.map(({ value }) => value))
const bodies = (list: ForwardMessage[]): string[] => list.map(({ body }) => body)
/** All of them, once each, and those of each device in order. */
function expectAll(broker: KafkaBroker, sent: ForwardMessage[]): void {
  expect(valuesIn(broker).toSorted()).toEqual(bodies(sent).toSorted())
  for (const device of new Set(sent.map(({ deviceName }) => deviceName))) {
    const own = bodies(sent.filter(({ deviceName }) => deviceName === device))
    expect(valuesIn(broker).filter((value) => own.includes(value))).toEqual(own)
  }
}
const away = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(TargetAway)
  return (error as TargetAway).message
}

describe.skipIf(withoutKcat)('the mock cluster of librdkafka', () => {
  test('messages arrive in the order of each device, with their key and headers', async () => {
    const { brokers, lines } = await startMockCluster('things')
    const target = open(brokers)
    const all = messages(300).map((one, n) => ({ ...one, deviceName: `d${n % 8}` }))
    for (let from = 0; from < 300; from += 100) {
      expect(await target.send(all.slice(from, from + 100), untilTheEnd)).toEqual([])
    }
    await eventually(() => expect(lines).toHaveLength(300))
    const partitions = new Set<string>()
    for (const device of new Set(all.map(({ deviceName }) => deviceName))) {
      const own = lines.filter((line) => line.split(' ')[1] === `p1/${device}`)
      const [partition = ''] = own[0]?.split(' ') ?? []
      partitions.add(partition)
      const sent = all.filter(({ deviceName }) => deviceName === device)
      expect(own).toEqual(
        sent.map(
          ({ id, body }) => `${partition} p1/${device} ${body} id=${id},source=property,content-type=application/json`,
        ),
      )
    }
    expect(partitions.size).toBeGreaterThan(1)
  })

  test('a cluster that is killed is away', async () => {
    const { brokers, kill } = await startMockCluster('things')
    const target = open(brokers)
    await target.send(messages(3), untilTheEnd)
    await kill()
    expect(await away(target.send(messages(3, 3), untilTheEnd))).toMatch(/^无法连接 Kafka 127\.0\.0\.1:/)
  })
})

test('records have the time of their message, and a producer that numbers them', async () => {
  const broker = await startKafkaBroker()
  const target = open(at(broker))
  await target.send(messages(30), untilTheEnd)
  await target.send(messages(30, 30), untilTheEnd)
  expectAll(broker, messages(60))
  expect(broker.producers).toBe(1)
  const [record] = broker.log('things').flat()
  expect(record?.time).toBeGreaterThanOrEqual(someTime)
  expect(record?.time).toBeLessThan(someTime + 60)
  expect(await target.send([], untilTheEnd)).toEqual([])
})

test('a topic is filled in for each message', async () => {
  const broker = await startKafkaBroker()
  const target = open(at(broker), { topic: `\${productID}.\${source}` })
  await target.send([message(1), message(2, { source: 'event' }), message(3, { productID: 'p2' })], untilTheEnd)
  expect(valuesIn(broker, 'p1.property')).toEqual([message(1).body])
  expect(valuesIn(broker, 'p1.event')).toEqual([message(2).body])
  expect(valuesIn(broker, 'p2.property')).toEqual([message(3).body])
})

test('what a broker refuses is told by its place, the rest arrives', async () => {
  const broker = await startKafkaBroker()
  broker.judge = (_topic, _partition, records) =>
    records.some(({ value }) => value.includes('too large')) ? failures.tooLarge : 0
  const target = open(at(broker))
  const batch = messages(40)
  for (const n of [3, 4, 30]) batch[n] = message(n, { body: 'too large' })
  const refused = said(await target.send(batch, untilTheEnd))
  expect(refused.map(({ index }) => index)).toEqual([3, 4, 30])
  for (const { reason } of refused) expect(reason).toMatch(/^Kafka 拒绝了这条消息：.*（MESSAGE_TOO_LARGE）$/)
  expectAll(
    broker,
    batch.filter((_, n) => ![3, 4, 30].includes(n)),
  )
})

test('a batch that is larger than brokers take is sent in pieces', async () => {
  const broker = await startKafkaBroker({ partitions: 1 })
  const sizes: number[] = []
  broker.judge = (_topic, _partition, records) => {
    sizes.push(records.reduce((sum, { value }) => sum + value.length, 0))
    return 0
  }
  const batch = messages(12).map((one) => ({ ...one, body: one.id.padEnd(200_000, '.') }))
  await open(at(broker)).send(batch, untilTheEnd)
  expect(valuesIn(broker)).toEqual(bodies(batch))
  expect(Math.max(...sizes)).toBeLessThan(1_000_000)
})

test('a name that is no topic is refused, by us and by the broker', async () => {
  const broker = await startKafkaBroker()
  broker.judgeTopic = (topic) => (topic === 'd-reserved' ? failures.invalidTopic : 0)
  const target = open(at(broker), { topic: `d-\${deviceName}` })
  const batch = [message(0), message(1, { deviceName: '设备' }), message(2, { deviceName: 'reserved' }), message(3)]
  const refused = said(await target.send(batch, untilTheEnd))
  expect(refused.map(({ index, reason }) => [index, reason.slice(0, 12)])).toEqual([
    [1, '主题「d-设备」不符合 '],
    [2, '主题「d-reserve'],
  ])
  expect(valuesIn(broker, 'd-d0')).toEqual(bodies([message(0), message(3)]))
})

test('an answer that gets lost does not bring a record twice', async () => {
  const broker = await startKafkaBroker()
  const target = open(at(broker))
  await target.send(messages(10), untilTheEnd)
  broker.losesAnswers = 2
  expect(await target.send(messages(20, 10), untilTheEnd)).toEqual([])
  expectAll(broker, messages(30))
  expect(broker.repeated).toBeGreaterThan(0)
})

test('a broker that dies and comes back gets everything', async () => {
  const broker = await startKafkaBroker()
  const gate = await startGate(broker.port)
  broker.nodes = [{ host: '127.0.0.1', port: gate.port }]
  const target = open(at(gate))
  await target.send(messages(5), untilTheEnd)
  await gate.shut()
  expect(await away(target.send(messages(5, 5), untilTheEnd))).toMatch(/^无法连接 Kafka 127\.0\.0\.1:\d+：连接被拒绝$/)
  await gate.open()
  expect(await target.send(messages(5, 5), untilTheEnd)).toEqual([])
  expectAll(broker, messages(10))
})

test('while one leader is away, the partitions of the others get nothing twice', async () => {
  const broker = await startKafkaBroker({ partitions: 2 })
  const [first, second] = [await startGate(broker.port), await startGate(broker.port)]
  broker.nodes = [first, second].map(({ port }) => ({ host: '127.0.0.1', port }))
  const target = open(at(first))
  const batch = messages(40).map((one, n) => ({ ...one, deviceName: `d${n % 8}` }))
  await second.shut()
  for (let n = 0; n < 3; n++) expect(await away(target.send(batch, untilTheEnd))).toMatch(/^无法连接 Kafka/)
  const [here = [], there = []] = broker.log('things')
  expect(here.length).toBeGreaterThan(0)
  expect(there).toEqual([])
  await second.open()
  expect(await target.send(batch, untilTheEnd)).toEqual([])
  expectAll(broker, batch)
})

test('what has to be put right at the brokers is told in words', async () => {
  const broker = await startKafkaBroker()
  const target = open(at(broker))
  broker.judgeTopic = () => failures.unknownTopic
  expect(await away(target.send(messages(1), untilTheEnd))).toBe('Kafka 上没有主题 things')
  broker.judgeTopic = () => 0
  broker.judge = () => failures.notAllowed
  expect(await away(target.send(messages(1), untilTheEnd))).toBe('Kafka 不允许写入主题 things')
  broker.judge = () => failures.noReplicas
  expect(await away(target.send(messages(1), untilTheEnd))).toMatch(/^Kafka 返回错误 NOT_ENOUGH_REPLICAS：/)
  broker.judge = () => 0
  expect(await target.send(messages(1), untilTheEnd)).toEqual([])
  expectAll(broker, messages(1))
})

test('a topic that is made again with fewer partitions is looked at anew', async () => {
  const broker = await startKafkaBroker({ partitions: 8 })
  const target = open(at(broker))
  const some = (from: number) => messages(24, from).map((one, n) => ({ ...one, deviceName: `d${n}` }))
  await target.send(some(0), untilTheEnd)
  broker.partitions = 1
  broker.judge = (_topic, partition) => (partition === 0 ? 0 : failures.unknownTopic)
  expect(await away(target.send(some(24), untilTheEnd))).toMatch(/^Kafka 返回错误 UNKNOWN_TOPIC_OR_PARTITION/)
  expect(await target.send(some(24), untilTheEnd)).toEqual([])
  expect(valuesIn(broker).toSorted()).toEqual(bodies([...some(0), ...some(24)]).toSorted())
})

test('partitions that are gone in the middle of a send are a failure of the send alone', async () => {
  const broker = await startKafkaBroker({ partitions: 8 })
  const target = open(at(broker))
  const some = (from: number) => messages(24, from).map((one, n) => ({ ...one, deviceName: `d${n}` }))
  await target.send(some(0), untilTheEnd)
  broker.partitions = 1
  // The client asks for the partitions again.
  broker.losesAnswers = 1
  expect(await away(target.send(some(24), untilTheEnd))).toMatch(/partitions of things are missing$/)
  broker.judge = (_topic, partition) => (partition === 0 ? 0 : failures.unknownTopic)
  expect(await target.send(some(48), untilTheEnd)).toEqual([])
})

const account = { username: 'device-data', password: 'geheim, 密码=1' }
test.each<SignIn['mechanism']>(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])('signs in by %s', async (mechanism) => {
  const broker = await startKafkaBroker({ signIn: { mechanism, ...account } })
  const wanted = { mechanism: mechanism.toLowerCase() as 'plain', ...account }
  expect(await open(at(broker), wanted).send(messages(3), untilTheEnd)).toEqual([])
  expectAll(broker, messages(3))
  const wrong = open(at(broker), { ...wanted, password: 'wrong' })
  expect(await away(wrong.send(messages(3), untilTheEnd))).toMatch(/^Kafka 拒绝登录：/)
})

test('by TLS the broker has to be who it says', async () => {
  const certificate = makeTestCertificate()
  const broker = await startKafkaBroker({ tls: certificate })
  broker.nodes = [{ host: 'localhost', port: broker.port }]
  const brokers = `localhost:${broker.port}`
  const by = tools()
  const ca = certificate.cert.toString()
  expect(await open(brokers, { tls: true, ca }, by).send(messages(3), untilTheEnd)).toEqual([])
  expectAll(broker, messages(3))
  const say = (where: string, changes: Partial<SettingsOf<'kafka'>>) =>
    away(open(where, { tls: true, ...changes }, by).send(messages(1), untilTheEnd))
  expect(await say(brokers, {})).toMatch(/^无法连接 Kafka localhost:\d+：对方的证书是自签名的$/)
  expect(await say(at(broker), { ca })).toMatch(/^无法连接 Kafka 127\.0\.0\.1:\d+：对方的证书与域名不符$/)
  expect(await say(brokers, { ca: '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----' })).toMatch(
    /^无法连接 Kafka/,
  )
})

test('an address of the internal network is refused, also one that a broker names', async () => {
  const broker = await startKafkaBroker()
  const refusal = (host: string) => `地址 ${host} 属于内部网络，不允许访问（可由管理员在 WEBHOOK_ALLOW 中放行）`
  for (const tls of [false, true]) {
    for (const host of ['127.0.0.1', 'localhost']) {
      const target = open(`${host}:${broker.port}`, { tls }, tools([]))
      expect(await away(target.send(messages(1), untilTheEnd))).toBe(refusal(host))
    }
  }
  expect(broker.calls).toEqual([])
  const inner = await startSilentServer()
  // The broker that is named in the form may be used, those that it names may not.
  const resolve = ((_host: string, _options: unknown, tell: (error: null, found: object[]) => void) =>
    tell(null, [{ address: '127.0.0.3', family: 4 }])) as typeof lookup
  const only = { guard: makeAddressGuard(['127.0.0.1'], resolve), timeoutMs: tools().timeoutMs }
  for (const host of ['127.0.0.2', 'inner.example']) {
    broker.nodes = [{ host, port: inner.port }]
    expect(await away(open(at(broker), {}, only).send(messages(1), untilTheEnd))).toBe(refusal(host))
  }
  expect(inner.open()).toBe(0)
  expect(valuesIn(broker)).toEqual([])
})

test('who ends the send or closes need not wait, and nothing stays open', async () => {
  const broker = await startKafkaBroker()
  const target = open(at(broker))
  await target.send(messages(1), untilTheEnd)
  broker.isDeaf = true
  const ending = new AbortController()
  const sending = away(target.send(messages(1, 1), ending.signal))
  const asked = () => broker.calls.filter((key) => key === 0).length
  await eventually(() => expect(asked()).toBe(2))
  ending.abort()
  expect(await sending).toBe('发送已停止')
  await eventually(() => expect(broker.connections()).toBe(0))
  const again = away(target.send(messages(1, 1), untilTheEnd))
  await eventually(() => expect(asked()).toBe(3))
  await target.close()
  expect(await again).toBe('发送已停止')
  await eventually(() => expect(broker.connections()).toBe(0))
  expect(await away(target.send(messages(1, 1), untilTheEnd))).toBe('发送已停止')
})

test('a broker that says nothing is given up', async () => {
  const silent = await startSilentServer()
  const target = open(at(silent), {}, tools(undefined, 200))
  expect(await away(target.send(messages(1), untilTheEnd))).toMatch(/^(Kafka 在 1 秒内没有应答|无法连接 Kafka )/)
  await eventually(() => expect(silent.open()).toBe(0))
})
