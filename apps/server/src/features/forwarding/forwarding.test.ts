/** Rules at work: real devices, real PostgreSQL, a real receiver. */
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import {
  createForward,
  deleteDeadLetters,
  deleteForward,
  ForwardStatus,
  listDeadLetters,
  listForwards,
  readForward,
  recentForwards,
  replayForward,
  resendDeadLetters,
  testForward,
  updateForward,
} from '@ithings/contract/features/forwarding/rules.ts'
import { secretMask } from '@ithings/contract/features/forwarding/targets.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { updateProduct } from '@ithings/contract/features/products.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { answerJson, type Receiver } from '#features/notify/testing/receiver.ts'
import { eventually } from '#testing/eventually.ts'
import { connectDevice, type TestDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'
import { makeConnected, makeFullProduct } from '#uplink/testing/full-product.ts'
import { makeRule, openForwardWorld, openTaker, sentTo } from './testing/forward-world.ts'

let world: World
beforeAll(async () => {
  world = await openForwardWorld()
})
afterAll(() => world.close())

async function taker(): Promise<Receiver> {
  const receiver = await openTaker()
  onTestFinished(() => receiver.close())
  return receiver
}

const report = (device: TestDevice, params: object) =>
  device.publish('thing/property', { method: 'report', clientToken: uniqueText('c'), params })

const ruleOf = async (id: number) => world.asAdmin(readForward, { id })
const levels = (receiver: Receiver) => sentTo(receiver).map(({ data }) => data.level)

test('a report arrives once, in our form, and the rule tells how it gets on', async () => {
  const receiver = await taker()
  const id = await makeRule(world, receiver)
  const device = await makeConnected(world)
  await report(device, { level: 7, temp: 21.5 })
  await eventually(() => expect(sentTo(receiver)).toHaveLength(1))
  const { productID, deviceName } = device.key
  expect(sentTo(receiver)[0]).toMatchObject({
    source: 'property',
    productID,
    deviceName,
    data: { level: 7, temp: 21.5 },
  })
  await eventually(async () => expect(await ruleOf(id)).toMatchObject({ sent: 1, lagMs: 0, error: '' }))
  const { list } = await world.asAdmin(recentForwards, { id })
  expect(list).toMatchObject([{ productID, deviceName, body: receiver.received[0]?.body.slice(1, -1) }])
  expect((await world.asAdmin(listForwards, { name: (await ruleOf(id)).name })).list).toHaveLength(1)
})

test('many messages of many devices arrive completely, and those of each device in their order', async () => {
  const receiver = await taker()
  const productID = await makeFullProduct(world)
  await makeRule(world, receiver, { filter: { productIDs: [productID] } })
  const devices = await Promise.all(Array.from({ length: 5 }, () => makeConnected(world, {}, productID)))
  const numbers = Array.from({ length: 60 }, (_, i) => i + 1)
  await Promise.all(
    devices.map(async (device) => {
      for (const level of numbers) await report(device, { level })
    }),
  )
  await eventually(() => expect(sentTo(receiver)).toHaveLength(300))
  for (const { key } of devices) {
    const own = sentTo(receiver).filter(({ deviceName }) => deviceName === key.deviceName)
    expect(own.map(({ data }) => data.level)).toEqual(numbers)
  }
  expect(new Set(sentTo(receiver).map(({ id }) => id)).size).toBe(300)
})

test('events, coming and going, and commands are sources of their own', async () => {
  const receiver = await taker()
  const productID = await makeFullProduct(world)
  await makeRule(world, receiver, { sources: ['event', 'presence'], filter: { productIDs: [productID] } })
  const device = await makeConnected(world, {}, productID)
  await report(device, { level: 1 })
  await device.publish('thing/event', {
    ...{ method: 'eventPost', clientToken: uniqueText('c'), eventID: 'overheat', type: 'alert' },
    params: { temp: 80, note: 'hot' },
  })
  await device.end()
  await eventually(() =>
    expect(sentTo(receiver).map(({ source }) => source)).toEqual(['presence', 'event', 'presence']),
  )
  const [came, event, went] = sentTo(receiver)
  expect(came?.data).toMatchObject({ online: true })
  expect(event).toMatchObject({ identifier: 'overheat', data: { temp: 80, note: 'hot' } })
  expect(went?.data).toMatchObject({ online: false })
})

test('operations are forwarded with who did them', async () => {
  const receiver = await taker()
  await makeRule(world, receiver, { sources: ['operation'] })
  const productID = await makeFullProduct(world)
  await world.asAdmin(updateProduct, { productID, desc: 'changed' })
  await eventually(() => {
    const found = sentTo(receiver).find(({ data }) => String(data.req).includes('changed'))
    expect(found).toMatchObject({ source: 'operation', data: { userName: 'administrator', code: 200 } })
  })
})

test('a filter by identifier sends only these values, by group and tag only these devices', async () => {
  const receiver = await taker()
  const productID = await makeFullProduct(world)
  const { groupID: parent } = await world.asAdmin(createGroup, { groupName: uniqueText('上级'), parentID: '1' })
  const { groupID: child } = await world.asAdmin(createGroup, { groupName: uniqueText('下级'), parentID: parent })
  const tagged = { productID, deviceName: uniqueText('pump') }
  await world.asAdmin(createDevice, { ...tagged, tags: [{ key: 'site', value: 'north' }] })
  await world.asAdmin(addGroupDevices, { groupID: child, list: [tagged] })
  const tags = [{ key: 'site', value: 'north' }]
  await makeRule(world, receiver, { filter: { groupIDs: [Number(parent)], tags, identifiers: ['level'] } })
  const [wanted, other] = [await connectDevice(world, tagged), await makeConnected(world, {}, productID)]
  await report(other, { level: 1 })
  await report(wanted, { temp: 20 })
  await report(wanted, { temp: 21, level: 2 })
  await eventually(() => expect(sentTo(receiver)).toHaveLength(1))
  expect(sentTo(receiver)).toMatchObject([{ deviceName: tagged.deviceName, data: { level: 2 } }])
  expect(sentTo(receiver)[0]?.data).toEqual({ level: 2 })
})

test('while the target is away nothing is lost, and everything arrives in order when it is back', async () => {
  const receiver = await taker()
  const device = await makeConnected(world)
  const id = await makeRule(world, receiver, { filter: { deviceNames: [device.key.deviceName] } })
  receiver.reply = answerJson({}, 503)
  for (const level of [1, 2, 3]) await report(device, { level })
  await eventually(async () => expect((await ruleOf(id)).error).toContain('503'))
  expect((await ruleOf(id)).lagMs).toBeGreaterThan(0)
  expect((await ruleOf(id)).losesAt).toBeGreaterThan(Date.now())
  receiver.received.length = 0
  receiver.reply = answerJson({ ok: true })
  await eventually(() => expect(levels(receiver).slice(-3)).toEqual([1, 2, 3]))
  await eventually(async () => expect(await ruleOf(id)).toMatchObject({ error: '', lagMs: 0, sent: 3 }))
})

test('a paused rule sends nothing and loses nothing', async () => {
  const receiver = await taker()
  const device = await makeConnected(world)
  const id = await makeRule(world, receiver, { filter: { deviceNames: [device.key.deviceName] } })
  await report(device, { level: 1 })
  await eventually(() => expect(levels(receiver)).toEqual([1]))
  await world.asAdmin(updateForward, { id, status: ForwardStatus.paused })
  await report(device, { level: 2 })
  const other = await taker()
  await makeRule(world, other, { filter: { deviceNames: [device.key.deviceName] } })
  await report(device, { level: 3 })
  await eventually(() => expect(levels(other)).toEqual([3]))
  expect(levels(receiver)).toEqual([1])
  await world.asAdmin(updateForward, { id, status: ForwardStatus.running })
  await eventually(() => expect(levels(receiver)).toEqual([1, 2, 3]))
})

test('a replay sends again what came since, with the same ids', async () => {
  const receiver = await taker()
  const device = await makeConnected(world)
  const id = await makeRule(world, receiver, { filter: { deviceNames: [device.key.deviceName] } })
  const from = world.clock.now() - 1
  for (const level of [1, 2]) await report(device, { level })
  await eventually(() => expect(levels(receiver)).toEqual([1, 2]))
  await world.asAdmin(replayForward, { id, from })
  await eventually(() => expect(levels(receiver)).toEqual([1, 2, 1, 2]))
  const ids = sentTo(receiver).map((one) => one.id)
  expect(ids.slice(2)).toEqual(ids.slice(0, 2))
  await report(device, { level: 3 })
  await eventually(() => expect(levels(receiver)).toEqual([1, 2, 1, 2, 3]))
  const late = await world.call(replayForward, { id, from: world.clock.now() + 60_000 }, { token: world.admin })
  expect(late.code).not.toBe(200)
})

test('what is refused for good becomes a dead letter, others go on; it is edited and sent again', async () => {
  const receiver = await taker()
  const device = await makeConnected(world)
  const target = { type: 'webhook' as const, url: receiver.url, batch: 1 }
  const id = await makeRule(world, receiver, { filter: { deviceNames: [device.key.deviceName] }, target })
  receiver.reply = (response, { body }) => answerJson({}, body.includes('"level":2') ? 422 : 200)(response, {} as never)
  for (const level of [1, 2, 3]) await report(device, { level })
  await eventually(async () => expect(await ruleOf(id)).toMatchObject({ sent: 2, deadLetters: 1 }))
  const { list } = await world.asAdmin(listDeadLetters, { id })
  expect(list).toMatchObject([{ deviceName: device.key.deviceName, reason: expect.stringContaining('422') }])
  const letterIDs = list.map((one) => one.id)
  expect(await world.asAdmin(resendDeadLetters, { id, letterIDs })).toEqual({ sent: 0, refused: 1 })
  expect(await world.asAdmin(resendDeadLetters, { id, letterIDs, body: '{"level":4}' })).toEqual({
    sent: 1,
    refused: 0,
  })
  expect(receiver.received.at(-1)?.body).toBe('{"level":4}')
  expect((await world.asAdmin(listDeadLetters, { id })).total).toBe(0)
  expect(await world.asAdmin(deleteDeadLetters, { id })).toEqual({ deleted: 0 })
})

test('CloudEvents and scripts write the message their way; a script may leave one out or fail', async () => {
  const receiver = await taker()
  const device = await makeConnected(world)
  const filter = { deviceNames: [device.key.deviceName] }
  const script = `function forward(message) {
    if (message.data.level === 1) return null
    if (message.data.level === 2) throw new Error('not two')
    return { doubled: message.data.level * 2 }
  }`
  const id = await makeRule(world, receiver, { filter, form: 'script', script })
  const events = await taker()
  await makeRule(world, events, { filter, form: 'cloudevents' })
  for (const level of [1, 2, 3]) await report(device, { level })
  await eventually(() => expect(sentTo(receiver)).toEqual([{ doubled: 6 }]))
  await eventually(async () => expect((await ruleOf(id)).deadLetters).toBe(1))
  await eventually(() => expect(sentTo(events)).toHaveLength(3))
  expect(sentTo(events)[2]).toMatchObject({
    ...{ specversion: '1.0', type: 'ithings.property', datacontenttype: 'application/json', data: { level: 3 } },
    source: `/products/${device.key.productID}/devices/${device.key.deviceName}`,
  })
})

test('secrets are sealed at rest, masked when read, kept by the mask and never sent to another host', async () => {
  const receiver = await taker()
  const target = {
    type: 'webhook' as const,
    url: receiver.url,
    secret: 'hush',
    headers: [{ key: 'X-Key', value: 'quiet' }],
  }
  const id = await makeRule(world, receiver, { target })
  const stored = await world.db.selectFrom('forward_rule').select('target').where('id', '=', id).executeTakeFirst()
  expect(JSON.stringify(stored)).not.toMatch(/hush|quiet/)
  const { target: shown } = await ruleOf(id)
  expect(shown).toMatchObject({ secret: secretMask, headers: [{ key: 'X-Key', value: secretMask }] })
  await world.asAdmin(updateForward, { id, target: shown, desc: 'again' })
  expect(await world.asAdmin(testForward, { id, form: 'json', target: shown })).toMatchObject({ ok: true, msg: '' })
  expect(receiver.received.at(-1)?.headers).toMatchObject({ 'x-key': 'quiet' })
  expect(receiver.received.at(-1)?.headers['x-ithings-signature']).toMatch(/^sha256=/)
  const elsewhere = { ...shown, url: 'http://192.0.2.1/' }
  expect((await world.call(updateForward, { id, target: elsewhere }, { token: world.admin })).msg).toContain('secret')
})

test('a test shot tells why it fails and what was sent', async () => {
  const receiver = await taker()
  receiver.reply = answerJson({ error: 'no' }, 400)
  const target = { type: 'webhook' as const, url: receiver.url }
  const refused = await world.asAdmin(testForward, { form: 'json', target })
  expect(refused).toMatchObject({ ok: false, msg: expect.stringContaining('400') })
  expect(JSON.parse(refused.body)).toMatchObject({ source: 'property' })
  const bad = await world.asAdmin(testForward, { form: 'script', script: 'function forward() { return x }', target })
  expect(bad).toMatchObject({ ok: false, msg: expect.stringContaining('x') })
})

test.each([
  ['no source', { sources: [] }, 'sources'],
  ['an unknown target', { target: { type: 'pigeon' } }, 'target'],
  ['a script without its function', { form: 'script', script: 'function other() {}' }, 'forward'],
  ['a script that does not parse', { form: 'script', script: 'function forward( {' }, ''],
  [
    'a header that belongs to the connection',
    { target: { type: 'webhook', url: 'http://127.0.0.1:1', headers: [{ key: 'Host', value: 'a' }] } },
    'Host',
  ],
  ['an empty script', { form: 'script', script: ' ' }, ''],
])('%s is refused', async (_, fields, named) => {
  const target = { type: 'webhook', url: 'http://127.0.0.1:1' }
  const body = { name: uniqueText('坏'), sources: ['property'], target, ...fields }
  const { code, msg } = await world.call(createForward, body, { token: world.admin })
  expect(code).not.toBe(200)
  expect(msg).toContain(named)
})

test('a name is unique, a stale edit is refused, a deleted rule sends nothing', async () => {
  const receiver = await taker()
  const id = await makeRule(world, receiver)
  const { name, rev } = await ruleOf(id)
  const target = { type: 'webhook', url: receiver.url }
  const again = await world.call(createForward, { name, sources: ['event'], target }, { token: world.admin })
  expect(again.msg).toContain(name)
  await world.asAdmin(updateForward, { id, desc: 'a', rev })
  expect((await world.call(updateForward, { id, desc: 'b', rev }, { token: world.admin })).code).not.toBe(200)
  await world.asAdmin(deleteForward, { id })
  expect((await world.call(readForward, { id }, { token: world.admin })).code).not.toBe(200)
})
