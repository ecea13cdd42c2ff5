import {
  ChannelStatus,
  channelMask,
  createChannel,
  DeliveryState,
  deleteChannel,
  listChannels,
  listDeliveries,
  readChannel,
  retryDelivery,
  testChannel,
  updateChannel,
} from '@ithings/contract/features/notify.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { places, sealJson } from '#db/sealed.ts'
import { said } from '#testing/said.ts'
import { queueNotice } from './door.ts'
import { dropOldDeliveries } from './housekeeping.ts'
import type { Notice } from './notice.ts'
import { findChannel } from './store.ts'
import { type NotifyWorld, openNotifyWorld } from './testing/notify-world.ts'
import { answerJson, openReceiver, type Receiver } from './testing/receiver.ts'

let world: NotifyWorld
let receiver: Receiver
let users: Phrase[] = []
beforeEach(async () => {
  users = []
  world = await openNotifyWorld({ usersOfChannel: async () => users })
  receiver = await openReceiver()
})
afterEach(async () => {
  await world.close()
  await receiver.close()
})

const hook = (name = '值班群', settings: object = {}) => ({
  name,
  type: 'webhook' as const,
  settings: { url: `${receiver.url}/hook?key=abc`, secret: 'first', ...settings },
})
const list = () => world.call(listChannels, {})
const only = async () => {
  const [one] = (await list()).list
  if (!one) throw new Error('there is no channel')
  return one
}
const notice = (channelIDs: number[], more: Partial<Notice> = {}): Notice => ({
  to: { channelIDs },
  title: '告警',
  content: '温度过高',
  variables: {},
  source: 'alarm',
  sourceName: '高温',
  ...more,
})
/** As an older version let it in, or another WEBHOOK_ALLOW. */
const savedBefore = (url: string) =>
  world.db
    .updateTable('notify_channel')
    .set({ settings: sealJson(world.db, places.channel, JSON.stringify({ url })) })
    .execute()
const log = (filter: object = {}) => world.call(listDeliveries, filter)

test('a channel is stored and read back without its secret', async () => {
  const { id } = await world.call(createChannel, { ...hook(), desc: '夜班' })
  const channel = await only()
  expect(channel).toMatchObject({
    id,
    name: '值班群',
    type: 'webhook',
    status: ChannelStatus.enabled,
    desc: '夜班',
    hasSecret: true,
    rev: 1,
    lastState: 0,
    lastSentTime: 0,
    sent: 0,
    failed: 0,
  })
  expect(JSON.stringify(await list())).not.toContain('first')
})

test('keys in addresses and headers are in no list; the whole is read by a right of its own', async () => {
  const key = 'hidden-key'
  const robot = {
    name: '群',
    type: 'dingtalk' as const,
    settings: { url: `https://a.example/send?access_token=${key}` },
  }
  await world.call(createChannel, robot)
  const headers = [
    { key: 'X-Route', value: key },
    { key: 'X-Empty', value: '' },
  ]
  const { id } = await world.call(createChannel, hook('值班群', { url: `https://b.example/hooks/${key}`, headers }))
  await world.call(createChannel, hook('没有路径', { url: 'https://c.example' }))
  await world.call(createChannel, hook('带密码', { url: `https://ops:${key}@d.example/` }))
  const listed = (await list()).list
  expect(JSON.stringify(listed)).not.toContain(key)
  expect(listed.map(({ settings }) => settings.url).sort()).toEqual([
    `https://a.example/${channelMask}`,
    `https://b.example/${channelMask}`,
    'https://c.example',
    `https://d.example/${channelMask}`,
  ])
  expect(listed.find((one) => one.id === id)?.settings.headers).toEqual([
    { key: 'X-Route', value: channelMask },
    { key: 'X-Empty', value: '' },
  ])
  const whole = await world.call(readChannel, { id })
  expect(whole).toMatchObject({ id, hasSecret: true, settings: { url: `https://b.example/hooks/${key}`, headers } })
  expect(whole.settings.secret).toBe('')
  await expect(world.call(readChannel, { id: 999 })).rejects.toMatchObject({ code: 100009 })
})

test('what comes back as it was listed keeps what is stored', async () => {
  const headers = [{ key: 'X-Token', value: 'kept' }]
  const { id } = await world.call(createChannel, hook('值班群', { headers }))
  const { settings } = await only()
  await world.call(updateChannel, { id, name: '新名', type: 'webhook', status: ChannelStatus.disabled, settings })
  const stored = { url: `${receiver.url}/hook?key=abc`, headers }
  expect(await world.call(readChannel, { id })).toMatchObject({ name: '新名', status: 2, settings: stored })
  const added = [...settings.headers, { key: 'X-More', value: 'new' }]
  await world.call(updateChannel, { id, ...hook('新名', { url: settings.url, headers: added }) })
  expect((await world.call(readChannel, { id })).settings.headers).toEqual([
    ...headers,
    { key: 'X-More', value: 'new' },
  ])
  await world.call(testChannel, { id, type: 'webhook', settings })
  expect(receiver.received[0]).toMatchObject({ path: '/hook?key=abc', headers: { 'x-token': 'kept' } })
})

test('a mask that stands for nothing is refused, and a hidden value goes to no other host', async () => {
  const headers = [{ key: 'X-Token', value: 'kept' }]
  const { id } = await world.call(createChannel, hook('值班群', { headers }))
  const { settings } = await only()
  const other = await openReceiver()
  const refused = async (work: Promise<unknown>, field: string) =>
    expect(await work.catch((error: unknown) => error)).toMatchObject({ code: 100006, field })
  await refused(world.call(createChannel, hook('抄来的', settings)), 'settings.url')
  await refused(world.call(createChannel, hook('抄来的', { headers: settings.headers })), 'settings.headers')
  await refused(world.call(updateChannel, { id, ...hook('值班群', { url: `${settings.url}/x` }) }), 'settings.url')
  const renamed = [{ key: 'X-Other', value: channelMask }]
  await refused(world.call(updateChannel, { id, ...hook('值班群', { headers: renamed }) }), 'settings.headers')
  const moved = { ...settings, url: `${other.url}/hook` }
  await refused(world.call(updateChannel, { id, ...hook('值班群', moved) }), 'settings.headers')
  await refused(world.call(testChannel, { id, type: 'webhook', settings: moved }), 'settings.headers')
  await refused(world.call(testChannel, { type: 'webhook', settings }), 'settings.url')
  expect([other.received, receiver.received]).toEqual([[], []])
  expect((await world.call(readChannel, { id })).settings.headers).toEqual(headers)
  await other.close()
})

test('an empty secret keeps the saved one, clearSecret and another type drop it', async () => {
  const { id } = await world.call(createChannel, hook())
  const saved = async () => (await findChannel(world.db, id)).settings.secret
  await world.call(updateChannel, { id, ...hook('新名', { secret: '' }) })
  expect(await only()).toMatchObject({ name: '新名', rev: 2, hasSecret: true })
  expect(await saved()).toBe('first')
  await world.call(updateChannel, { id, ...hook('新名', { secret: 'second' }) })
  expect(await saved()).toBe('second')
  await world.call(updateChannel, { id, ...hook('新名', { secret: '' }), type: 'wecom' })
  expect(await saved()).toBe('')
  await world.call(updateChannel, { id, ...hook('新名', { secret: 'third' }) })
  await world.call(updateChannel, { id, ...hook('新名', { secret: '' }), clearSecret: true })
  expect(await only()).toMatchObject({ hasSecret: false })
})

test('names are unique, an old rev and an unknown channel are refused', async () => {
  const { id } = await world.call(createChannel, hook())
  await expect(world.call(createChannel, hook())).rejects.toMatchObject({ code: 100010, field: 'name' })
  await expect(world.call(updateChannel, { id, rev: 9, ...hook() })).rejects.toMatchObject({ code: 900001 })
  await expect(world.call(updateChannel, { id: 999, ...hook('x') })).rejects.toMatchObject({ code: 100009 })
  await expect(world.call(deleteChannel, { id: 999 })).rejects.toMatchObject({ code: 100009 })
})

test.each([
  [[{ key: 'Host', value: 'x' }], '由平台设置'],
  [[{ key: 'Transfer-Encoding', value: 'chunked' }], '由平台设置'],
  [[{ key: 'X iThings', value: 'x' }], '名称无效'],
  [[{ key: 'X-Token', value: 'a\nb' }], '不能发送的字符'],
  [
    [
      { key: 'X-Token', value: 'a' },
      { key: 'x-token', value: 'b' },
    ],
    '重复',
  ],
])('headers that cannot be sent are refused when the channel is saved: %j', async (headers, why) => {
  const refused = world.call(createChannel, hook('x', { headers }))
  await expect(refused).rejects.toMatchObject({ code: 100006, message: expect.stringContaining(why) })
})

test('a channel in use is not deleted, and the refusal names its users', async () => {
  const { id } = await world.call(createChannel, hook())
  users = [phrase('场景「{name}」', { name: '泵房' }), phrase('告警「{name}」', { name: '高温' })]
  await expect(world.call(deleteChannel, { id })).rejects.toMatchObject({
    code: 100019,
    message: expect.stringContaining('场景「泵房」、告警「高温」'),
  })
  users = []
  await world.call(deleteChannel, { id })
  expect((await list()).total).toBe(0)
})

test('a deleted channel leaves its log behind, and what waited is still sent', async () => {
  const { id } = await world.call(createChannel, hook())
  await queueNotice(world.deps, notice([id]))
  await world.call(deleteChannel, { id })
  world.addServer().outbox.start()
  await expect.poll(async () => (await log()).list[0]?.state).toBe(DeliveryState.sent)
  expect((await log()).list[0]).toMatchObject({ channelID: 0, channelName: '值班群' })
})

test('the list filters by name, type and status, sorts, and says whether mails can be sent', async () => {
  await world.call(createChannel, hook('b_1'))
  await world.call(createChannel, { ...hook('a%2'), status: ChannelStatus.disabled })
  await world.call(createChannel, { name: 'c', type: 'email', settings: { to: ['a@example.com'] } })
  const names = async (body: object) => (await world.call(listChannels, body)).list.map((one) => one.name)
  expect(await names({ page: { orders: [{ field: 'name', sort: 1 }] } })).toEqual(['a%2', 'b_1', 'c'])
  expect(await names({ name: '_' })).toEqual(['b_1'])
  expect(await names({ name: '%' })).toEqual(['a%2'])
  expect(await names({ type: 'email' })).toEqual(['c'])
  expect(await names({ type: '', status: 2 })).toEqual(['a%2'])
  expect((await list()).mailReady).toBe(false)
  await expect(names({ page: { orders: [{ field: 'settings' }] } })).rejects.toMatchObject({ code: 100006 })
})

test('the list shows the last result and the counts of the last day of each channel', async () => {
  const { id } = await world.call(createChannel, hook())
  await world.call(createChannel, hook('其他'))
  world.addServer().outbox.start()
  await queueNotice(world.deps, notice([id]))
  await expect.poll(async () => (await log()).list[0]?.state).toBe(DeliveryState.sent)
  world.clock.advance(25 * 3_600_000)
  await queueNotice(world.deps, notice([id]))
  await expect.poll(async () => (await log()).list[0]?.state).toBe(DeliveryState.sent)
  receiver.reply = (response) => response.writeHead(404).end()
  await world.call(testChannel, { id })
  const channel = (await list()).list.find((one) => one.id === id)
  expect(channel).toMatchObject({ sent: 1, failed: 1, lastState: DeliveryState.failed, lastError: '对方应答 HTTP 404' })
  expect(world.clock.now() - (channel?.lastSentTime ?? 0)).toBeLessThan(60_000)
  expect((await list()).list.find((one) => one.name === '其他')).toMatchObject({ sent: 0, failed: 0, lastState: 0 })
})

test('a disabled or missing channel is a problem that the caller can tell, the others get it', async () => {
  const { id } = await world.call(createChannel, hook())
  const off = await world.call(createChannel, { ...hook('禁用的'), status: ChannelStatus.disabled })
  const queued = await queueNotice(world.deps, notice([id, off.id, 999, id]))
  expect(said(queued)).toEqual({ deliveries: 1, problems: ['通知渠道「禁用的」已禁用', '通知渠道 999 不存在'] })
  expect((await log()).total).toBe(1)
})

test('a test sends now, waits for the answer and is in the log', async () => {
  const { id } = await world.call(createChannel, hook())
  const result = await world.call(testChannel, { id })
  expect(result).toMatchObject({ ok: true, code: 200 })
  expect(receiver.received[0]?.headers['x-ithings-signature']).toMatch(/^sha256=/)
  expect((await log()).list).toMatchObject([
    { source: 'test', channelID: id, state: DeliveryState.sent, attempts: 1, target: receiver.url },
  ])
  receiver.reply = (response) => response.writeHead(500).end()
  expect(await world.call(testChannel, { id })).toMatchObject({ ok: false, code: 500, msg: '对方应答 HTTP 500' })
})

test('the form is tested as it is, with the saved secret when it gives none', async () => {
  const { id } = await world.call(createChannel, hook())
  const settings = { url: `${receiver.url}/other` }
  await world.call(testChannel, { id, type: 'webhook', settings })
  expect(receiver.received[0]).toMatchObject({ path: '/other' })
  expect(receiver.received[0]?.headers['x-ithings-signature']).toMatch(/^sha256=/)
  receiver.reply = answerJson({ errcode: 0, errmsg: 'ok' })
  expect(await world.call(testChannel, { type: 'dingtalk', settings })).toMatchObject({ ok: true, msg: 'ok' })
  expect(receiver.received[1]?.path).toBe('/other')
  await expect(world.call(testChannel, {})).rejects.toMatchObject({ code: 100006 })
  await expect(world.call(testChannel, { type: 'email', settings: {} })).rejects.toMatchObject({ code: 100006 })
})

test('every filter of the log finds its own', async () => {
  const { id } = await world.call(createChannel, hook())
  const mail = await world.call(createChannel, { name: '邮箱', type: 'email', settings: { to: ['a@example.com'] } })
  const start = world.clock.now()
  await queueNotice(world.deps, notice([id], { deviceName: 'pump-1' }))
  world.clock.advance(60_000)
  const middle = world.clock.now()
  await queueNotice(world.deps, notice([mail.id], { source: 'scene', sourceName: '日报' }))
  world.clock.advance(10)
  await queueNotice(world.deps, notice([], { title: '内联', to: { channelIDs: [], url: receiver.url } }))
  await world.db.updateTable('notify_delivery').set({ state: 3 }).where('channel_id', '=', mail.id).execute()
  const found = async (filter: object) => (await log(filter)).list.map((one) => one.channelName || one.title)
  expect(await found({ page: { orders: [{ field: 'createdTime', sort: 1 }] } })).toEqual(['值班群', '邮箱', '内联'])
  expect(await found({ channelID: id })).toEqual(['值班群'])
  expect(await found({ channelID: 0 })).toEqual(['内联'])
  expect(await found({ type: 'email' })).toEqual(['邮箱'])
  expect(await found({ state: 3 })).toEqual(['邮箱'])
  expect(await found({ source: 'scene' })).toEqual(['邮箱'])
  for (const keyword of ['pump-1', '值班']) expect(await found({ keyword }), keyword).toEqual(['值班群'])
  for (const keyword of ['a@example', '日报']) expect(await found({ keyword }), keyword).toEqual(['邮箱'])
  expect(await found({ timeStart: start, timeEnd: middle })).toEqual(['值班群'])
  expect(await found({ timeStart: middle })).toHaveLength(2)
  expect(await found({ channelID: '', type: '', state: '', source: '', keyword: '' })).toHaveLength(3)
  expect((await log({ page: { page: 2, size: 2 } })).list).toHaveLength(1)
})

test('an address that would be refused is not saved; one that is saved already can still be switched off', async () => {
  const refusal = { code: 100006, field: 'settings.url', message: expect.stringContaining('WEBHOOK_ALLOW') }
  for (const url of ['http://10.0.0.1/hook', 'http://[::ffff:10.0.0.1]/hook', 'http://169.254.169.254/'])
    await expect(world.call(createChannel, hook('内网', { url })), url).rejects.toMatchObject(refusal)
  expect((await list()).list).toEqual([])
  const { id } = await world.call(createChannel, hook())
  const inside = hook('值班群', { url: 'http://10.0.0.1/hook' })
  await expect(world.call(updateChannel, { id, ...inside })).rejects.toMatchObject(refusal)
  await savedBefore(inside.settings.url)
  await world.call(updateChannel, { id, ...inside, status: ChannelStatus.disabled })
  expect(await only()).toMatchObject({ status: ChannelStatus.disabled })
})

test('a failed one is sent again with the channel as it is now', async () => {
  const { id } = await world.call(createChannel, hook())
  await savedBefore('http://10.0.0.1/old')
  const server = world.addServer()
  server.outbox.start()
  await queueNotice(world.deps, notice([id]))
  await expect.poll(async () => (await log()).list[0]?.state).toBe(DeliveryState.failed)
  const [failed] = (await log()).list
  expect(failed).toMatchObject({ nextTime: 0, error: expect.stringContaining('内部网络') })
  await world.call(updateChannel, { id, ...hook() })
  await world.call(retryDelivery, { id: failed?.id ?? '' })
  await expect.poll(async () => (await log()).list[0]?.state).toBe(DeliveryState.sent)
  expect((await log()).list).toMatchObject([{ id: failed?.id, error: '', attempts: 1, target: receiver.url }])
  await expect(world.call(retryDelivery, { id: failed?.id ?? '' })).rejects.toMatchObject({ code: 100006 })
})

test('what has no channel any more, a disabled one, or does not exist is not sent again', async () => {
  const { id } = await world.call(createChannel, hook())
  await queueNotice(world.deps, notice([id]))
  await queueNotice(world.deps, notice([], { to: { channelIDs: [], url: receiver.url } }))
  await world.db.updateTable('notify_delivery').set({ state: 3 }).execute()
  const [inline, channelled] = (await log()).list
  await expect(world.call(retryDelivery, { id: inline?.id ?? '' })).rejects.toMatchObject({ code: 100006 })
  await world.call(updateChannel, { id, ...hook(), status: ChannelStatus.disabled })
  await expect(world.call(retryDelivery, { id: channelled?.id ?? '' })).rejects.toMatchObject({ code: 100021 })
  for (const unknown of ['999', 'x', '1 or 1=1']) {
    await expect(world.call(retryDelivery, { id: unknown })).rejects.toMatchObject({ code: 100009 })
  }
})

test('after 90 days deliveries that are over go, those that wait stay', async () => {
  const { id } = await world.call(createChannel, hook())
  await queueNotice(world.deps, notice([id], { title: 'over' }))
  await queueNotice(world.deps, notice([id], { title: 'waits' }))
  await world.db.updateTable('notify_delivery').set({ state: 2 }).where('title', '=', 'over').execute()
  expect(await dropOldDeliveries(world.db, world.clock)).toBe(0)
  world.clock.advance(91 * 86_400_000)
  expect(await dropOldDeliveries(world.db, world.clock)).toBe(1)
  expect((await log()).list.map((one) => one.title)).toEqual(['waits'])
})
