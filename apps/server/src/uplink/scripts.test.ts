/** Products that speak bytes: their script reads and writes them (device-protocol.md 9). */

import { updateProduct } from '@ithings/contract/features/products.ts'
import { updateCustom } from '@ithings/contract/features/scripts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, linesOf, makeConnected, makeFullProduct, refusalOf } from './testing/full-product.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

/** First byte: what it is; second: the temperature. */
const up = `
function thingPropertyUp(bytes) {
  if (bytes[0] === 9) throw new Error('bad first byte')
  if (bytes[0] === 8) return 5
  if (bytes[0] === 7) return { method: 'explode' }
  return { method: 'report', clientToken: String(bytes[0]), params: { temp: bytes[1] } }
}
function thingEventUp(bytes) {
  return { method: 'eventPost', eventID: 'overheat', params: { temp: bytes[0], note: '' } }
}`
const down = `
function thingPropertyDown(json) {
  if (json.code === 100015) throw new Error('cannot say no')
  return [json.code === 200 ? 1 : 0, Number(json.clientToken)]
}
function thingEventDown(json) { return { said: json.method } }`

const custom = (device: TestDevice, type: string, bytes: number[]) =>
  device.publishRaw(`$thing/up/${type}/custom/${device.key.productID}/${device.key.deviceName}`, Uint8Array.from(bytes))
const customTopic = (device: TestDevice, type: string) =>
  `$thing/down/${type}/custom/${device.key.productID}/${device.key.deviceName}`

test('bytes become a report; without a Down function the reply is JSON on the usual topic', async () => {
  const device = await makeConnected(world, { script: up })
  await custom(device, 'property', [3, 21])
  expect(await device.next('thing/property')).toMatchObject({ method: 'report_reply', clientToken: '3', code: 200 })
  expect(await addedBy(world, device.key)).toEqual([{ temp: 21 }])
  await custom(device, 'event', [60])
  expect(await device.next('thing/event')).toMatchObject({ code: 200 })
  expect((await addedBy(world, device.key))[1]).toEqual({ temp: 60, note: '' })
  await device.end()
})

test('a Down function turns every reply of its topic into bytes or JSON on the custom topic', async () => {
  const device = await makeConnected(world, { script: up + down })
  await custom(device, 'property', [4, 22])
  const bytes = await device.nextRaw((one) => one.topic === customTopic(device, 'property'))
  expect([...bytes.payload]).toEqual([1, 4])
  // Also of what came as JSON.
  await device.publish('thing/property', { method: 'report', clientToken: '9', params: { temp: 1 } })
  expect([...(await device.nextRaw((one) => one.topic === customTopic(device, 'property'))).payload]).toEqual([1, 9])
  await custom(device, 'event', [60])
  expect((await device.nextRaw((one) => one.topic === customTopic(device, 'event'))).message).toEqual({
    said: 'eventReply',
  })
  expect(await device.quiet()).toEqual([])
  await device.end()
})

test('a reply that a Down function returns null for is not sent, and nobody complains', async () => {
  const device = await makeConnected(world, {
    script: `${up}\nfunction thingPropertyDown(json) { return json.method === 'control' ? [1] : null }
function thingEventDown() { return null }`,
  })
  await custom(device, 'property', [6, 23])
  await custom(device, 'event', [61])
  await expect.poll(() => addedBy(world, device.key)).toHaveLength(2)
  expect(await device.quiet()).toEqual([])
  const down = world.db.selectFrom('journal').selectAll().where('up', '=', false)
  expect(await down.where('product_id', '=', device.key.productID).execute()).toEqual([])
  await device.end()
})

test('a Down function that fails leaves a line in the hub log; the message itself is stored or refused as usual', async () => {
  const device = await makeConnected(world, { script: up + down })
  await custom(device, 'property', [5, 200])
  expect(await refusalOf(world, device.key)).toMatchObject({ code: 100015 })
  const failed = async () => {
    const rows = await world.db.selectFrom('journal').selectAll().where('up', '=', false).execute()
    return rows.find((row) => row.token === '5' && row.product_id === device.key.productID)
  }
  await expect.poll(failed).toMatchObject({ code: 100023 })
  expect((await failed())?.msg).toContain('cannot say no')
  expect(await device.quiet()).toEqual([])
  await device.end()
})

test.each([
  ['a script that throws', [9, 0], 100023, 'bad first byte'],
  ['a script that returns no object', [8, 0], 100006, '须为 JSON 对象'],
  ['a script that returns an unknown method', [7, 0], 100013, 'explode'],
])('%s: no reply, and a line that says why', async (_, bytes, code, text) => {
  const device = await makeConnected(world, { script: up })
  await custom(device, 'property', bytes)
  expect(await device.quiet()).toEqual([])
  const line = await refusalOf(world, device.key)
  expect(line).toMatchObject({ code, adds: false })
  expect(line?.msg).toContain(text)
  await device.end()
})

test('the line of a script that throws names the line of the script', async () => {
  const device = await makeConnected(world, { script: up })
  await custom(device, 'property', [9, 0])
  expect((await refusalOf(world, device.key))?.msg).toMatch(/thingPropertyUp 第 3 行/)
  await device.end()
})

test.each([
  ['a product without a script', undefined],
  ['a script without the function', 'function thingActionUp(bytes) { return {} }'],
])('%s: 转换函数未找到', async (_, script) => {
  const device = await makeConnected(world, script === undefined ? {} : { script })
  await custom(device, 'property', [1, 1])
  const line = await refusalOf(world, device.key)
  expect(line?.code).toBe(100023)
  expect(line?.msg).toContain('转换函数未找到 thingPropertyUp')
  await device.end()
})

test('a new script counts from the next message on', async () => {
  const productID = await makeFullProduct(world, { script: up })
  const device = await makeConnected(world, {}, productID)
  const script = 'function thingPropertyUp(bytes) { return { method: "report", params: { level: bytes[1] } } }'
  await custom(device, 'property', [1, 10])
  await world.asAdmin(updateCustom, { productID, transformScript: script })
  await custom(device, 'property', [1, 10])
  expect(await addedBy(world, device.key)).toEqual([{ temp: 10 }, { level: 10 }])
  await device.end()
})

test('an endless script is stopped, and other devices are served meanwhile', async () => {
  const slow = await makeConnected(world, { script: 'function thingPropertyUp() { for (;;) {} }' })
  const quick = await makeConnected(world)
  const stuck = custom(slow, 'property', [1])
  expect((await quick.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
  await stuck
  expect((await refusalOf(world, slow.key))?.code).toBe(100023)
  await slow.end()
  await quick.end()
})

test('500 messages at once keep their order, also through a script', async () => {
  const numbers = Array.from({ length: 500 }, (_, index) => index)
  const script =
    'function thingPropertyUp(b) { return { method: "report", sys: { noAsk: true }, params: { since: b[0] * 256 + b[1] } } }'
  const device = await makeConnected(world, { script })
  await Promise.all(numbers.map((n) => custom(device, 'property', [n >> 8, n & 255])))
  expect((await addedBy(world, device.key)).map((values) => values.since)).toEqual(numbers)
  const reply = await device.ask('thing/property', { method: 'getStatus', identifiers: ['since'] })
  expect(reply.data).toEqual({ since: 499 })
  await device.end()
})

test('500 messages at once keep their order, also when some wait for the database', async () => {
  const numbers = Array.from({ length: 500 }, (_, index) => index)
  const productID = await makeFullProduct(world)
  const device = await makeConnected(world, {}, productID)
  const sent = numbers.map((n) =>
    n % 100 === 50
      ? device.publish('thing/property', { method: 'getStatus', clientToken: String(n) })
      : device.publish('thing/property', { method: 'report', clientToken: String(n), params: { since: n } }),
  )
  // The product is read again in the midst of it.
  await world.asAdmin(updateProduct, { productID, desc: 'changed' })
  await Promise.all(sent)
  const values = (await addedBy(world, device.key)).map((one) => one.since)
  expect(values).toEqual(numbers.filter((n) => n % 100 !== 50))
  const state = await device.next('thing/property', (one) => one.clientToken === '450')
  // What is not in memory any more is read, and what came meanwhile is newer.
  expect((state.data as { since: number }).since).toBeGreaterThanOrEqual(449)
  const lines = (await linesOf(world, device.key)).filter((line) => line.token !== '').map((line) => line.token)
  expect(lines).toEqual(numbers.map(String))
  await device.end()
})
