/** Real local servers: what goes over the wire, and what is made of every kind of answer. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { channelSettings } from '@ithings/contract/features/notify.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { maxAnswerBytes } from '#ports/answer-start.ts'
import { said } from '#testing/said.ts'
import { makeTestCertificate } from '../../../engines/aedes/testing/test-certificate.ts'
import { makeAddressGuard } from '../address-guard.ts'
import { answerJson, openReceiver, type Receiver } from '../testing/receiver.ts'
import { makeDingtalkSender } from './dingtalk.ts'
import { makeFeishuSender } from './feishu.ts'
import { postJson } from './post-json.ts'
import type { Outgoing } from './sender.ts'
import { makeWebhookSender } from './webhook.ts'
import { makeWecomSender } from './wecom.ts'

const options = { guard: makeAddressGuard(['127.0.0.0/8']), timeoutMs: 60_000 }
const clock = { now: () => 1_700_000_000_123 }

let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const outgoing = (settings: object, more: Partial<Outgoing> = {}): Outgoing => ({
  id: '42',
  settings: channelSettings.parse({ url: receiver.url, ...settings }),
  language: '',
  title: '温度过高',
  content: '1 号泵 85 ℃\n请处理',
  payload: {},
  source: 'scene',
  sourceName: '泵房',
  productID: 'p1',
  deviceName: 'd1',
  createdTime: 1_700_000_000_000,
  ...more,
})

const first = () => {
  const [one] = receiver.received
  if (!one) throw new Error('nothing was received')
  return { ...one, json: JSON.parse(one.body) as Record<string, unknown> }
}

test('a webhook gets the notice as JSON, with the fields of the notice added but never replaced', async () => {
  const send = makeWebhookSender(clock, options)
  const answer = await send(outgoing({ url: `${receiver.url}/hook?a=1` }, { payload: { value: 85, title: 'x' } }))
  expect(answer).toEqual({ ok: true, code: 200, msg: '{"ok":true}' })
  const { method, path, headers, json } = first()
  expect([method, path]).toEqual(['POST', '/hook?a=1'])
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers).not.toHaveProperty('x-ithings-signature')
  expect(headers['x-ithings-delivery']).toBe('42')
  expect(json).toEqual({
    value: 85,
    id: '42',
    title: '温度过高',
    content: '1 号泵 85 ℃\n请处理',
    source: 'scene',
    sourceName: '泵房',
    productID: 'p1',
    deviceName: 'd1',
    time: 1_700_000_000_000,
  })
})

test('with a secret the receiver can verify time and body', async () => {
  await makeWebhookSender(clock, options)(outgoing({ secret: 's3cret' }))
  const { headers, body } = first()
  const timestamp = String(headers['x-ithings-timestamp'])
  expect(timestamp).toBe('1700000000123')
  const expected = createHmac('sha256', 's3cret').update(`${timestamp}.${body}`).digest('hex')
  expect(headers['x-ithings-signature']).toBe(`sha256=${expected}`)
})

test('custom headers are sent, those of the connection and ours are not theirs to set', async () => {
  const headers = [
    { key: 'Authorization', value: 'Bearer t' },
    { key: 'Host', value: 'evil' },
    { key: 'Transfer-Encoding', value: 'chunked' },
    { key: 'x-ithings-signature', value: 'forged' },
    { key: 'content-type', value: 'text/plain' },
  ]
  await makeWebhookSender(clock, options)(outgoing({ headers, secret: 'k' }))
  const got = first().headers
  expect(got.authorization).toBe('Bearer t')
  expect(got.host).toBe(`127.0.0.1:${receiver.port}`)
  expect(got['transfer-encoding']).toBeUndefined()
  expect(got['content-type']).toBe('application/json; charset=utf-8')
  expect(got['x-ithings-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
})

test.each([400, 404, 500, 503])('HTTP %d is a failure that tells the status and what was said', async (status) => {
  receiver.reply = (response) => response.writeHead(status).end('no such hook')
  const answer = await makeWebhookSender(clock, options)(outgoing({}))
  expect(said(answer)).toEqual({ ok: false, code: status, msg: `对方应答 HTTP ${status}：no such hook` })
})

test.each([301, 302, 307, 308])('a redirect (%d) is not followed and says so', async (status) => {
  const inner = await openReceiver()
  try {
    receiver.reply = (response) => response.writeHead(status, { location: inner.url }).end()
    const answer = await makeWebhookSender(clock, options)(outgoing({}))
    expect(answer).toMatchObject({ ok: false, code: status, msg: expect.stringContaining('重定向') })
    expect(inner.received).toHaveLength(0)
  } finally {
    await inner.close()
  }
})

test('a receiver whose certificate nobody vouches for gets nothing', async () => {
  const received: unknown[] = []
  const server = createHttpsServer(makeTestCertificate(), (request, response) => {
    received.push(request.url)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await postJson({ url: `https://127.0.0.1:${port}/`, body: '{}' }, options)
  expect(said(answer)).toMatchObject({ answered: false, failure: { ok: false, msg: '对方的证书是自签名的' } })
  expect(received).toEqual([])
  server.close()
})

test('a receiver that does not answer in time is a failure', async () => {
  receiver.reply = () => undefined
  const answer = await makeWebhookSender(clock, { ...options, timeoutMs: 200 })(outgoing({}))
  expect(said(answer)).toEqual({ ok: false, code: 0, msg: '对方 0.2 秒内没有应答' })
})

test('the time limit holds for an answer that never ends, too', async () => {
  receiver.reply = (response) => {
    response.writeHead(200).write('a')
  }
  const answer = await makeWebhookSender(clock, { ...options, timeoutMs: 200 })(outgoing({}))
  expect(answer).toMatchObject({ ok: false, code: 0 })
  expect(answer.msg).toContain('没有应答')
})

test('of a huge answer 64 KB are read and the rest is not waited for', async () => {
  let open = true
  receiver.reply = (response) => {
    response.writeHead(200)
    response.on('close', () => {
      open = false
    })
    const more = () => {
      while (open && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  const result = await postJson({ url: receiver.url, body: '{}' }, options)
  expect(result).toMatchObject({ answered: true, status: 200 })
  expect(result.answered && result.text.length).toBe(maxAnswerBytes)
  await expect.poll(() => open).toBe(false)
})

test('a connection closed before or amid the answer is a failure', async () => {
  const send = makeWebhookSender(clock, options)
  receiver.reply = (response) => void response.destroy()
  expect(said(await send(outgoing({})))).toMatchObject({ ok: false, code: 0, msg: '连接被对方中断' })
  receiver.reply = (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  }
  expect(await send(outgoing({}))).toMatchObject({ ok: false, code: 0 })
})

test('a port where nobody listens and something that is not HTTP are failures that say so', async () => {
  const send = makeWebhookSender(clock, options)
  const silent = createServer((socket) => socket.resume().end('220 mail.example.com ESMTP\r\n'))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  expect((await send(outgoing({ url: `http://127.0.0.1:${port}` }))).msg).toContain('不是 HTTP')
  silent.close()
  await once(silent, 'close')
  expect(said(await send(outgoing({ url: `http://127.0.0.1:${port}` }))).msg).toBe('连接被拒绝')
})

test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'])(
  'without WEBHOOK_ALLOW %s is refused for good and nothing is sent',
  async (host) => {
    const guard = makeAddressGuard([])
    const send = makeWebhookSender(clock, { ...options, guard })
    const answer = await send(outgoing({ url: `http://${host}:${receiver.port}/` }))
    expect(answer).toMatchObject({ ok: false, code: 0, final: true, msg: expect.stringContaining('WEBHOOK_ALLOW') })
    expect(receiver.received).toHaveLength(0)
  },
)

test('the address that was looked at is the one connected to: a name that changes its mind gains nothing', async () => {
  // Allowed when it is asked first, and nobody listens there; the receiver's ever after.
  let asked = 0
  const rebinding = ((_host: string, _options: object, done: (error: null, list: object[]) => void) => {
    asked += 1
    done(null, [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }])
  }) as never
  const guard = makeAddressGuard(['127.0.0.2'], rebinding)
  const send = makeWebhookSender(clock, { ...options, guard })
  const url = `http://rebind.example.com:${receiver.port}/`
  expect(said(await send(outgoing({ url })))).toMatchObject({ ok: false, msg: '连接被拒绝' })
  expect(asked).toBe(1)
  expect(await send(outgoing({ url }))).toMatchObject({ ok: false, final: true })
  expect(asked).toBe(2)
  expect(receiver.received).toHaveLength(0)
})

test('DingTalk gets a signed address and Markdown that names whom it mentions', async () => {
  receiver.reply = answerJson({ errcode: 0, errmsg: 'ok' })
  const settings = {
    url: `${receiver.url}/robot/send?access_token=t`,
    secret: 'SECabc',
    mentions: ['13800000000', 'u1', 'all'],
  }
  const answer = await makeDingtalkSender(clock, options)(outgoing(settings))
  expect(answer).toEqual({ ok: true, code: 200, msg: 'ok' })
  const { path, json } = first()
  const query = new URL(path, receiver.url).searchParams
  const sign = createHmac('sha256', 'SECabc').update(`${clock.now()}\nSECabc`).digest('base64')
  expect(Object.fromEntries(query)).toEqual({ access_token: 't', timestamp: String(clock.now()), sign })
  expect(json).toEqual({
    msgtype: 'markdown',
    markdown: { title: '温度过高', text: '#### 温度过高\n\n1 号泵 85 ℃  \n请处理  \n\n@13800000000 @u1' },
    at: { atMobiles: ['13800000000'], atUserIds: ['u1'], isAtAll: true },
  })
})

test('DingTalk without a key is called at the address as it is', async () => {
  receiver.reply = answerJson({ errcode: 0, errmsg: 'ok' })
  await makeDingtalkSender(clock, options)(outgoing({ url: `${receiver.url}/robot/send?access_token=t` }))
  expect(first().path).toBe('/robot/send?access_token=t')
})

test('WeCom gets Markdown, or plain text when people are mentioned', async () => {
  receiver.reply = answerJson({ errcode: 0, errmsg: 'ok' })
  const send = makeWecomSender(options)
  expect(await send(outgoing({}))).toMatchObject({ ok: true })
  expect(first().json).toEqual({ msgtype: 'markdown', markdown: { content: '### 温度过高\n1 号泵 85 ℃\n请处理' } })
  receiver.received.length = 0
  await send(outgoing({ mentions: ['13800000000', 'wang', '@all'] }))
  expect(first().json).toEqual({
    msgtype: 'text',
    text: {
      content: '温度过高\n1 号泵 85 ℃\n请处理',
      mentioned_list: ['wang', '@all'],
      mentioned_mobile_list: ['13800000000'],
    },
  })
})

test('Feishu gets a signed body with a line for each line', async () => {
  receiver.reply = answerJson({ code: 0, msg: 'success', data: {} })
  const answer = await makeFeishuSender(clock, options)(outgoing({ secret: 'fs', mentions: ['ou_1', 'all'] }))
  expect(answer).toEqual({ ok: true, code: 200, msg: 'success' })
  expect(first().json).toEqual({
    timestamp: '1700000000',
    sign: createHmac('sha256', '1700000000\nfs').update('').digest('base64'),
    msg_type: 'post',
    content: {
      post: {
        zh_cn: {
          title: '温度过高',
          content: [
            [{ tag: 'text', text: '1 号泵 85 ℃' }],
            [{ tag: 'text', text: '请处理' }],
            [
              { tag: 'at', user_id: 'ou_1' },
              { tag: 'at', user_id: 'all' },
            ],
          ],
        },
      },
    },
  })
})

test('a robot that answers HTTP 200 and an error code has refused', async () => {
  receiver.reply = answerJson({ errcode: 310000, errmsg: 'sign not match' })
  expect(said(await makeDingtalkSender(clock, options)(outgoing({})))).toEqual({
    ok: false,
    code: 310000,
    msg: '机器人拒绝：sign not match（310000）',
  })
  receiver.reply = answerJson({ errcode: 93000, errmsg: 'invalid webhook url' })
  expect(await makeWecomSender(options)(outgoing({}))).toMatchObject({ ok: false, code: 93000 })
  receiver.reply = answerJson({ code: 19021, msg: 'sign match fail or timestamp is not within one hour' })
  expect(await makeFeishuSender(clock, options)(outgoing({}))).toMatchObject({ ok: false, code: 19021 })
})

test('an answer that no robot gives is a failure even with HTTP 200', async () => {
  receiver.reply = (response) => response.writeHead(200).end('<html>login</html>')
  const answer = await makeWecomSender(options)(outgoing({}))
  expect(answer).toMatchObject({ ok: false, code: 200, msg: expect.stringContaining('不是机器人的格式') })
})

test('a text too long for a robot is cut at a whole character within its limit', async () => {
  receiver.reply = answerJson({ errcode: 0, errmsg: 'ok' })
  await makeWecomSender(options)(outgoing({}, { content: '长'.repeat(4_000) }))
  const { content } = first().json.markdown as { content: string }
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(4_096)
  expect(Buffer.byteLength(content)).toBeGreaterThan(4_080)
  expect(content).toMatch(/长…$/)
})
