import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { activate, makeDevice, makeProduct } from './testing/make-devices.ts'

let world: World
let plain: string
let top: number
let below: number

/** Names sort as they are made: a, b, c, d, e. */
beforeAll(async () => {
  world = await openWorld()
  plain = await makeProduct(world, { productID: 'Aplain00000' })
  const gateway = await makeProduct(world, { productID: 'Bgateway000', deviceType: 2 })
  const child = await makeProduct(world, { productID: 'Cchild00000', deviceType: 3 })
  const tag = (key: string, value: string) => ({ key, value })
  const beijing = { longitude: 116.4, latitude: 39.9 }
  const a = await makeDevice(world, plain, {
    deviceName: 'a-Pump_1',
    deviceAlias: '水泵甲',
    position: beijing,
    tags: [tag('line', '1'), tag('area', 'x')],
    logLevel: 5,
  })
  const b = await makeDevice(world, plain, {
    deviceName: 'b-pump2',
    deviceAlias: '水泵乙',
    tags: [tag('line', '2')],
    isEnable: 2,
  })
  const c = await makeDevice(world, plain, { deviceName: 'c-valve', position: { longitude: 116.41, latitude: 39.9 } })
  const d = await makeDevice(world, gateway, { deviceName: 'd-gw', position: { longitude: 179.999, latitude: 0 } })
  await makeDevice(world, child, { deviceName: 'e-child', position: { longitude: -179.999, latitude: 0 } })
  await activate(world, a, true)
  await activate(world, d, false)
  const setVersion = (deviceName: string, version: string) =>
    world.db.updateTable('device').set({ version }).where('device_name', '=', deviceName).execute()
  await setVersion('a-Pump_1', '1.2.0')
  await setVersion('d-gw', '2.0.1')
  // A disabled one: others would be played by the server, and come online.
  await world.db.updateTable('device').set({ is_simulated: 1 }).where('device_name', '=', 'b-pump2').execute()
  top = Number((await world.asAdmin(createGroup, { groupName: '上' })).groupID)
  below = Number((await world.asAdmin(createGroup, { groupName: '下', parentID: top })).groupID)
  await world.asAdmin(addGroupDevices, { groupID: top, list: [a, b] })
  await world.asAdmin(addGroupDevices, { groupID: below, list: [b, c] })
})
afterAll(() => world.close())

const list = async (body: object) => (await world.call(listDevices, body, { token: world.admin })).data
/** First letters of the names, in the order of the answer. */
async function letters(filter: object, orders: object[] = [{ field: 'deviceName', sort: 1 }]): Promise<string> {
  const data = await list({ ...filter, page: { page: 1, size: 20, orders } })
  expect(data).toMatchObject({ total: data.list.length, num: data.list.length })
  return data.list.map((device) => device.deviceName[0]).join('')
}

describe('filters', () => {
  test.each<[object, string]>([
    [{}, 'abcde'],
    [{ productID: 'Aplain00000' }, 'abc'],
    [{ productID: 'unknown0000' }, ''],
    [{ productIDs: ['Bgateway000', 'Cchild00000'] }, 'de'],
    [{ productIDs: [] }, 'abcde'],
    [{ productID: 'Aplain00000', productIDs: ['Bgateway000'] }, ''],
    [{ deviceType: 1 }, 'abc'],
    [{ deviceType: '2' }, 'd'],
    [{ deviceType: 3, productID: 'Aplain00000' }, ''],
    [{ deviceName: 'PUMP' }, 'ab'],
    [{ deviceName: 'p_1' }, 'a'],
    [{ deviceName: '%' }, ''],
    [{ deviceName: '-v' }, 'c'],
    [{ deviceName: 'w' }, 'd'],
    [{ deviceAlias: '水泵' }, 'ab'],
    [{ deviceAlias: '水泵乙' }, 'b'],
    [{ keyword: 'pump' }, 'ab'],
    [{ keyword: '乙' }, 'b'],
    [{ tags: [{ key: 'line', value: '1' }] }, 'a'],
    [
      {
        tags: [
          { key: 'line', value: '1' },
          { key: 'area', value: 'x' },
        ],
      },
      'a',
    ],
    [
      {
        tags: [
          { key: 'line', value: '1' },
          { key: 'area', value: 'y' },
        ],
      },
      '',
    ],
    [{ tags: [{ key: 'line', value: 'x' }] }, ''],
    [{ tags: [] }, 'abcde'],
    [{ isOnline: 1 }, 'a'],
    [{ isOnline: 2 }, 'bcde'],
    [{ isOnline: 0 }, 'abcde'],
    [{ status: 1 }, 'a'],
    [{ status: 2 }, 'd'],
    [{ status: 3 }, 'bce'],
    [{ version: '1.2.0' }, 'a'],
    [{ version: '0' }, 'ad'],
    [{ version: '9' }, ''],
    [{ isEnable: 2 }, 'b'],
    [{ isSimulated: 1 }, 'b'],
    [{ status: 3, productID: 'Aplain00000', isEnable: 1 }, 'c'],
    [{ deviceName: 'pump', status: 3 }, 'b'],
  ])('%j finds %s', async (filter, expected) => {
    expect(await letters(filter)).toBe(expected)
  })

  test('a position with a range finds what is near, also across the date line', async () => {
    const beijing = { longitude: 116.4, latitude: 39.9 }
    expect(await letters({ position: beijing, range: 500 })).toBe('a')
    // 0.01 degrees of longitude at this latitude are 853 m.
    expect(await letters({ position: beijing, range: 852 })).toBe('a')
    expect(await letters({ position: beijing, range: 854 })).toBe('ac')
    expect(await letters({ position: { longitude: 180, latitude: 0 }, range: 1_000 })).toBe('de')
    expect(await letters({ position: { longitude: 0, latitude: 90 }, range: 10_100_000 })).toBe('acde')
    expect(await letters({ position: { longitude: 0, latitude: 0 }, range: 1_000 })).toBe('')
    expect(await letters({ position: beijing })).toBe('abcde')
  })

  test('groups: members, members of the groups below, and everybody else', async () => {
    expect(await letters({ inGroupID: top })).toBe('ab')
    expect(await letters({ inGroupID: top, includeChildren: true })).toBe('abc')
    expect(await letters({ inGroupID: String(below) })).toBe('bc')
    expect(await letters({ notInGroupID: top })).toBe('cde')
    expect(await letters({ notInGroupID: top, includeChildren: true })).toBe('de')
    expect(await letters({ inGroupID: 999_999 })).toBe('')
    expect(await letters({ inGroupID: top, status: 3 })).toBe('b')
  })

  test('empty text, 0, null and unknown keys filter nothing', async () => {
    const filter = { deviceName: '', deviceAlias: ' ', tags: null, isOnline: 0, groupID: 7, current: 1, status: '' }
    expect(await letters(filter)).toBe('abcde')
  })
})

describe('order', () => {
  test.each<[string, string]>([
    ['deviceName', 'abcde'],
    ['productID', 'abcde'],
    ['createdTime', 'abcde'],
    ['deviceAlias', 'cdeba'],
    ['version', 'bcead'],
    ['isOnline', 'abcde'],
    ['firstLogin', 'bcead'],
    ['lastLogin', 'bcead'],
    ['logLevel', 'bcdea'],
  ])('%s sorts upwards and exactly the other way downwards', async (field, upwards) => {
    expect(await letters({}, [{ field, sort: 1 }])).toBe(upwards)
    expect(await letters({}, [{ field, sort: 2 }])).toBe([...upwards].reverse().join(''))
  })

  test('a second order decides among equals, in its own direction', async () => {
    const orders = [
      { field: 'isOnline', sort: 1 },
      { field: 'deviceName', sort: 2 },
    ]
    expect(await letters({}, orders)).toBe('aedcb')
  })

  test('without an order the newest come first', async () => {
    expect(await letters({}, [])).toBe('edcba')
  })

  test('a field that cannot be sorted by is refused with 100006', async () => {
    for (const field of ['secret', 'constructor', '']) {
      const refused = await world.call(listDevices, { page: { orders: [{ field }] } }, { token: world.admin })
      expect(refused).toMatchObject({ status: 400, code: 100006 })
    }
  })
})

describe('pages', () => {
  const page = async (filter: object, number: number, size: number) => {
    const data = await list({ ...filter, page: { page: number, size, orders: [{ field: 'deviceName', sort: 1 }] } })
    return `${data.list.map((device) => device.deviceName[0]).join('')}/${data.total}`
  }

  test('every page holds its part and the true total, from both ends', async () => {
    expect(await page({}, 1, 2)).toBe('ab/5')
    expect(await page({}, 2, 2)).toBe('cd/5')
    expect(await page({}, 3, 2)).toBe('e/5')
    expect(await page({ keyword: '-' }, 2, 2)).toBe('cd/5')
    expect(await page({ keyword: '-' }, 3, 2)).toBe('e/5')
  })

  test('spec 5: the page is clamped to 1 and to the last page, the size to at least 1', async () => {
    expect(await page({}, 99, 2)).toBe('e/5')
    expect(await page({}, -3, 2)).toBe('ab/5')
    expect(await page({}, 2, -5)).toBe('b/5')
    expect(await page({ keyword: '-' }, 99, 2)).toBe('e/5')
    expect(await page({ keyword: 'nothing' }, 99, 2)).toBe('/0')
    expect(await page({}, 1, 9_999_999)).toBe('abcde/5')
  })

  test('properties come as a map only when they are asked for', async () => {
    expect((await list({ deviceName: 'a-' })).list[0]).not.toHaveProperty('withProperties')
    expect((await list({ deviceName: 'a-', withProperties: [] })).list[0]).toHaveProperty('withProperties', {})
  })
})

describe('count', () => {
  const count = (body: object) => world.asAdmin(countDevices, body)

  test('spec 4: the states are disjoint, the types add up to the same', async () => {
    expect(await count({})).toEqual({
      deviceCount: { online: 1, offline: 1, inactive: 3, unknown: 0 },
      deviceTypeCount: { device: 3, gateway: 1, subset: 1, unknown: 0 },
    })
  })

  test('counts under a filter, of the tally and of others', async () => {
    expect((await count({ productID: plain })).deviceCount).toEqual({ online: 1, offline: 0, inactive: 2, unknown: 0 })
    expect((await count({ keyword: 'pump' })).deviceCount).toEqual({ online: 1, offline: 0, inactive: 1, unknown: 0 })
    expect((await count({ productID: 'unknown0000' })).deviceTypeCount.device).toBe(0)
    expect((await count({ deviceType: 2 })).deviceTypeCount).toMatchObject({ device: 0, gateway: 1 })
  })

  test('startTime and endTime are about the last sign-in', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect((await count({ startTime: now - 3600 })).deviceCount).toEqual({
      online: 1,
      offline: 1,
      inactive: 0,
      unknown: 0,
    })
    expect((await count({ endTime: now - 3600 })).deviceCount).toMatchObject({ online: 0, offline: 0, inactive: 0 })
    expect((await count({ startTime: now - 3600, endTime: now + 3600 })).deviceCount).toMatchObject({ online: 1 })
  })
})
