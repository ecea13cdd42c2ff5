/** device-protocol.md 5 reportInfo: what a device tells about itself. */
import { toBd09 } from '@ithings/contract/coordinates.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected, refusalOf } from '#uplink/testing/full-product.ts'

let world: World
let device: TestDevice
beforeAll(async () => {
  world = await openWorld()
  device = await makeConnected(world)
})
afterAll(() => world?.close())

const tell = (params: unknown, method = 'reportInfo') => device.ask('thing/property', { method, params })
const known = () => world.asAdmin(readDevice, device.key)

test.each(['reportInfo', 'report_info'])('%s is answered with reportInfoReply and kept', async (method) => {
  const params = { imei: `i-${method}`, mac: 'aa:bb', version: '1.2.3', hardInfo: 'h', softInfo: 's' }
  expect(await tell(params, method)).toMatchObject({ method: 'reportInfoReply', code: 200, status: '成功' })
  expect(await known()).toMatchObject(params)
})

test('what is not told stays as it is', async () => {
  await tell({ imei: 'one', version: '1' })
  await tell({ version: '2' })
  expect(await known()).toMatchObject({ imei: 'one', version: '2' })
})

test.each(['WGS84', 'GCJ02', 'BD09'] as const)('a position in %s is kept as BD09', async (coordinateSystem) => {
  const place = { longitude: 116.404, latitude: 39.915 }
  expect((await tell({ position: { coordinateSystem, ...place } })).code).toBe(200)
  const { position } = await known()
  const wanted = toBd09(place, coordinateSystem)
  expect(position.longitude).toBeCloseTo(wanted.longitude, 6)
  expect(position.latitude).toBeCloseTo(wanted.latitude, 6)
  if (coordinateSystem === 'BD09') expect(position).toMatchObject(place)
  else expect(Math.abs(position.longitude - place.longitude)).toBeGreaterThan(0.001)
})

test('tags are an object; keys that are told replace those of the same name, others stay', async () => {
  await world.asAdmin(updateDevice, {
    ...device.key,
    tags: [
      { key: 'floor', value: '1' },
      { key: 'owner', value: 'me' },
    ],
  })
  expect((await tell({ tags: { floor: '2', room: '7' } })).code).toBe(200)
  expect((await known()).tags).toEqual([
    { key: 'floor', value: '2' },
    { key: 'owner', value: 'me' },
    { key: 'room', value: '7' },
  ])
})

test.each([
  ['a version that is too long', { version: 'v'.repeat(65) }, 100006, 'version'],
  ['a number as imei', { imei: 5 }, 100006, 'imei'],
  ['a longitude beyond 180', { position: { longitude: 181, latitude: 1 } }, 100006, 'longitude'],
  ['a position that is half', { position: { longitude: 1 } }, 100006, 'latitude'],
  [
    'an unknown system',
    { position: { coordinateSystem: 'MARS', longitude: 1, latitude: 1 } },
    100006,
    'coordinateSystem',
  ],
  ['tags that are a list', { tags: [{ key: 'a', value: 'b' }] }, 100006, 'tags'],
  ['a tag that is no text', { tags: { a: 1 } }, 100006, 'tags.a'],
  ['a tag that is too long', { tags: { a: 'x'.repeat(65) } }, 100006, 'tags.a'],
  [
    'more tags than there may be',
    { tags: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, '1'])) },
    100015,
    '标签',
  ],
  ['nothing', {}, 100006, 'need add params'],
  ['nothing that counts', { colour: 'red' }, 100006, 'need add params'],
  ['no object', 'x', 100006, 'params'],
])('%s is refused, and nothing changes', async (_, params, code, text) => {
  const before = await known()
  const reply = await tell(params)
  expect(reply).toMatchObject({ method: 'reportInfoReply', code })
  expect(reply.msg).toContain(text)
  expect(reply.msg).not.toMatch(/Invalid|expected|received/)
  expect((await refusalOf(world, device.key))?.code).toBe(code)
  expect(await known()).toEqual(before)
})

test('characters that the database cannot keep are replaced', async () => {
  const payload = '{"method":"reportInfo","clientToken":"nul","params":{"imei":"a\\u0000b","tags":{"k\\u0000":"v"}}}'
  await device.publishRaw(`$thing/up/property/${device.key.productID}/${device.key.deviceName}`, payload)
  const reply = await device.next('thing/property', (one) => one.clientToken === 'nul')
  expect(reply.code).toBe(200)
  expect((await known()).imei).toBe('a\ufffdb')
})
