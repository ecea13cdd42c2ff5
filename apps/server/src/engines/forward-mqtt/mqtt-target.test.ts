/** The MQTT target against a server in this process (aedes); what a mosquitto is tried with is in mqtt-mosquitto.test.ts. */
import { afterEach, describe, expect, test } from 'vitest'
import { makeTestCertificate } from '#engines/aedes/testing/test-certificate.ts'
import { inWords, message, messages, tools, untilTheEnd } from '#engines/forward-shared/testing/messages.ts'
import { targetContract } from '#engines/forward-shared/testing/target-contract.ts'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { openMqtt } from './mqtt-target.ts'
import { type AedesOptions, type AedesSide, startAedesSide } from './testing/aedes-side.ts'
import { startMqtt5Side } from './testing/mqtt5-side.ts'

const settings = {
  type: 'mqtt',
  version: '3.1.1',
  clientID: '',
  username: '',
  password: '',
  topic: `to/$\{productID}/$\{deviceName}/$\{source}/$\{identifier}`,
  qos: 1,
  retain: false,
  ca: '',
} as const
const bodiesOf = ({ packets }: AedesSide) => packets.map(({ payload }) => payload.toString())

targetContract('MQTT 3.1.1', {
  async start(close) {
    const side = await startAedesSide(close)
    return { ...side, arrived: async () => bodiesOf(side) }
  },
  open: (host, port, by) => openMqtt({ ...settings, url: `mqtt://${host}:${port}` }, by),
})

describe('MQTT', () => {
  const closers: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })
  async function open(
    protocol: string,
    options: AedesOptions = {},
    more: Partial<Parameters<typeof openMqtt>[0]> = {},
  ): Promise<{ side: AedesSide; target: ForwardTarget }> {
    const side = await startAedesSide((close) => void closers.push(close), options)
    const target = openMqtt({ ...settings, url: `${protocol}://localhost:${side.port}/mqtt`, ...more }, tools())
    closers.push(() => target.close())
    return { side, target }
  }
  const failure = (target: ForwardTarget): Promise<unknown> =>
    target.send(messages(1, 1), untilTheEnd).catch((error: unknown) => error)

  test('the topic is made of the message; one that cannot be is refused', async () => {
    const { side, target } = await open('mqtt', {}, { retain: true })
    const batch = [message(1), message(2, { deviceName: 'a+b' }), message(3, { source: 'event', identifier: 'e' })]
    expect(inWords(await target.send(batch, untilTheEnd))).toEqual([
      { index: 1, reason: '主题 to/p1/a+b/property/ 无效' }, // not a text
    ])
    expect(side.packets.map(({ topic, qos, retain }) => [topic, qos, retain])).toEqual([
      ['to/p1/d1/property/', 1, true],
      ['to/p1/d1/event/e', 1, true],
    ])
  })

  test('with QoS 0 messages arrive as well', async () => {
    const { side, target } = await open('mqtt', {}, { qos: 0 })
    expect(await target.send(messages(1, 30), untilTheEnd)).toEqual([])
    await expect.poll(() => bodiesOf(side)).toEqual(messages(1, 30).map(({ body }) => body))
  })

  test('a certificate counts by whoever signed it, and only by that', async () => {
    const tls = makeTestCertificate()
    const { side, target } = await open('mqtts', { tls }, { ca: tls.cert.toString() })
    expect(await target.send(messages(1, 2), untilTheEnd)).toEqual([])
    expect(bodiesOf(side)).toHaveLength(2)
    const stranger = openMqtt({ ...settings, url: `mqtts://localhost:${side.port}` }, tools())
    closers.push(() => stranger.close())
    expect(await failure(stranger)).toMatchObject({ message: '对方的证书是自签名的' }) // not a text
    const other = openMqtt({ ...settings, url: `mqtts://127.0.0.1:${side.port}`, ca: tls.cert.toString() }, tools())
    closers.push(() => other.close())
    expect(await failure(other)).toMatchObject({ message: '对方的证书与域名不符' }) // not a text
  })

  test('who may not sign in is told so; the fields count before the address', async () => {
    const { side, target } = await open('mqtt', { password: 'right' }, { username: 'u', password: 'wrong' })
    expect(await failure(target)).toBeInstanceOf(TargetAway)
    expect(await failure(target)).toMatchObject({ message: '对方拒绝登录：Bad username or password' }) // not a text
    const url = `mqtt://u:right@localhost:${side.port}`
    for (const more of [{ url }, { url: url.replace('right', 'wrong'), username: 'u', password: 'right' }]) {
      const welcome = openMqtt({ ...settings, ...more }, tools())
      closers.push(() => welcome.close())
      expect(await welcome.send(messages(1, 1), untilTheEnd)).toEqual([])
    }
  })

  test('of MQTT 5 what blames the message refuses it, whether it is said of it or ends the connection', async () => {
    const side = await startMqtt5Side((close) => void closers.push(close))
    const target = openMqtt({ ...settings, version: '5', url: `mqtt://127.0.0.1:${side.port}` }, tools())
    closers.push(() => target.close())
    const saying = (n: number, body: string) => message(n, { body })
    const batch = [
      saying(1, 'a'),
      saying(2, 'PUBACK 151'),
      saying(3, 'DISCONNECT 153'),
      saying(4, 'b'),
      saying(5, 'PUBACK 144'),
      saying(6, 'c'),
    ]
    expect(inWords(await target.send(batch, untilTheEnd))).toEqual([
      { index: 1, reason: '对方拒收：Quota exceeded' }, // not a text
      { index: 2, reason: '对方拒收：Payload format invalid' }, // not a text
      { index: 4, reason: '对方拒收：Topic Name invalid' }, // not a text
    ])
    expect([...new Set(side.taken)]).toEqual(['a', 'b', 'c'])
    const notNow = (body: string) => target.send([saying(7, body)], untilTheEnd).catch((error: unknown) => error)
    expect(await notNow('PUBACK 135')).toMatchObject({ message: '对方拒收：Not authorized' }) // not a text
    expect(await notNow('PUBACK 135')).toBeInstanceOf(TargetAway)
    expect(await notNow('DISCONNECT 139')).toMatchObject({ message: '对方断开了连接：Server shutting down' }) // not a text
  })
})
