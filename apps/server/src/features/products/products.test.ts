import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createProduct,
  deleteProduct,
  listProducts,
  readProduct,
  updateProduct,
} from '@ithings/contract/features/products.ts'
import { createSchema } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { uploadImage } from '#features/files/testing/send-form.ts'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { newProductID } from './create-product.ts'
import { addDevice, makeProduct } from './testing/make-product.ts'

let world: World
let filesDir: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'ithings-products-'))
  world = await openWorld({ config: { filesDir } })
})
afterAll(async () => {
  await world.close()
  await rm(filesDir, { recursive: true, force: true })
})

const asAdmin = () => ({ token: world.admin })
const read = (productID: string) => world.asAdmin(readProduct, { productID })
const images = async () =>
  (await readdir(join(filesDir, 'productManage', 'productImg')).catch(() => [])).filter((name) => name.endsWith('.png'))

describe('create', () => {
  test('a name is enough: the rest has the defaults of http-api.md 3.1', async () => {
    const productName = uniqueText('水泵')
    const { productID } = await world.asAdmin(createProduct, { productName })
    expect(productID).toMatch(/^[0-9A-Za-z]{11}$/)
    const product = await read(productID)
    expect(product).toEqual({
      productID,
      productName,
      productImg: '',
      authMode: 1,
      deviceType: 1,
      categoryID: 0,
      netType: 1,
      dataProto: 1,
      autoRegister: 1,
      secret: expect.any(String),
      desc: '',
      tags: [],
      createdTime: expect.stringMatching(/^\d{10}$/),
      devStatus: 0,
      isUpdateProductImg: false,
      dialect: 0,
      valueDays: 365,
      logDays: 7,
      deviceCount: 0,
      onlineCount: 0,
      propertyCount: 0,
      eventCount: 0,
      actionCount: 0,
      rev: 1,
    })
    expect(Buffer.from(product.secret, 'base64')).toHaveLength(20)
  })

  test('all fields are stored as sent; 0, null, digit text and unknown keys are taken as consoles send them', async () => {
    const body = {
      productName: ` ${uniqueText('网关')} `,
      productID: 'abcDEF12345',
      authMode: '2',
      deviceType: 2,
      netType: 4,
      dataProto: 0,
      autoRegister: 3,
      categoryID: 7,
      desc: '说明',
      tags: [{ key: '区', value: '东' }],
      dialect: 2,
      valueDays: 30,
      logDays: 15,
      productImg: null,
      description: 'x',
    }
    const sent = await world.call(createProduct, body, asAdmin())
    expect(sent.data).toEqual({ productID: 'abcDEF12345' })
    expect(await read('abcDEF12345')).toMatchObject({
      productName: body.productName.trim(),
      authMode: 2,
      deviceType: 2,
      netType: 4,
      dataProto: 1,
      autoRegister: 3,
      categoryID: 7,
      desc: '说明',
      tags: [{ key: '区', value: '东' }],
      dialect: 2,
      valueDays: 30,
      logDays: 15,
    })
  })

  test('names and ids are taken once, also at the same moment', async () => {
    const first = await makeProduct(world)
    const sameName = await world.call(createProduct, { productName: first.productName }, asAdmin())
    expect(sameName).toMatchObject({ status: 400, code: 100010, msg: `产品名称重复:${first.productName}` })
    expect(sameName.body.field).toBe('productName')
    const sameID = await world.call(
      createProduct,
      { productName: uniqueText('水泵'), productID: first.productID },
      asAdmin(),
    )
    expect(sameID).toMatchObject({ status: 400, code: 100010, msg: `产品id重复:${first.productID}` })
    const productName = uniqueText('同时')
    const both = await Promise.all([1, 2].map(() => world.call(createProduct, { productName }, asAdmin())))
    expect(both.map((result) => result.code).toSorted()).toEqual([100010, 200].toSorted())
  })

  test.each([
    [{ productName: '' }, 'productName'],
    [{ productName: 'x'.repeat(65) }, 'productName'],
    [{}, 'productName'],
    [{ productName: 'x', productID: 'short' }, 'productID'],
    [{ productName: 'x', productID: 'abc-EF12345' }, 'productID'],
    [{ productName: 'x', deviceType: 4 }, 'deviceType'],
    [{ productName: 'x', netType: 7 }, 'netType'],
    [{ productName: 'x', logDays: 2 }, 'logDays'],
    [{ productName: 'x', valueDays: 0 }, 'valueDays'],
    [{ productName: 'x', dialect: 3 }, 'dialect'],
    [{ productName: 'x', tags: Array.from({ length: 11 }, (_, i) => ({ key: `k${i}`, value: 'v' })) }, 'tags'],
    [
      {
        productName: 'x',
        tags: [
          { key: 'a', value: '1' },
          { key: 'a', value: '2' },
        ],
      },
      'tags',
    ],
  ])('%j is refused and names the field', async (body, field) => {
    const sent = await world.call(createProduct, body, asAdmin())
    expect(sent).toMatchObject({ status: 400, code: 100006 })
    expect(sent.body.field).toBe(field)
  })

  test('a generated id has 11 characters and later ones sort behind', () => {
    const ids = [0, 1, 60_000, 3e12].map((later) => newProductID(Date.now() + later))
    expect(ids).toEqual(ids.toSorted())
    for (const id of [...ids, newProductID(Date.UTC(2020, 0, 1))]) expect(id).toMatch(/^[0-9A-Za-z]{11}$/)
    expect(newProductID(Date.UTC(2020, 0, 1))).toMatch(/^0{6}/)
  })
})

describe('image', () => {
  test('an upload becomes the image; a new one or none replaces it; deleting removes it', async () => {
    const before = (await images()).length
    const { productID } = await makeProduct(world, { productImg: await uploadImage(world) })
    const { productImg } = await read(productID)
    expect(productImg).toMatch(/^\/api\/v1\/oss\/productManage\/productImg\/[\w-]{36}\.png\?expires=\d+&sign=[\w-]+$/)
    expect((await world.app.http.inject({ method: 'GET', url: productImg })).statusCode).toBe(200)

    const replacement = await uploadImage(world)
    await world.asAdmin(updateProduct, { productID, productImg: replacement })
    expect((await read(productID)).productImg.split('?')[0]).toBe(productImg.split('?')[0])
    await world.asAdmin(updateProduct, { productID, productImg: replacement, isUpdateProductImg: true })
    expect((await read(productID)).productImg.split('?')[0]).not.toBe(productImg.split('?')[0])
    expect(await images()).toHaveLength(before + 1)

    await world.asAdmin(updateProduct, { productID, productImg: '', isUpdateProductImg: true })
    expect((await read(productID)).productImg).toBe('')
    await world.asAdmin(updateProduct, { productID, productImg: await uploadImage(world), isUpdateProductImg: true })
    await world.asAdmin(deleteProduct, { productID })
    expect(await images()).toHaveLength(before)
  })

  test('the image of another product, or any other file, cannot be taken', async () => {
    const { productID } = await makeProduct(world, { productImg: await uploadImage(world) })
    const stored = (await read(productID)).productImg.split('?')[0]?.replace('/api/v1/oss/', '') ?? ''
    for (const productImg of [stored, 'job/1/secret.csv', 'productManage/productImg/../../job/1', 'x.png', '../x']) {
      const sent = await world.call(createProduct, { productName: uniqueText('泵'), productImg }, asAdmin())
      expect(sent, productImg).toMatchObject({ status: 400, code: 100009 })
    }
  })

  test('a refused product leaves no file behind', async () => {
    const { productName } = await makeProduct(world)
    const { productID } = await makeProduct(world)
    const before = (await images()).length
    const productImg = await uploadImage(world)
    expect(await world.call(createProduct, { productName, productImg }, asAdmin())).toMatchObject({ code: 100010 })
    const again = { productID, productName, productImg: await uploadImage(world), isUpdateProductImg: true }
    expect(await world.call(updateProduct, again, asAdmin())).toMatchObject({ code: 100010 })
    expect(await images()).toHaveLength(before)
  })
})

describe('update', () => {
  test('absent and empty fields stay; desc and tags replace; type, protocol and authentication never change', async () => {
    const { productID, productName } = await makeProduct(world, {
      desc: '旧',
      tags: [{ key: 'a', value: '1' }],
      deviceType: 2,
    })
    await world.asAdmin(updateProduct, { productID, productName: '', netType: 0 })
    const unchanged = { productName, desc: '旧', tags: [{ key: 'a', value: '1' }], deviceType: 2, netType: 1, rev: 2 }
    expect(await read(productID)).toMatchObject(unchanged)

    const sent = await world.call(
      updateProduct,
      {
        productID,
        desc: '',
        tags: [],
        deviceType: 3,
        authMode: 2,
        dataProto: 2,
        netType: 6,
        autoRegister: 2,
        secret: 'x' as Sealed,
      },
      asAdmin(),
    )
    expect(sent.body).toEqual({ code: 200, msg: 'success' })
    expect(await read(productID)).toMatchObject({
      desc: '',
      tags: [],
      deviceType: 2,
      authMode: 1,
      dataProto: 1,
      netType: 6,
      autoRegister: 2,
      secret: expect.not.stringMatching(/^x$/),
    })
  })

  test('a new name must be free, the own one may be sent again', async () => {
    const other = await makeProduct(world)
    const own = await makeProduct(world)
    expect(await world.call(updateProduct, { ...own, productName: other.productName }, asAdmin())).toMatchObject({
      code: 100010,
      msg: `产品名称重复:${other.productName}`,
    })
    await world.asAdmin(updateProduct, own)
    const productName = uniqueText('新名')
    await world.asAdmin(updateProduct, { ...own, productName })
    expect(await read(own.productID)).toMatchObject({ productName })
  })

  test('an edit of an older state is refused with 900001', async () => {
    const { productID } = await makeProduct(world)
    await world.asAdmin(updateProduct, { productID, desc: 'a', rev: 1 })
    expect(await world.call(updateProduct, { productID, desc: 'b', rev: 1 }, asAdmin())).toMatchObject({ code: 900001 })
    await world.asAdmin(updateProduct, { productID, desc: 'b', rev: 2 })
    expect(await read(productID)).toMatchObject({ desc: 'b', rev: 3 })
  })

  test('an unknown product is refused with 100009', async () => {
    for (const endpoint of [updateProduct, deleteProduct, readProduct]) {
      expect(await world.call(endpoint, { productID: '00000000000' }, asAdmin())).toMatchObject({
        status: 400,
        code: 100009,
        msg: '未查询到:产品 00000000000 不存在',
      })
    }
  })
})

describe('delete', () => {
  test('a product with devices is refused with 100019 and stays', async () => {
    const { productID } = await makeProduct(world)
    await addDevice(world, productID)
    expect(await world.call(deleteProduct, { productID }, asAdmin())).toMatchObject({
      status: 400,
      code: 100019,
      msg: '该产品下还有设备,不可删除',
    })
    await world.db.deleteFrom('device').where('product_id', '=', productID).execute()
    await world.asAdmin(deleteProduct, { productID })
    expect(await world.call(readProduct, { productID }, asAdmin())).toMatchObject({ code: 100009 })
  })

  test('its name and id are free again', async () => {
    const product = await makeProduct(world, { productID: 'again000001' })
    await world.asAdmin(deleteProduct, { productID: product.productID })
    await world.asAdmin(createProduct, product)
    expect(await read(product.productID)).toMatchObject({ productName: product.productName, rev: 1 })
  })
})

describe('index', () => {
  const list = (body: Record<string, unknown> = {}) => world.call(listProducts, body, asAdmin())
  const names = async (body: Record<string, unknown>) => (await list(body)).data.list.map((row) => row.productName)

  test('filters by name or id, type, network, ids and tags, alone and together', async () => {
    const mark = uniqueText('筛选')
    const tag = (key: string, value: string) => ({ key, value })
    const a = await makeProduct(world, { productName: `${mark}A`, deviceType: 2, tags: [tag('p', '1'), tag('q', '2')] })
    const b = await makeProduct(world, { productName: `${mark}B`, netType: 4, tags: [tag('p', '1')] })
    const c = await makeProduct(world, { productName: `${mark}C%_`, tags: [tag('p', '2')] })
    const found = async (body: object) => (await names({ productName: mark, ...body })).toSorted()
    expect(await found({})).toEqual([a, b, c].map((one) => one.productName))
    expect(await found({ deviceType: 2 })).toEqual([a.productName])
    expect(await found({ deviceType: 0, netType: 4 })).toEqual([b.productName])
    expect(await found({ tags: [tag('p', '1')] })).toEqual([a.productName, b.productName])
    expect(await found({ tags: [tag('p', '1'), tag('q', '2')] })).toEqual([a.productName])
    expect(await found({ tags: [tag('p', '2'), tag('q', '2')] })).toEqual([])
    expect(await found({ tags: [], productIDs: [] })).toHaveLength(3)
    expect(await found({ productIDs: [a.productID, c.productID, 'x'] })).toEqual([a.productName, c.productName])
    expect(await names({ productName: `${mark}C%_` })).toEqual([c.productName])
    expect(await names({ productName: `${mark}_` })).toEqual([])
    expect(await names({ productName: b.productID.toLowerCase() })).toEqual([b.productName])
  })

  test('carries counts but no secret; num and total tell of all pages', async () => {
    const mark = uniqueText('计数')
    const { productID } = await makeProduct(world, { productName: `${mark}甲` })
    await makeProduct(world, { productName: `${mark}乙` })
    for (const online of [true, true, false]) await addDevice(world, productID, online)
    const define = { define: { type: 'timestamp' } }
    for (const [identifier, type] of [
      ['p1', 1],
      ['p2', 1],
      ['e1', 2],
      ['a1', 3],
    ] as const) {
      await world.asAdmin(createSchema, {
        productID,
        type,
        identifier,
        name: '功能',
        affordance: JSON.stringify(define),
      })
    }
    const { data } = await list({
      productName: mark,
      page: { page: 1, size: 1, orders: [{ field: 'deviceCount', sort: 2 }] },
    })
    expect(data).toMatchObject({
      total: 2,
      num: 2,
      list: [
        { productID, secret: '', deviceCount: 3, onlineCount: 2, propertyCount: 2, eventCount: 1, actionCount: 1 },
      ],
    })
    expect(await read(productID)).toMatchObject({ deviceCount: 3, onlineCount: 2, propertyCount: 2 })
  })

  test('newest first; sorts by every field that it offers and refuses others', async () => {
    const mark = uniqueText('排序')
    const made = []
    for (const [suffix, deviceType, netType] of [
      ['乙', 1, 3],
      ['甲', 3, 1],
      ['丙', 2, 2],
    ] as const) {
      made.push((await makeProduct(world, { productName: mark + suffix, deviceType, netType })).productName)
    }
    const sorted = (field: string, sort: number) => names({ productName: mark, page: { orders: [{ field, sort }] } })
    const [b, a, c] = made
    expect(await names({ productName: mark })).toEqual([c, a, b])
    expect(await sorted('createdTime', 1)).toEqual([b, a, c])
    expect(await sorted('deviceType', 1)).toEqual([b, c, a])
    expect(await sorted('netType', 2)).toEqual([b, c, a])
    expect(await sorted('productID', 1)).toEqual([b, a, c])
    expect(await sorted('productName', 1)).toHaveLength(3)
    expect(await list({ page: { orders: [{ field: 'secret', sort: 1 }] } })).toMatchObject({
      status: 400,
      code: 100006,
    })
  })
})

test('every endpoint needs a token and the right of the role', async () => {
  const nobody = await makeSignedIn(world, { role: await makeRole(world) })
  for (const endpoint of [createProduct, updateProduct, deleteProduct, listProducts, readProduct]) {
    expect(await world.call(endpoint, {})).toMatchObject({ status: 401 })
    expect(await world.call(endpoint, {}, { token: nobody.token })).toMatchObject({ status: 403, code: 100012 })
  }
})
