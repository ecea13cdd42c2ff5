/** The webhook target against a real HTTP server. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Heard, type HttpReply, type HttpSide, startHttpSide } from '#engines/forward-shared/testing/http-side.ts'
import { inWords, message, messages, tools, untilTheEnd } from '#engines/forward-shared/testing/messages.ts'
import { targetContract } from '#engines/forward-shared/testing/target-contract.ts'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { signWebhook } from '#ports/webhook-rules.ts'
import { openWebhook } from './webhook-target.ts'

const settings = { type: 'webhook', secret: '', headers: [], batch: 1 } as const
const parsed = (heard: Heard[]) =>
  heard.flatMap(({ body }) => JSON.parse(body) as unknown).map((one) => JSON.stringify(one))

for (const batch of [1, 1_000]) {
  targetContract(`webhook, ${batch} a request`, {
    async start(close) {
      const side = await startHttpSide(close)
      return { ...side, arrived: async () => parsed(side.heard) }
    },
    open: (host, port, by) => openWebhook({ ...settings, headers: [], batch, url: `http://${host}:${port}/in` }, by),
  })
}

describe('webhook', () => {
  const closers: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  async function open(
    more: Partial<Parameters<typeof openWebhook>[0]> = {},
    answer?: (heard: Heard) => HttpReply,
  ): Promise<{ side: HttpSide; target: ForwardTarget }> {
    const side = await startHttpSide((close) => void closers.push(close), answer)
    const target = openWebhook(
      { ...settings, headers: [], url: `http://127.0.0.1:${side.port}/in?a=1`, ...more },
      tools(),
    )
    closers.push(() => target.close())
    return { side, target }
  }
  const failure = async (target: ForwardTarget): Promise<TargetAway> =>
    target.send(messages(1, 1), untilTheEnd).then(
      () => expect.fail('it was sent'),
      (error: unknown) => {
        expect(error).toBeInstanceOf(TargetAway)
        return error as TargetAway
      },
    )

  test('a message goes as it is, signed, with its id and the headers of the rule', async () => {
    const headers = [
      { key: 'X-Own', value: 'yes' },
      { key: 'Content-Length', value: '1' },
      { key: 'x-ithings-delivery', value: 'other' },
    ]
    const { side, target } = await open({ secret: 's3cret', headers })
    const event = message(2, { body: '{"specversion":"1.0"}', contentType: 'application/cloudevents+json' })
    expect(
      await target.send([message(1, { body: 'plain, 温度', contentType: 'text/plain' }), event], untilTheEnd),
    ).toEqual([])
    const [first, second] = side.heard
    expect(first).toMatchObject({ path: '/in?a=1', body: 'plain, 温度' })
    expect(first?.headers).toMatchObject({ 'x-own': 'yes', 'x-ithings-delivery': 'm1', 'content-type': 'text/plain' })
    const { 'x-ithings-timestamp': timestamp, 'x-ithings-signature': signature } = first?.headers ?? {}
    expect(signature).toBe(signWebhook('s3cret', String(timestamp), 'plain, 温度'))
    expect(second?.headers).toMatchObject({
      'x-ithings-delivery': 'm2',
      'content-type': 'application/cloudevents+json',
    })
    expect(target.most).toBe(100)
  })

  test('without a secret nothing is signed', async () => {
    const { side, target } = await open()
    await target.send(messages(1, 1), untilTheEnd)
    expect(side.heard[0]?.headers['x-ithings-signature']).toBeUndefined()
  })

  test('several go as one array; CloudEvents among themselves as a batch of theirs', async () => {
    const { side, target } = await open({ batch: 3 })
    const event = (n: number) => message(n, { contentType: 'application/cloudevents+json; charset=utf-8' })
    await target.send(
      [message(1), message(2, { body: 'not "JSON"', contentType: 'text/plain' }), event(3)],
      untilTheEnd,
    )
    await target.send([event(4), event(5)], untilTheEnd)
    expect(
      side.heard.map(({ body, headers }) => [headers['x-ithings-delivery'], headers['content-type'], body]),
    ).toEqual([
      ['m1+2', 'application/json', '[{"n":1},"not \\"JSON\\"",{"n":3}]'],
      ['m4+1', 'application/cloudevents-batch+json', '[{"n":4},{"n":5}]'],
    ])
    expect(target.most).toBe(3)
  })

  test.each([1, 10])('with %i a request only the guilty are refused', async (batch) => {
    const { side, target } = await open({ batch }, ({ body }) =>
      /"n":[24]\b/.test(body) ? { status: 422, body: '\u0001no\0 such field' } : { status: 200 },
    )
    expect(inWords(await target.send(messages(1, 5), untilTheEnd))).toEqual([
      { index: 1, reason: '对方应答 HTTP 422：no such field' }, // not a text
      { index: 3, reason: '对方应答 HTTP 422：no such field' }, // not a text
    ])
    const alone = side.heard.filter(({ headers }) => !headers['x-ithings-delivery']?.includes('+'))
    expect(parsed(alone)).toEqual(messages(1, 5).map(({ body }) => body))
    expect(inWords(await target.send(messages(2, 2), untilTheEnd))).toMatchObject([{ index: 0 }])
  })

  test.each([408, 425, 429, 500, 503])('HTTP %i is to be tried again, when it says so later', async (status) => {
    const { target } = await open({}, () => ({ status, headers: { 'Retry-After': '7' } }))
    expect(await failure(target)).toMatchObject({ message: `对方应答 HTTP ${status}`, retryAfterMs: 7_000 })
  })

  test('nobody puts us off for more than five minutes', async () => {
    const { target } = await open({}, () => ({
      status: 429,
      headers: { 'Retry-After': new Date(Date.now() + 86_400_000).toUTCString() },
    }))
    expect((await failure(target)).retryAfterMs).toBe(300_000)
  })

  test('a redirect is not followed', async () => {
    const other = await open()
    const { target } = await open({}, () => ({
      status: 307,
      headers: { Location: `http://127.0.0.1:${other.side.port}/` },
    }))
    expect((await failure(target)).words.text).toContain('重定向') // not a text
    expect(other.side.heard).toEqual([])
  })

  test('a kept connection that the other side has ended meanwhile is no fault', async () => {
    const { side, target } = await open()
    expect(await target.send(messages(1, 1), untilTheEnd)).toEqual([])
    await side.kill()
    await side.startAgain()
    expect(await target.send(messages(2, 2), untilTheEnd)).toEqual([])
    expect(parsed(side.heard)).toEqual(messages(1, 2).map(({ body }) => body))
  })
})
