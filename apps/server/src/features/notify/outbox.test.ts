import { DeliveryState } from '@ithings/contract/features/notify.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { queueNotice } from './door.ts'
import type { Notice } from './notice.ts'
import { backOffMs, claimDue, leaseMs, noteResult } from './outbox-store.ts'
import { type NotifyWorld, openNotifyWorld } from './testing/notify-world.ts'
import { answerJson, openReceiver, type Receiver } from './testing/receiver.ts'

let world: NotifyWorld
let receiver: Receiver
beforeEach(async () => {
  world = await openNotifyWorld()
  receiver = await openReceiver()
})
afterEach(async () => {
  await world.close()
  await receiver.close()
})

const notice = (more: Partial<Notice> = {}): Notice => ({
  to: { channelIDs: [], type: 'webhook', url: `${receiver.url}/hook` },
  title: `\${deviceName} 告警`,
  content: '温度过高',
  variables: { deviceName: 'pump-1' },
  source: 'scene',
  sourceName: '泵房',
  ...more,
})
const rows = () => world.db.selectFrom('notify_delivery').selectAll().orderBy('id').execute()
const row = async () => {
  const [first] = await rows()
  if (!first) throw new Error('the outbox is empty')
  return first
}
const states = async () => (await rows()).map((one) => one.state)
const metric = async (server: { metrics: { metrics(): Promise<string> } }, line: string) =>
  (await server.metrics.metrics()).split('\n').find((one) => one.startsWith(line))

test('a notice is sent at once, its texts filled in, and its settings are forgotten', async () => {
  const server = world.addServer()
  server.outbox.start()
  const queued = await queueNotice(
    server.deps,
    notice({ productID: 'p', deviceName: 'pump-1', payload: { value: 85 } }),
  )
  expect(queued).toEqual({ deliveries: 1, problems: [] })
  await expect.poll(states).toEqual([DeliveryState.sent])
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ title: 'pump-1 告警', value: 85 })
  expect(await row()).toMatchObject({
    settings: {},
    attempts: 1,
    code: 200,
    error: '',
    next_at: 0,
    target: receiver.url,
    product_id: 'p',
    device_name: 'pump-1',
  })
  await expect.poll(() => metric(server, 'ithings_notify_tries_total{type="webhook",result="sent"}')).toMatch(/ 1$/)
})

test('what fails is tried after 10 s, 1 min, 5 min and 30 min, then given up with its reason', async () => {
  receiver.reply = (response) => response.writeHead(503).end('busy')
  const server = world.addServer()
  server.outbox.start()
  let asked = world.clock.now()
  await queueNotice(server.deps, notice())
  for (const [index, wait] of backOffMs.entries()) {
    await expect.poll(async () => (await row()).code).toBe(503)
    expect(receiver.received).toHaveLength(index + 1)
    const waiting = await row()
    expect(waiting).toMatchObject({ state: DeliveryState.waiting, attempts: index + 1 })
    expect(waiting.next_at).toBeGreaterThanOrEqual(asked + wait)
    expect(waiting.next_at).toBeLessThanOrEqual(world.clock.now() + wait)
    await world.db.updateTable('notify_delivery').set({ code: 0 }).execute()
    world.clock.advance(wait)
    asked = world.clock.now()
  }
  await expect.poll(states).toEqual([DeliveryState.failed])
  expect(receiver.received).toHaveLength(backOffMs.length + 1)
  expect(said(await row())).toMatchObject({
    attempts: 5,
    code: 503,
    error: '对方应答 HTTP 503：busy',
    settings: {},
    next_at: 0,
  })
})

test('it is not tried before its time, and a receiver that is back gets the same delivery', async () => {
  receiver.reply = (response) => response.writeHead(500).end()
  const server = world.addServer()
  server.outbox.start()
  await queueNotice(server.deps, notice())
  await expect.poll(async () => (await row()).code).toBe(500)
  receiver.reply = answerJson({})
  world.clock.advance(1_000)
  expect(await claimDue(world.db, { now: world.clock.now(), room: 9, perLane: 9, busy: new Map() })).toEqual([])
  world.clock.advance(9_001)
  await expect.poll(states).toEqual([DeliveryState.sent])
  const ids = receiver.received.map((one) => one.headers['x-ithings-delivery'])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('what cannot succeed is given up at once', async () => {
  const server = world.addServer({ webhookAllow: [] })
  server.outbox.start()
  await queueNotice(server.deps, notice())
  await queueNotice(server.deps, notice({ to: { channelIDs: [], to: 'a@example.com' } }))
  await expect.poll(states).toEqual([DeliveryState.failed, DeliveryState.failed])
  const [hook, mail] = await rows()
  expect([hook?.attempts, mail?.attempts]).toEqual([1, 1])
  expect(hook?.error).toContain('WEBHOOK_ALLOW')
  expect(mail?.error).toContain('SMTP_URL')
  expect(receiver.received).toHaveLength(0)
})

test('a server that dies between claim and result: another tries again after a minute, not before', async () => {
  await queueNotice(world.deps, notice())
  const claim = () => claimDue(world.db, { now: world.clock.now(), room: 9, perLane: 9, busy: new Map() })
  expect(await claim()).toHaveLength(1)
  // It is gone now. The next server finds nothing to do yet.
  world.clock.advance(leaseMs / 2)
  expect(await claim()).toEqual([])
  const server = world.addServer()
  server.outbox.start()
  expect(receiver.received).toHaveLength(0)
  world.clock.advance(leaseMs / 2 + 1)
  await expect.poll(states).toEqual([DeliveryState.sent])
  expect((await row()).attempts).toBe(2)
  expect(receiver.received).toHaveLength(1)
})

test('stopping waits for what is on its way; what waits is sent after the next start', async () => {
  const replies: Array<() => void> = []
  receiver.reply = (response) => void replies.push(() => response.end('{}'))
  const server = world.addServer({}, { perLane: 1 })
  server.outbox.start()
  await queueNotice(server.deps, notice())
  await queueNotice(server.deps, notice())
  await expect.poll(() => replies.length).toBe(1)
  const stopping = server.outbox.stop()
  replies[0]?.()
  await stopping
  expect(await states()).toEqual([DeliveryState.sent, DeliveryState.waiting])
  receiver.reply = answerJson({})
  world.addServer().outbox.start()
  await expect.poll(states).toEqual([DeliveryState.sent, DeliveryState.sent])
  expect(receiver.received).toHaveLength(2)
})

test('several servers on one database send each notice once', async () => {
  const count = 300
  const servers = [world.addServer(), world.addServer(), world.addServer()]
  for (const { outbox } of servers) outbox.start()
  await Promise.all(
    Array.from({ length: count }, (_, index) => queueNotice(world.deps, notice({ title: `n${index}` }))),
  )
  await expect.poll(async () => (await states()).filter((state) => state === DeliveryState.sent).length).toBe(count)
  const titles = receiver.received.map((one) => (JSON.parse(one.body) as { title: string }).title)
  expect(titles).toHaveLength(count)
  expect(new Set(titles).size).toBe(count)
})

test('claims that run at the same time never take the same row', async () => {
  for (let index = 0; index < 40; index += 1) await queueNotice(world.deps, notice())
  const now = world.clock.now()
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => claimDue(world.db, { now, room: 10, perLane: 40, busy: new Map() })),
  )
  const ids = claims.flat().map((one) => one.id)
  expect(new Set(ids).size).toBe(ids.length)
  const rest = await claimDue(world.db, { now, room: 100, perLane: 100, busy: new Map() })
  expect(ids.length + rest.length).toBe(40)
})

test('only so many go to one host at a time, and a slow host holds up nobody else', async () => {
  const slow = await openReceiver(() => undefined)
  try {
    const server = world.addServer({}, { perLane: 2, sending: 8 })
    server.outbox.start()
    for (let index = 0; index < 20; index += 1) {
      await queueNotice(server.deps, notice({ to: { channelIDs: [], type: 'webhook', url: slow.url } }))
    }
    await expect.poll(() => slow.received.length).toBe(2)
    await queueNotice(server.deps, notice())
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(slow.received).toHaveLength(2)
  } finally {
    await slow.close()
  }
})

test('the outbox has an end: the oldest beyond it are given up, said so and counted', async () => {
  for (let index = 0; index < 12; index += 1) await queueNotice(world.deps, notice({ title: `n${index}` }))
  world.clock.advance(-1_000)
  const server = world.addServer({}, { waiting: 10, sending: 0 })
  server.outbox.start()
  await expect.poll(async () => (await states()).filter((state) => state === DeliveryState.failed).length).toBe(2)
  const failed = (await rows()).filter((one) => one.state === DeliveryState.failed)
  expect(failed.map((one) => one.title)).toEqual(['n0', 'n1'])
  expect(said(failed[0]?.error)).toContain('超过 10 条')
  await expect.poll(() => metric(server, 'ithings_notify_refused_total')).toMatch(/ 2$/)
  await expect.poll(() => metric(server, 'ithings_notify_waiting')).toMatch(/ 10$/)
})

test('a result that comes after the row was decided changes nothing', async () => {
  await queueNotice(world.deps, notice())
  const [claimed] = await claimDue(world.db, { now: world.clock.now(), room: 1, perLane: 1, busy: new Map() })
  if (!claimed) throw new Error('nothing to claim')
  const when = { now: world.clock.now(), latency: 1 }
  await noteResult(world.db, claimed, { ok: true, code: 200, msg: '' }, when)
  await noteResult(world.db, claimed, { ok: false, code: 500, msg: 'late' }, when)
  expect(await row()).toMatchObject({ state: DeliveryState.sent, code: 200, error: '' })
})

test('the same notice twice makes one delivery for each channel', async () => {
  for (let count = 0; count < 2; count += 1) {
    const queued = await queueNotice(world.deps, notice({ onceKey: 'run-1:step-2' }))
    expect(queued).toEqual({ deliveries: 1, problems: [] })
  }
  expect(await rows()).toHaveLength(1)
})

test('inside a transaction it counts when that commits', async () => {
  const server = world.addServer()
  server.outbox.start()
  await expect(
    world.db.transaction().execute(async (db) => {
      await queueNotice(server.deps, notice({ title: 'rolled back' }), db)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await world.db.transaction().execute((db) => queueNotice(server.deps, notice({ title: 'kept' }), db))
  await expect.poll(states).toEqual([DeliveryState.sent])
  expect((await row()).title).toBe('kept')
})

test('texts that PostgreSQL cannot hold are made so that it can', async () => {
  const queued = await queueNotice(
    world.deps,
    notice({ variables: { deviceName: 'a\u0000b' }, payload: { raw: '\u0000' } }),
  )
  expect(queued.deliveries).toBe(1)
  expect((await row()).title).toBe('a\ufffdb 告警')
})

test('a scene may name several recipients in one text', async () => {
  const queued = await queueNotice(world.deps, notice({ to: { channelIDs: [], to: 'a@example.com, b@example.com' } }))
  expect(queued).toEqual({ deliveries: 1, problems: [] })
  expect(await row()).toMatchObject({ type: 'email', lane: 'smtp', target: 'a@example.com, b@example.com' })
})

test('a receiver that is no address makes a problem, not a delivery', async () => {
  const to = { channelIDs: [77], url: 'ftp://example.com', type: 'webhook' as const }
  const queued = await queueNotice(world.deps, notice({ to }))
  expect(queued.deliveries).toBe(0)
  expect(said(queued.problems)).toEqual(['通知渠道 77 不存在', expect.stringContaining('通知地址无效')])
  expect(await rows()).toEqual([])
})
