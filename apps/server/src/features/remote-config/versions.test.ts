/** Versions of a configuration (http-api.md 3.4). */
import { errors } from '@ithings/contract/errors.ts'
import {
  createConfig,
  HasConfig,
  listConfigProducts,
  listConfigs,
  maxConfigBytes,
  maxConfigVersions,
  readLatestConfig,
  restoreConfig,
} from '@ithings/contract/features/remote-config.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { adminName } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const save = async (productID: string, content: string) =>
  (await world.asAdmin(createConfig, { productID, content })).id
/** Exactly so many bytes, and an object. */
const ofBytes = (bytes: number) => `{"字":"${'x'.repeat(bytes - 10)}"}`

describe('a version', () => {
  test('of a product that has none is answered with id 0, not with a failure', async () => {
    const productID = await makeProduct(world)
    expect(await world.asAdmin(readLatestConfig, { productID })).toMatchObject({ id: 0, content: '', createTime: '0' })
  })

  test('keeps its text to the letter, with who, when, why and how large', async () => {
    const productID = await makeProduct(world)
    const content = '{ "b":1.10,\n "a": "温度", "n":12345678901234567890 }'
    const { id } = await world.asAdmin(createConfig, { productID, content, note: ' 首版 ' })
    expect(await world.asAdmin(readLatestConfig, { productID })).toEqual({
      id,
      content,
      createTime: expect.stringMatching(/^\d{10}$/),
      note: '首版',
      bytes: Buffer.byteLength(content),
      userName: adminName,
      restoredFrom: 0,
    })
  })

  test.each([
    ['[1]', 'an array'],
    ['"x"', 'a text'],
    ['null', 'null'],
    ['{', 'broken'],
    ['', 'empty'],
  ])('%s (%s) is refused with 100006', async (content) => {
    const productID = await makeProduct(world)
    const { code, msg } = await world.call(createConfig, { productID, content }, asAdmin())
    expect([code, msg]).toEqual([errors.parameter.code, expect.stringContaining('JSON 对象')])
  })

  test('may have 64 KB of UTF-8, and not one byte more', async () => {
    const productID = await makeProduct(world)
    expect(Buffer.byteLength(ofBytes(maxConfigBytes))).toBe(maxConfigBytes)
    await save(productID, ofBytes(maxConfigBytes))
    const { code, msg } = await world.call(createConfig, { productID, content: ofBytes(maxConfigBytes + 1) }, asAdmin())
    expect([code, msg]).toEqual([errors.parameter.code, expect.stringContaining('64 KB')])
  })

  test('of an unknown product is refused', async () => {
    const body = { productID: 'nosuchthing' }
    expect((await world.call(createConfig, { ...body, content: '{}' }, asAdmin())).code).toBe(errors.notFound.code)
    expect((await world.call(readLatestConfig, body, asAdmin())).code).toBe(errors.notFound.code)
    expect((await world.call(listConfigs, body, asAdmin())).code).toBe(errors.notFound.code)
  })

  test('that was written over another one than its writer saw is refused with 900001', async () => {
    const productID = await makeProduct(world)
    const first = await world.asAdmin(createConfig, { productID, content: '{"v":1}', basedOn: 0 })
    const stale = await world.call(createConfig, { productID, content: '{"v":2}', basedOn: 0 }, asAdmin())
    expect(stale.code).toBe(errors.staleEdit.code)
    await world.asAdmin(createConfig, { productID, content: '{"v":3}', basedOn: first.id })
    expect((await world.asAdmin(readLatestConfig, { productID })).content).toBe('{"v":3}')
  })

  test('of two writers who saw the same, one is refused', async () => {
    const productID = await makeProduct(world)
    const body = { productID, content: '{}', basedOn: 0 }
    const both = await Promise.all([1, 2].map(() => world.call(createConfig, body, asAdmin())))
    expect(both.map(({ code }) => code).sort()).toEqual([200, errors.staleEdit.code])
  })
})

describe('the list', () => {
  test('has the newest first, pages, and sorts by size', async () => {
    const productID = await makeProduct(world)
    const a = await save(productID, '{"a":"long enough"}')
    const b = await save(productID, '{}')
    const c = await save(productID, '{"c":1}')
    const ids = async (page?: object) => {
      const { list, total } = await world.asAdmin(listConfigs, { productID, ...(page && { page }) })
      return [list.map(({ id }) => id), total]
    }
    expect(await ids()).toEqual([[c, b, a], 3])
    expect(await ids({ page: 2, size: 2 })).toEqual([[a], 3])
    expect(await world.asAdmin(listConfigs, { productID, configID: b })).toMatchObject({ list: [{ id: b }], total: 1 })
    expect(await ids({ orders: [{ field: 'bytes', sort: 1 }] })).toEqual([[b, c, a], 3])
  })

  test('answers at most 100 rows, because rows carry their texts', async () => {
    const productID = await makeProduct(world)
    await sql`insert into remote_config (product_id, id, content)
      select ${productID}, number, '{}' from generate_series(1, 105) number`.execute(world.db)
    const { list, total } = await world.asAdmin(listConfigs, { productID, page: { size: 1000 } })
    expect([list.length, total]).toEqual([100, 105])
  })

  test('of a product keeps its newest thousand', async () => {
    const productID = await makeProduct(world)
    await sql`insert into remote_config (product_id, id, content)
      select ${productID}, number, '{}' from generate_series(1, ${maxConfigVersions}) number`.execute(world.db)
    const id = await save(productID, '{"new":1}')
    const { list, total } = await world.asAdmin(listConfigs, { productID })
    expect([list[0]?.id, total]).toEqual([id, maxConfigVersions])
    expect(id).toBe(maxConfigVersions + 1)
  })

  test('count from one for each product, also when they are saved at once', async () => {
    const [one, other] = [await makeProduct(world), await makeProduct(world)]
    const saved = await Promise.all([1, 2, 3].map((n) => save(one, `{"n":${n}}`)))
    expect(saved.toSorted()).toEqual([1, 2, 3])
    expect(await save(other, '{}')).toBe(1)
  })
})

describe('restore', () => {
  test('makes a new version of an old one and says of which', async () => {
    const productID = await makeProduct(world)
    const old = await save(productID, '{"v":1}')
    await save(productID, '{"v":2}')
    const { id } = await world.asAdmin(restoreConfig, { productID, id: old })
    expect(await world.asAdmin(readLatestConfig, { productID })).toMatchObject({
      id,
      content: '{"v":1}',
      note: `恢复自版本 ${old}`,
      restoredFrom: old,
    })
    expect((await world.asAdmin(listConfigs, { productID })).total).toBe(3)
  })

  test('of a version of another product is refused', async () => {
    const [mine, other] = [await makeProduct(world), await makeProduct(world)]
    const id = await save(other, '{}')
    expect((await world.call(restoreConfig, { productID: mine, id }, asAdmin())).code).toBe(errors.notFound.code)
  })
})

describe('the list of products', () => {
  test('tells who has a configuration, filters by it, and finds by name or id', async () => {
    const [configured, bare] = [
      await makeProduct(world, { productName: '配置列表甲' }),
      await makeProduct(world, { productName: '配置列表乙' }),
    ]
    await makeDevice(world, configured)
    await save(configured, '{"v":1}')
    const configID = await save(configured, '{"v":2}')
    const find = async (body: object) =>
      (await world.asAdmin(listConfigProducts, body)).list.map(({ productID }) => productID)
    const { list } = await world.asAdmin(listConfigProducts, { productName: '配置列表甲' })
    expect(list).toEqual([
      {
        productID: configured,
        productName: '配置列表甲',
        deviceType: 1,
        deviceCount: 1,
        configID,
        configTime: expect.stringMatching(/^\d{10}$/),
        versions: 2,
      },
    ])
    expect(await find({ productName: '配置列表', hasConfig: HasConfig.yes })).toEqual([configured])
    expect(await find({ productName: '配置列表', hasConfig: HasConfig.no })).toEqual([bare])
    // Those with a configuration come first.
    expect(await find({ productName: '配置列表' })).toEqual([configured, bare])
    expect(await find({ productName: bare })).toEqual([bare])
  })
})
