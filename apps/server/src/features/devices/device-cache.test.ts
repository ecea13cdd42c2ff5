import { createDevice, deleteDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices, unbindSubDevices } from '@ithings/contract/features/gateways.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import type { Signal } from '#ports/signal.ts'
import { openWorld, type World } from '#testing/world.ts'
import { type DeviceCache, makeDeviceCache } from './device-cache.ts'

const lamps = '254pwnKQsvK'
const gateways = '254pwnKQsvG'
const children = '254pwnKQsvC'
let world: World
let signal: Signal
let pool: pg.Pool
/** Of another server on the same database: what it hears, it hears by signals. */
let cache: DeviceCache

beforeAll(async () => {
  world = await openWorld()
  pool = new pg.Pool({ connectionString: world.url })
  signal = makePgSignal(world.url, pool, () => {})
  await signal.start()
  cache = makeDeviceCache({ db: world.db, clock: world.clock, signal, mostDevices: 1_000 })
  await world.asAdmin(createProduct, { productID: lamps, productName: 'lamps' })
  await world.asAdmin(createProduct, { productID: gateways, productName: 'gateways', deviceType: 2 })
  await world.asAdmin(createProduct, { productID: children, productName: 'children', deviceType: 3 })
})
afterAll(async () => {
  await signal.stop()
  await pool.end()
  await world.close()
})

/** Notices of earlier changes may still be on their way. */
const untilRemembered = (deviceName: string) =>
  expect
    .poll(async () => {
      await cache.get(lamps, deviceName)
      return cache.get(lamps, deviceName) instanceof Promise
    })
    .toBe(false)

test('a device is answered at once when it was asked for before', async () => {
  await world.asAdmin(createDevice, { productID: lamps, deviceName: 'one' })
  const first = cache.get(lamps, 'one')
  expect(first).toBeInstanceOf(Promise)
  const device = await first
  expect(device).toMatchObject({ deviceName: 'one', isEnable: 1, deviceType: 1, gateway: undefined })
  expect(device?.secrets.secret).toHaveLength(28)
  await untilRemembered('one')
})

test('a name that does not exist is remembered briefly, and not beyond the creation of the device', async () => {
  expect(await cache.get(lamps, 'later')).toBeUndefined()
  await untilRemembered('later')
  await world.asAdmin(createDevice, { productID: lamps, deviceName: 'later' })
  await expect.poll(async () => (await cache.get(lamps, 'later'))?.deviceName).toBe('later')
  expect(await cache.get(lamps, 'never')).toBeUndefined()
  world.clock.advance(10_000)
  expect(cache.get(lamps, 'never')).toBeInstanceOf(Promise)
})

test('a change and a deletion are known at once', async () => {
  const key = { productID: lamps, deviceName: 'changing' }
  await world.asAdmin(createDevice, key)
  expect((await cache.get(lamps, 'changing'))?.isEnable).toBe(1)
  await world.asAdmin(updateDevice, { ...key, isEnable: 2, logLevel: 5 })
  await expect.poll(() => cache.get(lamps, 'changing')).toMatchObject({ isEnable: 2, logLevel: 5 })
  await world.asAdmin(deleteDevice, key)
  await expect.poll(() => cache.get(lamps, 'changing')).toBeUndefined()
})

test('binding and unbinding are known at once', async () => {
  await world.asAdmin(createDevice, { productID: gateways, deviceName: 'gate' })
  await world.asAdmin(createDevice, { productID: children, deviceName: 'child' })
  const list = [{ productID: children, deviceName: 'child' }]
  const gateway = { gateWayProductID: gateways, gateWaydeviceName: 'gate', list }
  expect((await cache.get(children, 'child'))?.gateway).toBeUndefined()
  await world.asAdmin(bindSubDevices, gateway)
  await expect
    .poll(async () => (await cache.get(children, 'child'))?.gateway)
    .toEqual({ productID: gateways, deviceName: 'gate' })
  await world.asAdmin(unbindSubDevices, gateway)
  await expect.poll(async () => (await cache.get(children, 'child'))?.gateway).toBeUndefined()
})

test('deleting a gateway frees its children', async () => {
  await world.asAdmin(createDevice, { productID: gateways, deviceName: 'doomed' })
  await world.asAdmin(createDevice, { productID: children, deviceName: 'orphan' })
  const list = [{ productID: children, deviceName: 'orphan' }]
  await world.asAdmin(bindSubDevices, { gateWayProductID: gateways, gateWaydeviceName: 'doomed', list })
  await expect.poll(async () => (await cache.get(children, 'orphan'))?.gateway?.deviceName).toBe('doomed')
  await world.asAdmin(deleteDevice, { productID: gateways, deviceName: 'doomed' })
  await expect.poll(async () => (await cache.get(children, 'orphan'))?.gateway).toBeUndefined()
})

test('a notice about a product, or about all its devices, is heard', async () => {
  await world.asAdmin(createDevice, { productID: lamps, deviceName: 'steady' })
  const before = await cache.get(lamps, 'steady')
  await signal.send('device.changed', { productID: lamps, deviceName: '' })
  expect(await cache.get(lamps, 'steady')).not.toBe(before)
  const again = await cache.get(lamps, 'steady')
  await signal.send('product.changed', { productID: lamps })
  expect(await cache.get(lamps, 'steady')).not.toBe(again)
})
