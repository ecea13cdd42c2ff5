/** Programs listen by an API key, on the socket of the whole app; what a key may not read it does not follow. */
import type { AddressInfo } from 'node:net'
import { alarmTopic } from '@ithings/contract/features/alarms/record.ts'
import { createOwnKey, revokeOwnKey } from '@ithings/contract/features/api-keys.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { deviceTopic, LiveClose, type LiveNotice, livePath, liveProtocol } from '@ithings/contract/features/live.ts'
import { createProduct, listProducts } from '@ithings/contract/features/products.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let url: string
const open: WebSocket[] = []
beforeAll(async () => {
  world = await openWorld()
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  url = `ws://127.0.0.1:${(world.app.http.server.address() as AddressInfo).port}${livePath}`
})
afterEach(() => {
  for (const ws of open.splice(0)) ws.terminate()
})
afterAll(() => world.close())

const makeKey = (fields: object = {}) => world.asAdmin(createOwnKey, { name: uniqueText('监视'), ...fields })

function dial(key: string, topics: readonly string[]) {
  const ws = new WebSocket(url, [liveProtocol, key])
  open.push(ws)
  const heard: LiveNotice[] = []
  const end: { code?: number; reason?: string } = {}
  ws.on('open', () => {
    for (const topic of topics) ws.send(JSON.stringify({ op: 'sub', topic }))
  })
  ws.on('message', (data) => heard.push(JSON.parse(String(data))))
  ws.on('close', (code, reason) => Object.assign(end, { code, reason: String(reason) }))
  return { heard, end }
}
const codes = (heard: readonly LiveNotice[]) => Object.fromEntries(heard.map(({ topic, code }) => [topic, code ?? 200]))

test('a key follows what its owner may read, until it is revoked', async () => {
  const { id, key } = await makeKey()
  const { heard, end } = dial(key, [alarmTopic])
  await expect.poll(() => codes(heard)).toEqual({ [alarmTopic]: 200 })
  await world.asAdmin(revokeOwnKey, { id })
  await expect.poll(() => end.code).toBe(LiveClose.signedOut)
})

test('a key for some APIs, or for one product, follows no more than that', async () => {
  const { productID } = await world.asAdmin(createProduct, { productName: uniqueText('泵') })
  const own = deviceTopic({ productID, deviceName: 'a' })
  const foreign = deviceTopic({ productID: 'other', deviceName: 'a' })
  const narrow = dial((await makeKey({ productID })).key, [own, foreign, alarmTopic])
  await expect.poll(() => codes(narrow.heard)).toEqual({ [own]: 200, [foreign]: 100012, [alarmTopic]: 100012 })
  const reads = dial((await makeKey({ apis: [readDevice.path] })).key, [own, alarmTopic])
  await expect.poll(() => codes(reads.heard)).toEqual({ [own]: 200, [alarmTopic]: 100012 })
})

test('a wrong key, one from elsewhere and one that was used too much are turned away', async () => {
  const wrong = dial(`itk_${'x'.repeat(43)}`, [])
  await expect.poll(() => wrong.end.code).toBe(LiveClose.signedOut)
  const elsewhere = dial((await makeKey({ addresses: ['192.0.2.0/24'] })).key, [])
  await expect.poll(() => elsewhere.end.code).toBe(LiveClose.signedOut)
  world.clock.stop()
  const { key } = await makeKey({ perMinute: 1 })
  await world.call(listProducts, {}, { headers: { authorization: `Bearer ${key}` } })
  const often = dial(key, [])
  await expect.poll(() => often.end).toEqual({ code: LiveClose.full, reason: 'rate' })
})

test('a key that ends takes its connection with it', async () => {
  const { key } = await makeKey({ expiresTime: Math.floor(world.clock.now() / 1000) + 3600 })
  const { heard, end } = dial(key, [alarmTopic])
  await expect.poll(() => heard.length).toBe(1)
  world.clock.advance(3601_000)
  await expect.poll(() => end.code).toBe(LiveClose.signedOut)
})
