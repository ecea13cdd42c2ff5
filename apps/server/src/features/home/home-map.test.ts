/** The map of the large screen and what needs attention, on a real database. */
import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { readHomeMap, readHomeSummary } from '@ithings/contract/features/home.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addAlarm } from './testing/home-room.ts'
import { doHomeWork } from './work/home-work.ts'
import { refreshMap } from './work/refresh-map.ts'

let world: World
let pumps: string
let meters: string

const shanghai = { longitude: 121.47, latitude: 31.23 }
const beijing = { longitude: 116.41, latitude: 39.9 }
const fiji = { longitude: 179.5, latitude: -17 }
const samoa = { longitude: -172, latitude: -13.8 }

async function place(productID: string, position: { longitude: number; latitude: number } | undefined, status: number) {
  const key = await makeDevice(world, productID, { ...(position ? { position } : {}), deviceAlias: '站' })
  if (status !== DeviceStatus.inactive) await activate(world, key, status === DeviceStatus.online)
  return key
}

beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given', tokenLifeSeconds: 30 * 86_400 } })
  pumps = await makeProduct(world)
  meters = await makeProduct(world)
  for (let n = 0; n < 12; n++) {
    const at = { longitude: shanghai.longitude + n / 1000, latitude: shanghai.latitude }
    await place(pumps, at, n < 3 ? DeviceStatus.offline : DeviceStatus.online)
  }
  await place(meters, { ...shanghai, latitude: 31.24 }, DeviceStatus.inactive)
  await place(meters, beijing, DeviceStatus.offline)
  await place(meters, fiji, DeviceStatus.online)
  await place(meters, samoa, DeviceStatus.online)
  await place(meters, undefined, DeviceStatus.online)
  await refreshMap(world.db)
})
afterAll(() => world.close())

const china = [73, 18, 135, 54] as [number, number, number, number]
const whole = [-180, -90, 180, 90] as [number, number, number, number]
const read = (box: [number, number, number, number], zoom: number, productID?: string) =>
  world.asAdmin(readHomeMap, { box, zoom, ...(productID ? { productID } : {}) })

test('clusters have the states of their devices and the name of their city', async () => {
  const { clusters, worst, unplaced } = await read(china, 4)
  expect(clusters.toSorted((a, b) => b.total - a.total)).toMatchObject([
    { places: [{ name: '上海' }], total: 13, online: 9, offline: 3, inactive: 1, level: 0, deviceName: '' },
    { places: [{ name: '北京' }], total: 1, online: 0, offline: 1, inactive: 0, productID: meters, deviceAlias: '站' },
  ])
  // With where its devices lie: the city may be inside a cluster of another name, or outside of what was asked for.
  expect(worst).toEqual([
    {
      name: '上海',
      total: 13,
      offline: 3,
      longitude: expect.closeTo(121.475, 2),
      latitude: expect.closeTo(31.23, 1),
    },
  ])
  expect((await read([73, 40, 90, 54], 6)).worst).toEqual(worst)
  expect(unplaced).toBe(1)
  // The server itself looks every few seconds.
  await expect.poll(async () => (await world.asAdmin(readHomeSummary)).cities).toBe(2)
})

test('a cluster over several cities tells each of them with its devices, the largest first', async () => {
  const { clusters } = await read(china, 0)
  const inChina = clusters.find(({ places }) => places.some(({ name }) => name === '北京'))
  expect(inChina?.places.slice(0, 2)).toEqual([
    { name: '上海', online: 9, offline: 3, inactive: 1 },
    { name: '北京', online: 0, offline: 1, inactive: 0 },
  ])
})

test('all zooms show the same devices, in ever smaller clusters', async () => {
  const around = [121.4, 31.1, 121.6, 31.4] as [number, number, number, number]
  let before = 0
  for (let zoom = 5; zoom <= 18; zoom++) {
    const { clusters } = await read(around, zoom)
    const total = clusters.filter(({ places }) => places[0]?.name === '上海').reduce((sum, one) => sum + one.total, 0)
    expect(total).toBe(13)
    expect(clusters.length).toBeGreaterThanOrEqual(before)
    before = clusters.length
  }
  // A box for its zoom shows each device alone.
  const close = await read([121.469, 31.2295, 121.4815, 31.2405], 18)
  expect(close.clusters.map(({ total }) => total)).toEqual(Array.from({ length: 13 }, () => 1))
  expect(close.clusters.every(({ deviceName }) => deviceName !== '')).toBe(true)
})

test('a product shows its own devices only, at both kinds of zoom', async () => {
  expect((await read(china, 4, meters)).clusters.map(({ total }) => total)).toEqual([1, 1])
  expect((await read([121.4, 31.1, 121.6, 31.4], 14, meters)).clusters).toMatchObject([{ total: 1, productID: meters }])
  expect((await read(china, 4, 'P9999999999')).clusters).toEqual([])
})

test('a box across the date line has both of its sides, an upside-down one is refused', async () => {
  const names = async (box: [number, number, number, number], zoom: number) =>
    (await read(box, zoom)).clusters.map(({ longitude }) => longitude).toSorted((a, b) => a - b)
  expect(await names([170, -20, -170, -10], 5)).toEqual([-172, 179.5])
  expect(await names([170, -20, -170, -10], 14)).toEqual([-172, 179.5])
  // From Samoa the long way round to Fiji: everybody but the ocean between them.
  expect((await names([-170, -20, 170, 60], 14)).length).toBeGreaterThan(0)
  expect(await names([-170, -20, 170, -10], 5)).toEqual([])
  expect(await names([179.5, -17, 179.5, -17], 18)).toEqual([179.5])
  const refused = await world.call(readHomeMap, { box: [0, 10, 5, -10], zoom: 3 }, { token: world.admin })
  expect(refused).toMatchObject({ code: 100006 })
  const outside = await world.call(readHomeMap, { box: [-200, 0, 5, 10], zoom: 3 }, { token: world.admin })
  expect(outside).toMatchObject({ code: 100006 })
})

test('the worst open alarm of a cluster is shown, and goes with its handling', async () => {
  const device = await place(pumps, { ...shanghai, longitude: 121.48 }, DeviceStatus.online)
  const record = await addAlarm(world, { level: 4, ...device })
  await addAlarm(world, { level: 2, ...device })
  await refreshMap(world.db)
  const levels = async (zoom: number, productID?: string) =>
    Math.max(...(await read([121.4, 31.1, 121.6, 31.4], zoom, productID)).clusters.map(({ level }) => level))
  expect(await levels(3)).toBe(4)
  expect(await levels(14)).toBe(4)
  expect(await levels(14, meters)).toBe(0)
  const { clusters } = await world.asAdmin(readHomeMap, { box: whole, zoom: 14, alarmed: true })
  expect(clusters.map(({ level }) => level)).toEqual([4])
  await world.db.updateTable('alarm_record').set({ deal_state: 3 }).where('id', '=', record).execute()
  await refreshMap(world.db)
  expect(await levels(3)).toBe(2)
  expect(await levels(14)).toBe(2)
})

test('devices that move, change or go are followed, by one server at a time', async () => {
  const total = async () => (await read(whole, 0)).clusters.reduce((sum, one) => sum + one.total, 0)
  const before = await total()
  const key = await place(pumps, { longitude: 87.62, latitude: 43.83 }, DeviceStatus.online)
  // The servers' own ticks and these all try; the work is done when it is due and something changed.
  await expect
    .poll(async () => {
      world.clock.advance(6_000)
      const done = await Promise.all([1, 2, 3].map(() => doHomeWork(world.db, world.clock.now())))
      expect(done.flat().filter(({ name }) => name === 'map').length).toBeLessThanOrEqual(1)
      return total()
    })
    .toBe(before + 1)
  expect((await read([87, 43, 88, 44], 6)).clusters).toMatchObject([
    { places: [{ name: '乌鲁木齐' }], online: 1, ...key },
  ])
  // Nothing changed: nothing is written.
  expect((await refreshMap(world.db)).changed).toBe(false)
  await world.db.updateTable('device').set({ longitude: 87.62001 }).where('device_name', '=', key.deviceName).execute()
  await refreshMap(world.db)
  expect((await read([87, 43, 88, 44], 6)).clusters).toMatchObject([{ longitude: 87.62001, ...key }])
  await world.db.deleteFrom('device').where('device_name', '=', key.deviceName).execute()
  await refreshMap(world.db)
  expect(await total()).toBe(before)
  expect((await read([87, 43, 88, 44], 6)).clusters).toEqual([])
})

test('an empty platform has an empty map', async () => {
  const empty = await openWorld()
  try {
    expect(await empty.asAdmin(readHomeMap, { box: whole, zoom: 2 })).toEqual({ clusters: [], worst: [], unplaced: 0 })
  } finally {
    await empty.close()
  }
})
