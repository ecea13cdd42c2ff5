import { randomBytes } from 'node:crypto'
import { multiDeleteDevices, multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import {
  createDevice,
  deleteDevice,
  listDevices,
  readDevice,
  updateDevice,
} from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { activate, makeDevice, makeProduct } from './testing/make-devices.ts'

let world: World
let productID: string

beforeAll(async () => {
  world = await openWorld()
  productID = await makeProduct(world, { productName: '水泵' })
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })

describe('create', () => {
  test('a device comes back with every field of the contract and its wire type', async () => {
    const deviceName = 'A.b_c-1:2@3'
    await world.asAdmin(createDevice, {
      productID,
      deviceName,
      deviceAlias: ' 一号泵 ',
      logLevel: '3',
      address: '人民路 1 号',
      position: { longitude: '116.4', latitude: 39.9 },
      tags: [{ key: 'line', value: '3' }],
      phone: '13800000000',
      iccid: '8986001234567890',
      mobileOperator: 2,
      isEnable: 2,
    })
    const device = await world.asAdmin(readDevice, { productID, deviceName })
    expect(device).toEqual({
      productID,
      deviceName,
      deviceAlias: '一号泵',
      secret: expect.any(String),
      cert: '',
      imei: '',
      mac: '',
      hardInfo: '',
      softInfo: '',
      version: '',
      position: { longitude: 116.4, latitude: 39.9 },
      address: '人民路 1 号',
      tags: [{ key: 'line', value: '3' }],
      isOnline: 2,
      firstLogin: '0',
      lastLogin: '0',
      createdTime: expect.stringMatching(/^\d{10}$/),
      logLevel: 3,
      mobileOperator: 2,
      phone: '13800000000',
      iccid: '8986001234567890',
      projectID: '0',
      areaID: '0',
      productName: '水泵',
      deviceType: 1,
      isEnable: 2,
      isSimulated: 2,
      rev: 1,
    })
    expect(Buffer.from(device.secret, 'base64')).toHaveLength(20)
  })

  test('what is not given has the defaults of the platform', async () => {
    const key = await makeDevice(world, productID)
    expect(await world.asAdmin(readDevice, key)).toMatchObject({
      position: { longitude: 0, latitude: 0 },
      tags: [],
      logLevel: 1,
      phone: null,
      iccid: null,
      mobileOperator: 0,
      isEnable: 1,
    })
  })

  test('the same name in one product is refused with 100010, in another product it is free', async () => {
    const { deviceName } = await makeDevice(world, productID)
    const twice = await world.call(createDevice, { productID, deviceName }, asAdmin())
    expect(twice).toMatchObject({ status: 400, code: 100010, msg: `设备名称重复:${deviceName}` })
    await makeDevice(world, await makeProduct(world), { deviceName })
  })

  test('an unknown product is refused with 100009', async () => {
    const refused = await world.call(createDevice, { productID: 'nowhere0000', deviceName: 'x' }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100009, msg: expect.stringContaining('nowhere0000') })
  })

  test.each([
    ['a name with a blank', { deviceName: 'a b' }],
    ['a Chinese name', { deviceName: '水泵' }],
    ['an empty name', { deviceName: '' }],
    ['a name of 49 characters', { deviceName: 'x'.repeat(49) }],
    ['a longitude over 180', { position: { longitude: 181, latitude: 0 } }],
    ['a latitude under -90', { position: { longitude: 0, latitude: -90.5 } }],
    ['eleven tags', { tags: Array.from({ length: 11 }, (_, n) => ({ key: `k${n}`, value: 'v' })) }],
    [
      'a tag key twice',
      {
        tags: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      },
    ],
    ['an unknown log level', { logLevel: 9 }],
    ['a phone of letters', { phone: 'abcdef' }],
    ['an alias of 65 characters', { deviceAlias: '长'.repeat(65) }],
  ])('%s is refused with 100006', async (_what, wrong) => {
    const body = { productID, deviceName: uniqueText('wrong-'), ...wrong }
    expect(await world.call(createDevice, body, asAdmin())).toMatchObject({ status: 400, code: 100006 })
  })
})

describe('update', () => {
  test('absent fields stay, given ones replace, and rev counts', async () => {
    const key = await makeDevice(world, productID, {
      deviceAlias: '旧',
      address: '原址',
      tags: [{ key: 'a', value: '1' }],
    })
    await world.asAdmin(updateDevice, { ...key, deviceAlias: '新', logLevel: 5, phone: '' })
    expect(await world.asAdmin(readDevice, key)).toMatchObject({
      deviceAlias: '新',
      address: '原址',
      tags: [{ key: 'a', value: '1' }],
      logLevel: 5,
      phone: null,
      rev: 2,
    })
    await world.asAdmin(updateDevice, { ...key, tags: [], logLevel: 0 })
    expect(await world.asAdmin(readDevice, key)).toMatchObject({ tags: [], logLevel: 5, rev: 3 })
  })

  test('an edit of an older state is refused with 900001 and changes nothing', async () => {
    const key = await makeDevice(world, productID, { deviceAlias: 'a' })
    await world.asAdmin(updateDevice, { ...key, deviceAlias: 'b', rev: 1 })
    const stale = await world.call(updateDevice, { ...key, deviceAlias: 'c', rev: 1 }, asAdmin())
    expect(stale).toMatchObject({ status: 400, code: 900001 })
    expect((await world.asAdmin(readDevice, key)).deviceAlias).toBe('b')
  })

  test('an unknown device is refused with 100009', async () => {
    const refused = await world.call(updateDevice, { productID, deviceName: 'ghost', deviceAlias: 'x' }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100009, msg: expect.stringContaining('ghost') })
  })
})

describe('read', () => {
  test('only read carries the secret; the list has another text there, of this device alone', async () => {
    const key = await makeDevice(world, productID)
    const { list } = await world.asAdmin(listDevices, { deviceName: key.deviceName })
    expect(list[0]?.secret).toMatch(/^hidden-\d+$/)
    expect((await world.asAdmin(readDevice, key)).secret).not.toMatch(/^(hidden-.*)?$/)
  })

  test('withProperties: absent, none; an empty list or names, a map', async () => {
    const key = await makeDevice(world, productID)
    expect(await world.asAdmin(readDevice, key)).not.toHaveProperty('withProperties')
    expect(await world.asAdmin(readDevice, { ...key, withProperties: [] })).toHaveProperty('withProperties', {})
    expect(await world.asAdmin(readDevice, { ...key, withProperties: ['t'] })).toHaveProperty('withProperties', {})
  })

  test('spec 4: a device that signed in shows when, and whether it is there', async () => {
    const key = await makeDevice(world, productID)
    await activate(world, key, true)
    expect(await world.asAdmin(readDevice, key)).toMatchObject({ isOnline: 1, firstLogin: '1700000000' })
  })

  test('an unknown device is refused with 100009', async () => {
    expect(await world.call(readDevice, { productID, deviceName: 'ghost' }, asAdmin())).toMatchObject({
      status: 400,
      code: 100009,
    })
  })
})

describe('delete', () => {
  test('a deleted device is gone, and deleting it again is refused with 100009', async () => {
    const key = await makeDevice(world, productID)
    await world.asAdmin(deleteDevice, key)
    expect(await world.call(readDevice, key, asAdmin())).toMatchObject({ code: 100009 })
    expect(await world.call(deleteDevice, key, asAdmin())).toMatchObject({ status: 400, code: 100009 })
  })

  test('many at once: what exists goes, the others are named', async () => {
    const keys = await Promise.all(Array.from({ length: 30 }, () => makeDevice(world, productID)))
    const ghost = { productID, deviceName: 'ghost' }
    const result = await world.asAdmin(multiDeleteDevices, { list: [...keys, ghost, keys[0] ?? ghost] })
    expect(result).toMatchObject({ total: 31, success: 30, failed: [{ ...ghost, code: 100009 }] })
    expect(await world.call(readDevice, keys[7], asAdmin())).toMatchObject({ code: 100009 })
  })
})

describe('many edits at once', () => {
  test('tags are merged and dropped, levels and states set, each rev counts', async () => {
    const tags = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]
    const keys = [await makeDevice(world, productID, { tags }), await makeDevice(world, productID)]
    const change = { tags: [{ key: 'b', value: '3' }], removeTags: ['a'], logLevel: 4, isEnable: 2 }
    expect(await world.asAdmin(multiUpdateDevices, { list: keys, ...change })).toEqual({
      total: 2,
      success: 2,
      failed: [],
    })
    for (const key of keys) {
      expect(await world.asAdmin(readDevice, key)).toMatchObject({
        tags: [{ key: 'b', value: '3' }],
        logLevel: 4,
        isEnable: 2,
        rev: 2,
      })
    }
  })

  test('a device that would get too many tags, and an unknown one, fail alone', async () => {
    const full = await makeDevice(world, productID, {
      tags: Array.from({ length: 10 }, (_, n) => ({ key: `k${n}`, value: 'v' })),
    })
    const roomy = await makeDevice(world, productID)
    const list = [full, roomy, { productID, deviceName: 'ghost' }]
    const result = await world.asAdmin(multiUpdateDevices, { list, tags: [{ key: 'new', value: '1' }] })
    expect(result).toMatchObject({ total: 3, success: 1 })
    expect(result.failed.map((row) => [row.deviceName, row.code])).toEqual([
      ['ghost', 100009],
      [full.deviceName, 100015],
    ])
    expect((await world.asAdmin(readDevice, roomy)).tags).toEqual([{ key: 'new', value: '1' }])
    expect((await world.asAdmin(readDevice, full)).tags).toHaveLength(10)
  })
})

test('a role without the endpoint is refused with 403', async () => {
  const role = await makeRole(world, [readDevice])
  const { token } = await makeSignedIn(world, { role })
  const deviceName = `x${randomBytes(4).toString('hex')}`
  expect(await world.call(createDevice, { productID, deviceName }, { token })).toMatchObject({
    status: 403,
    code: 100012,
  })
})
