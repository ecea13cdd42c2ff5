/** The InfluxDB target against a real HTTP server that gives the answers which InfluxDB documents for /api/v2/write. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Heard, type HttpReply, type HttpSide, startHttpSide } from '#engines/forward-shared/testing/http-side.ts'
import { inWords, message, messages, tools, untilTheEnd } from '#engines/forward-shared/testing/messages.ts'
import { targetContract } from '#engines/forward-shared/testing/target-contract.ts'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { openInflux } from './influx-target.ts'

const settings = { type: 'influx', org: 'our org', bucket: 'b&1', token: 'tok', measurement: '' } as const
const numbers = (heard: Heard[]) => heard.flatMap(({ body }) => body.match(/(?<= n=)\d+/g) ?? [])

targetContract('influx', {
  async start(close) {
    const side = await startHttpSide(close)
    return { ...side, arrived: async () => numbers(side.heard).map((n) => `{"n":${n}}`) }
  },
  open: (host, port, by) => openInflux({ ...settings, url: `http://${host}:${port}` }, by),
})

describe('influx', () => {
  const closers: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })
  async function open(answer?: (heard: Heard) => HttpReply): Promise<{ side: HttpSide; target: ForwardTarget }> {
    const side = await startHttpSide((close) => void closers.push(close), answer)
    const target = openInflux({ ...settings, url: `http://127.0.0.1:${side.port}/proxied/` }, tools())
    closers.push(() => target.close())
    return { side, target }
  }

  test('lines go to the bucket, with the token; many of them packed', async () => {
    const { side, target } = await open()
    expect(await target.send(messages(1, 2), untilTheEnd)).toEqual([])
    expect(await target.send(messages(1, 500), untilTheEnd)).toEqual([])
    const [small, large] = side.heard
    expect(small?.path).toBe('/proxied/api/v2/write?org=our+org&bucket=b%261&precision=ms')
    expect(small?.headers).toMatchObject({ authorization: 'Token tok', 'content-type': 'text/plain; charset=utf-8' })
    expect(small?.body).toBe('p1,product=p1,device=d1 n=1 1700000000001\np1,product=p1,device=d1 n=2 1700000000002')
    expect(small?.headers['content-encoding']).toBeUndefined()
    expect(large?.headers['content-encoding']).toBe('gzip')
    expect(large?.body.split('\n')).toHaveLength(500)
  })

  test('lines to blame are found and named, the others are written', async () => {
    const written = new Set<string>()
    const { target } = await open((one) => {
      const found = numbers([one])
      if (found.some((n) => n === '3' || n === '90')) {
        return { status: 400, body: '{"code":"invalid","message":"unable to parse"}' }
      }
      for (const n of found) written.add(n)
      return { status: 204 }
    })
    const batch = messages(1, 100).map((one, i) => (i === 49 ? { ...one, data: {} } : one))
    const reason = '对方应答 HTTP 400：{"code":"invalid","message":"unable to parse"}' // not a text
    expect(inWords(await target.send(batch, untilTheEnd))).toEqual([
      { index: 2, reason },
      { index: 49, reason: '消息中没有可写入的数值、文字或开关' }, // not a text
      { index: 89, reason },
    ])
    expect(written.size).toBe(97)
  })

  test('a message without fields alone asks nobody', async () => {
    const { side, target } = await open()
    expect(await target.send([message(1, { data: {} })], untilTheEnd)).toMatchObject([{ index: 0 }])
    expect(side.heard).toEqual([])
  })

  test.each([401, 403, 404, 429, 500, 503])('HTTP %i is to be tried again', async (status) => {
    const { target } = await open(() => ({ status, body: 'why', headers: { 'Retry-After': '3' } }))
    const error: unknown = await target.send(messages(1, 2), untilTheEnd).catch((cause) => cause)
    expect(error).toBeInstanceOf(TargetAway)
    expect(error).toMatchObject({
      message: `对方应答 HTTP ${status}：why`, // not a text
      ...(status >= 429 && { retryAfterMs: 3_000 }),
    })
  })
})
