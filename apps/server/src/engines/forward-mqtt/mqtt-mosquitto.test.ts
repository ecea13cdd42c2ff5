/** The MQTT target against a real mosquitto, 3.1.1 and 5. */
import { connectAsync, type IPublishPacket } from 'mqtt'
import { afterEach, describe, expect, test } from 'vitest'
import { inWords, message, messages, tools, untilTheEnd } from '#engines/forward-shared/testing/messages.ts'
import { type OtherSide, targetContract } from '#engines/forward-shared/testing/target-contract.ts'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { freePort, givenBroker, startMosquitto, withoutMosquitto } from '#testing/mosquitto.ts'
import { openMqtt } from './mqtt-target.ts'

const settings = {
  type: 'mqtt',
  version: '5',
  clientID: '',
  username: '',
  password: '',
  topic: 'to/here',
  qos: 1,
  retain: false,
  ca: '',
} as const

type Close = (end: () => Promise<void>) => void

/** A mosquitto and somebody who subscribes there. */
async function startSide(close: Close, extra: string[] = []): Promise<OtherSide & { packets: IPublishPacket[] }> {
  const mosquitto = await startMosquitto(close, extra)
  const packets: IPublishPacket[] = []
  const subscribe = async () => {
    const client = await connectAsync(mosquitto.url, { protocolVersion: 5, reconnectPeriod: 0 })
    client.on('error', () => {})
    client.on('message', (_topic, _payload, packet) => packets.push(packet))
    await client.subscribeAsync('to/#', { qos: 1 })
    close(async () => void (await client.endAsync(true)))
  }
  await subscribe()
  return {
    port: Number(new URL(mosquitto.url).port),
    packets,
    arrived: async () => packets.map(({ payload }) => payload.toString()),
    kill: () => mosquitto.kill(),
    async startAgain() {
      await mosquitto.startAgain()
      await subscribe()
    },
  }
}

describe.skipIf(withoutMosquitto || givenBroker !== undefined)('with a mosquitto', () => {
  for (const version of ['3.1.1', '5'] as const) {
    targetContract(`MQTT ${version}`, {
      start: startSide,
      open: (host, port, by) => openMqtt({ ...settings, version, url: `mqtt://${host}:${port}` }, by),
    })
  }

  const closers: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })
  async function open(extra: string[]) {
    const side = await startSide((close) => void closers.push(close), extra)
    const target: ForwardTarget = openMqtt({ ...settings, url: `mqtt://127.0.0.1:${side.port}` }, tools())
    closers.push(() => target.close())
    return { side, target }
  }
  const sized = (n: number, bytes: number) => message(n, { body: `${n}`.padEnd(bytes, '.') })
  const begins = async (side: OtherSide) => (await side.arrived()).map((body) => Number.parseInt(body, 10))

  test('MQTT 5 says which message it is, and what is in it', async () => {
    const { side, target } = await open([])
    await target.send([message(7, { source: 'alarm' })], untilTheEnd)
    await expect.poll(() => side.packets).toHaveLength(1)
    expect(side.packets[0]?.properties).toMatchObject({
      contentType: 'application/json',
      payloadFormatIndicator: true,
      userProperties: { id: 'm7', source: 'alarm' },
    })
  })

  test('what is refused by a PUBACK that MQTT 5 does not know is found and named, the rest arrives', async () => {
    const { side, target } = await open(['message_size_limit 500'])
    const batch = [sized(1, 10), sized(2, 900), sized(3, 10), sized(4, 501), sized(5, 10)]
    expect(inWords(await target.send(batch, untilTheEnd))).toEqual([
      { index: 1, reason: '对方拒收：Packet too large' }, // not a text
      { index: 3, reason: '对方拒收：Packet too large' }, // not a text
    ])
    await expect.poll(async () => [...new Set(await begins(side))]).toEqual([1, 3, 5])
  })

  test('a packet is as large as the server takes, to the byte', async () => {
    const { side, target } = await open(['max_packet_size 600'])
    const around = 1 + 2 + (2 + 'to/here'.length) + 2 + 1 + 2 + (3 + 'application/json'.length)
    const largest = 600 - around - (1 + 4 + 'id'.length + 'm1'.length) - (1 + 4 + 'source'.length + 'property'.length)
    const batch = [sized(1, 10), sized(2, largest + 1), sized(3, largest), sized(4, 10)]
    expect(inWords(await target.send(batch, untilTheEnd))).toEqual([
      { index: 1, reason: '消息超过对方允许的 600 字节' }, // not a text
    ])
    await expect.poll(() => begins(side)).toEqual([1, 3, 4])
  })

  test('over a WebSocket, guarded as well', async () => {
    const port = await freePort()
    const { side } = await open([`listener ${port} 127.0.0.1`, 'protocol websockets'])
    const by = (host: string, allow?: string[]) => {
      const target = openMqtt({ ...settings, url: `ws://${host}:${port}/mqtt` }, tools(allow))
      closers.push(() => target.close())
      return target.send(messages(1, 20), untilTheEnd).catch((error: unknown) => error)
    }
    expect(await by('localhost')).toEqual([])
    await expect.poll(() => side.arrived()).toEqual(messages(1, 20).map(({ body }) => body))
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await by(host, [])).toMatchObject({ message: expect.stringContaining('WEBHOOK_ALLOW') })
    }
    await side.kill()
    expect(await by('127.0.0.1')).toBeInstanceOf(TargetAway)
  })

  test('no more are under way than the server wants', async () => {
    const { side, target } = await open(['max_inflight_messages 5'])
    expect(await target.send(messages(1, 300), untilTheEnd)).toEqual([])
    await expect.poll(() => side.arrived()).toEqual(messages(1, 300).map(({ body }) => body))
  })
})
