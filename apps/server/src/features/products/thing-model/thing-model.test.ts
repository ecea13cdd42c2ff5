import {
  createSchema,
  deleteSchema,
  importTsl,
  listSchema,
  listSchemaReferences,
  listSchemaVersions,
  readSchemaVersion,
  readTsl,
  restoreSchemaVersion,
  updateSchema,
} from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeModelReferences } from '#features/products/model-references.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addDevice, makeProduct } from '../testing/make-product.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const json = (value: unknown) => JSON.stringify(value)
const product = async () => (await makeProduct(world)).productID

const time = { define: { type: 'timestamp' } }
const number = { define: { type: 'int', min: '0', max: '100', start: '0', step: '1', unit: '%' }, mode: 'r' }

async function add(productID: string, identifier: string, fields: Record<string, unknown> = {}) {
  const { affordance = time, ...rest } = fields
  await world.asAdmin(createSchema, {
    productID,
    type: 1,
    identifier,
    name: `名${identifier}`,
    affordance: json(affordance),
    ...rest,
  })
}
const items = async (productID: string, filter: object = {}) =>
  (await world.asAdmin(listSchema, { productID, ...filter })).list
const identifiers = async (productID: string, filter: object = {}) =>
  (await items(productID, filter)).map((item) => item.identifier)
const versions = async (productID: string) => (await world.asAdmin(listSchemaVersions, { productID })).list
const tslOf = async (productID: string) => (await world.asAdmin(readTsl, { productID })).tsl
const nothing = { added: [], changed: [], removed: [] }

describe('create', () => {
  test('a function comes back with the fields of http-api.md 3.3, its affordance readable for the public console', async () => {
    const productID = await product()
    const sent = await world.call(
      createSchema,
      {
        productID,
        type: '1',
        tag: 1,
        identifier: 'temp',
        name: ' 温度 ',
        desc: '进水温度',
        required: 2,
        affordance: json({ ...number, params: [], type: '', isUseShadow: '' }),
      },
      asAdmin(),
    )
    expect(sent.body).toEqual({ code: 200, msg: 'success' })
    expect(await items(productID)).toEqual([
      {
        productID,
        type: 1,
        tag: 1,
        identifier: 'temp',
        name: '温度',
        desc: '进水温度',
        required: 2,
        affordance: expect.any(String),
      },
    ])
    expect(JSON.parse((await items(productID))[0]?.affordance ?? '')).toEqual({
      define: { ...number.define, specs: [] },
      mode: 'r',
      isUseShadow: false,
      isNoRecord: false,
    })
  })

  test('events and actions have a define with specs, too', async () => {
    const productID = await product()
    await add(productID, 'e', { type: 2, required: 1, affordance: { type: 'alert', params: [] } })
    await add(productID, 'a', { type: 3, tag: 2, affordance: { dir: 'up', input: [], output: [] } })
    const [event, action] = await items(productID)
    expect(event).toMatchObject({ type: 2, required: 1 })
    expect(JSON.parse(event?.affordance ?? '')).toEqual({ type: 'alert', params: [], define: { specs: [] } })
    expect(action).toMatchObject({ type: 3, tag: 2, required: 2 })
    expect(JSON.parse(action?.affordance ?? '')).toEqual({ dir: 'up', input: [], output: [], define: { specs: [] } })
  })

  test('an identifier is taken once in a product, also at the same moment, and free in another', async () => {
    const productID = await product()
    await add(productID, 'x')
    const body = { productID, type: 2, identifier: 'x', name: '事件', affordance: '{}' }
    expect(await world.call(createSchema, body, asAdmin())).toMatchObject({
      status: 400,
      code: 100006,
      msg: '标识符在该产品中已经被使用:x',
    })
    const both = await Promise.all([1, 2].map(() => world.call(createSchema, { ...body, identifier: 'y' }, asAdmin())))
    expect(both.map((result) => result.code).toSorted()).toEqual([100006, 200].toSorted())
    await add(await product(), 'x')
  })

  test.each([
    [{ identifier: '1x' }, 'identifier'],
    [{ identifier: '__proto__' }, 'identifier'],
    [{ name: '' }, 'name'],
    [{ desc: 'x'.repeat(81) }, 'desc'],
    [{ type: 4 }, 'type'],
    [{ tag: 4 }, 'tag'],
    [{ affordance: '{' }, 'affordance'],
    [{ affordance: '{"define":{"type":"int","min":"9","max":"1"}}' }, 'define.max'],
    [{ affordance: '{"define":{"type":"date"}}' }, 'define.type'],
    [{ affordance: `{"define":${'{"type":"array","arrayInfo":'.repeat(5000)}1${'}'.repeat(5001)}` }, 'affordance'],
  ])('%j is refused and names the field', async (change, field) => {
    const productID = await product()
    const body = { productID, type: 1, identifier: 'x', name: '名', affordance: json(time), ...change }
    const sent = await world.call(createSchema, body, asAdmin())
    expect(sent).toMatchObject({ status: 400, code: 100006 })
    expect(sent.body.field).toBe(field)
    expect(await items(productID)).toEqual([])
  })

  test('a 501st function is refused', async () => {
    const productID = await product()
    const properties = Array.from({ length: 500 }, (_, i) => ({ identifier: `p${i}`, name: '名', ...time }))
    await world.asAdmin(importTsl, { productID, tsl: json({ properties }) })
    const body = { productID, type: 1, identifier: 'more', name: '名', affordance: json(time) }
    expect(await world.call(createSchema, body, asAdmin())).toMatchObject({
      code: 100006,
      msg: expect.stringContaining('最多 500 个功能'),
    })
  })
})

describe('update', () => {
  test('absent fields stay, others replace, the place in the order stays', async () => {
    const productID = await product()
    await add(productID, 'a', { affordance: number, desc: '旧', required: 1 })
    await add(productID, 'b')
    await world.asAdmin(updateSchema, { productID, type: 1, identifier: 'a', name: '新名' })
    const [first] = await items(productID)
    expect(first).toMatchObject({ identifier: 'a', name: '新名', desc: '旧', required: 1 })
    expect(JSON.parse(first?.affordance ?? '')).toMatchObject({ define: number.define, mode: 'r' })
    await world.asAdmin(updateSchema, {
      productID,
      type: 1,
      identifier: 'a',
      desc: '',
      required: 2,
      affordance: json({ ...time, isNoRecord: true }),
    })
    expect((await items(productID))[0]).toMatchObject({ name: '新名', desc: '', required: 2 })
    expect(JSON.parse((await items(productID))[0]?.affordance ?? '')).toMatchObject({
      define: { type: 'timestamp' },
      isNoRecord: true,
    })
  })

  test('what was read can be posted back and changes nothing, not even the versions', async () => {
    const productID = await product()
    await add(productID, 'a', { affordance: number })
    const [item] = await items(productID)
    await world.asAdmin(updateSchema, item as never)
    expect(await items(productID)).toEqual([item])
    expect(await versions(productID)).toHaveLength(1)
  })

  test.each([
    [{ identifier: 'missing' }, '标识符不存在:missing'],
    [{ tag: 2 }, '功能标签不支持修改'],
    [{ type: 2 }, '功能类型不支持修改:a 是属性'],
    [{ affordance: '[]' }, '参数错误:affordance：模板的json格式不对'],
  ])('%j is refused', async (change, msg) => {
    const productID = await product()
    await add(productID, 'a')
    const body = { productID, type: 1, tag: 1, identifier: 'a', name: '新', ...change }
    expect(await world.call(updateSchema, body, asAdmin())).toMatchObject({ status: 400, code: 100006, msg })
    expect((await items(productID))[0]).toMatchObject({ name: '名a' })
  })
})

describe('delete', () => {
  test('takes the whole item as consoles post it; an unknown one is refused', async () => {
    const productID = await product()
    await add(productID, 'a')
    const [item] = await items(productID)
    expect(await world.call(deleteSchema, item, asAdmin())).toMatchObject({ code: 200 })
    expect(await items(productID)).toEqual([])
    expect(await world.call(deleteSchema, item, asAdmin())).toMatchObject({ code: 100006, msg: '标识符不存在:a' })
  })

  test('a required function cannot be deleted, imported away or rolled away', async () => {
    const productID = await product()
    await add(productID, 'other')
    await add(productID, 'must', { tag: 3 })
    const refused = { status: 400, code: 100006, msg: '参数错误:必选功能不能删除:must' }
    expect(await world.call(deleteSchema, { productID, identifier: 'must' }, asAdmin())).toMatchObject(refused)
    for (const mode of ['replace', 'preview']) {
      expect(await world.call(importTsl, { productID, tsl: '{}', mode }, asAdmin())).toMatchObject(refused)
    }
    expect(await world.call(restoreSchemaVersion, { productID, version: 1 }, asAdmin())).toMatchObject(refused)
    await world.asAdmin(importTsl, {
      productID,
      tsl: json({ properties: [{ identifier: 'must', name: '新', ...time }] }),
    })
    expect(await items(productID)).toMatchObject([{ identifier: 'must', name: '新', tag: 3 }])
  })
})

describe('index', () => {
  test('keeps the order of creation; filters by type, tag, identifiers and words; pages', async () => {
    const productID = await product()
    await add(productID, 'zeta')
    await add(productID, 'alpha', { type: 2, affordance: {} })
    await add(productID, 'beta_1', { type: 3, tag: 2, affordance: {}, name: '启动水泵' })
    expect(await identifiers(productID)).toEqual(['zeta', 'alpha', 'beta_1'])
    expect(await identifiers(productID, { type: 0 })).toHaveLength(3)
    expect(await identifiers(productID, { type: 2 })).toEqual(['alpha'])
    expect(await identifiers(productID, { tag: 2 })).toEqual(['beta_1'])
    expect(await identifiers(productID, { identifiers: ['beta_1', 'zeta', 'x'] })).toEqual(['zeta', 'beta_1'])
    expect(await identifiers(productID, { keyword: 'TA' })).toEqual(['zeta', 'beta_1'])
    expect(await identifiers(productID, { keyword: '水泵' })).toEqual(['beta_1'])
    expect(await identifiers(productID, { keyword: '_' })).toEqual(['beta_1'])
    const page = await world.asAdmin(listSchema, { productID, page: { page: 2, size: 2 } })
    expect(page).toMatchObject({ total: 3, list: [{ identifier: 'beta_1' }] })
    const sorted = { page: { orders: [{ field: 'identifier', sort: 1 }] } }
    expect(await identifiers(productID, sorted)).toEqual(['alpha', 'beta_1', 'zeta'])
  })
})

/** A pump station with every type. */
const station = {
  version: '1.0',
  properties: [
    { identifier: 'power', name: '电源', define: { type: 'bool', mapping: { 0: '关', 1: '开' } }, mode: 'rw' },
    { identifier: 'level', name: '液位', define: { type: 'float', min: '0', max: '12.5', step: '0.01', unit: 'm' } },
    { identifier: 'speed', name: '转速', define: { type: 'int', min: '0', max: '3000', step: '10' } },
    { identifier: 'state', name: '状态', define: { type: 'enum', mapping: { 2: '故障', 0: '停', 1: '行' } } },
    { identifier: 'note', name: '备注', define: { type: 'string', max: '64' }, isNoRecord: true },
    { identifier: 'since', name: '起始', define: { type: 'timestamp' } },
    {
      identifier: 'pump',
      name: '泵',
      isUseShadow: true,
      define: {
        type: 'struct',
        specs: [
          { identifier: 'flow', name: '流量', dataType: { type: 'float', min: '0', max: '99' } },
          { identifier: 'on', name: '运行', dataType: { type: 'bool', mapping: { 0: '否', 1: '是' } } },
        ],
      },
    },
    { identifier: 'curve', name: '曲线', define: { type: 'array', arrayInfo: { type: 'int', min: '0', max: '9' } } },
  ],
  events: [
    {
      identifier: 'flood',
      name: '水淹',
      type: 'fault',
      required: true,
      params: [{ identifier: 'depth', name: '深度', define: { type: 'float', min: '0', max: '5' } }],
    },
  ],
  actions: [{ identifier: 'drain', name: '排水', dir: 'down', input: [], output: [] }],
  profile: { productID: 'other' },
}

describe('import and export', () => {
  test('an empty model exports all keys', async () => {
    const productID = await product()
    expect(JSON.parse(await tslOf(productID))).toEqual({
      version: '',
      properties: [],
      events: [],
      actions: [],
      profile: { productID },
    })
  })

  test('what was exported is imported without a difference and exported as the same text', async () => {
    const productID = await product()
    const diff = await world.asAdmin(importTsl, { productID, tsl: json(station) })
    expect(diff.added.map((one) => one.identifier)).toEqual([
      ...['power', 'level', 'speed', 'state', 'note', 'since', 'pump', 'curve'],
      ...['flood', 'drain'],
    ])
    expect(diff).toMatchObject({ changed: [], removed: [] })
    const tsl = await tslOf(productID)
    expect(JSON.parse(tsl).properties[1]).toEqual({
      identifier: 'level',
      name: '液位',
      desc: '',
      required: false,
      mode: 'rw',
      define: { type: 'float', min: '0', max: '12.5', start: '0', step: '0.01', unit: 'm' },
      isUseShadow: false,
      isNoRecord: false,
    })
    for (const mode of ['preview', 'merge', 'replace'] as const) {
      expect(await world.asAdmin(importTsl, { productID, tsl, mode })).toEqual(nothing)
    }
    expect(await tslOf(productID)).toBe(tsl)
    expect(await versions(productID)).toHaveLength(1)
    expect(await items(productID)).toEqual(expect.arrayContaining([expect.objectContaining({ tag: 1 })]))

    const copy = await product()
    await world.asAdmin(importTsl, { productID: copy, tsl })
    expect((await tslOf(copy)).replace(copy, productID)).toBe(tsl)
  })

  const next = {
    properties: [
      { identifier: 'power', name: '电源', define: { type: 'bool', mapping: { 0: '关', 1: '合' } }, mode: 'rw' },
      { identifier: 'since', name: '起始', define: { type: 'int' } },
      { identifier: 'extra', name: '新增', define: { type: 'timestamp' } },
    ],
  }

  test('preview tells the difference and changes nothing', async () => {
    const productID = await product()
    await world.asAdmin(importTsl, { productID, tsl: json(station) })
    const before = await tslOf(productID)
    const diff = await world.asAdmin(importTsl, { productID, tsl: json(next), mode: 'preview' })
    expect(diff.added).toEqual([{ type: 1, identifier: 'extra', name: '新增' }])
    expect(diff.changed).toEqual([
      { type: 1, identifier: 'power', name: '电源', fields: ['define.mapping.1'], typeChanged: false },
      {
        type: 1,
        identifier: 'since',
        name: '起始',
        fields: expect.arrayContaining(['define.type']),
        typeChanged: true,
      },
    ])
    expect(diff.removed.map((one) => one.identifier)).toContain('flood')
    expect(await tslOf(productID)).toBe(before)
    expect(await versions(productID)).toHaveLength(1)
  })

  test('merge keeps what the document does not name, in its place; replace drops it', async () => {
    const productID = await product()
    await world.asAdmin(importTsl, { productID, tsl: json(station) })
    const before = await identifiers(productID)
    const merged = await world.asAdmin(importTsl, { productID, tsl: json(next), mode: 'merge' })
    expect(merged).toMatchObject({ removed: [], added: [{ identifier: 'extra' }] })
    expect(await identifiers(productID)).toEqual([...before, 'extra'])
    await world.asAdmin(importTsl, { productID, tsl: json(next) })
    expect(await identifiers(productID)).toEqual(['power', 'since', 'extra'])
    expect((await versions(productID)).map((version) => version.title)).toEqual([
      '导入物模型（替换）',
      '导入物模型（合并）',
      '导入物模型（替换）',
    ])
  })

  test('another order alone is taken over', async () => {
    const productID = await product()
    const two = ['a', 'b'].map((identifier) => ({ identifier, name: '名', ...time }))
    await world.asAdmin(importTsl, { productID, tsl: json({ properties: two }) })
    expect(await world.asAdmin(importTsl, { productID, tsl: json({ properties: two.toReversed() }) })).toEqual(nothing)
    expect(await identifiers(productID)).toEqual(['b', 'a'])
  })

  test.each([
    ['{\n  "properties": [\n}', '第 3 行第 1 列'],
    ['{"properties":\n  {}}', '第 2 行 properties：properties 必须是数组'],
    [
      '{"properties": [\n {"identifier": "a", "name": "甲",\n  "define": {"type": "int", "min": "x"}}]}',
      '第 3 行 properties.a.define.min：最小值必须是整数，收到 x',
    ],
    [json({ properties: Array.from({ length: 8 }, () => ({ identifier: '9', name: '名', ...time })) }), '处错误'],
  ])('%j is refused with the line', async (tsl, text) => {
    const productID = await product()
    for (const mode of ['replace', 'merge', 'preview']) {
      const sent = await world.call(importTsl, { productID, tsl, mode }, asAdmin())
      expect(sent).toMatchObject({ status: 400, code: 100006, msg: expect.stringContaining(text) })
    }
    expect(await items(productID)).toEqual([])
  })

  test('an unknown mode is refused', async () => {
    const body = { productID: await product(), tsl: '{}', mode: 'append' }
    expect(await world.call(importTsl, body, asAdmin())).toMatchObject({ code: 100006 })
  })
})

describe('versions', () => {
  test('every change leaves a version that says what was done, by whom, newest first', async () => {
    const productID = await product()
    await add(productID, 'temp')
    await world.asAdmin(updateSchema, { productID, type: 1, identifier: 'temp', name: '新' })
    await add(productID, 'alarm', { type: 2, affordance: {} })
    await add(productID, 'go', { type: 3, affordance: {} })
    await world.asAdmin(deleteSchema, { productID, identifier: 'go' })
    expect(await world.asAdmin(listSchemaVersions, { productID, page: { page: 1, size: 4 } })).toEqual({
      total: 5,
      list: [
        ['删除行为 go', 1, 1, 0],
        ['新增行为 go', 1, 1, 1],
        ['新增事件 alarm', 1, 1, 0],
        ['修改属性 temp', 1, 0, 0],
      ].map(([title, propertyCount, eventCount, actionCount], index) => ({
        version: 5 - index,
        title,
        userName: 'administrator',
        createdTime: expect.stringMatching(/^\d{10}$/),
        propertyCount,
        eventCount,
        actionCount,
      })),
    })
  })

  test('a version is read with what its return would change, and comes back as a new version', async () => {
    const productID = await product()
    await add(productID, 'a', { affordance: number, tag: 2 })
    await add(productID, 'b')
    const then = await tslOf(productID)
    await world.asAdmin(deleteSchema, { productID, identifier: 'b' })
    await world.asAdmin(updateSchema, { productID, type: 1, tag: 2, identifier: 'a', affordance: json(time) })
    const { tsl, diff } = await world.asAdmin(readSchemaVersion, { productID, version: 2 })
    expect(tsl).toBe(then)
    expect(diff).toMatchObject({
      added: [{ type: 1, identifier: 'b', name: '名b' }],
      changed: [{ identifier: 'a', typeChanged: true }],
      removed: [],
    })
    expect(await world.asAdmin(restoreSchemaVersion, { productID, version: 2 })).toEqual(diff)
    expect(await tslOf(productID)).toBe(then)
    expect(await items(productID)).toMatchObject([
      { identifier: 'a', tag: 2 },
      { identifier: 'b', tag: 1 },
    ])
    expect((await versions(productID))[0]).toMatchObject({ version: 5, title: '恢复到版本 2' })
    expect(await world.asAdmin(restoreSchemaVersion, { productID, version: 5 })).toEqual(nothing)
    expect(await versions(productID)).toHaveLength(5)
  })

  test('the last 100 are kept', async () => {
    const productID = await product()
    await add(productID, 'a')
    await world.db
      .updateTable('product_model_version')
      .set({ version: 100 })
      .where('product_id', '=', productID)
      .execute()
    await add(productID, 'b')
    await world.db
      .updateTable('product_model_version')
      .set({ version: 2 })
      .where('product_id', '=', productID)
      .where('version', '=', 100)
      .execute()
    await add(productID, 'c')
    expect((await versions(productID)).map((one) => one.version)).toEqual([102, 101])
  })

  test('an unknown version is refused with 100009', async () => {
    const productID = await product()
    for (const endpoint of [readSchemaVersion, restoreSchemaVersion]) {
      expect(await world.call(endpoint, { productID, version: 9 }, asAdmin())).toMatchObject({
        code: 100009,
        msg: '未查询到:物模型版本 9 不存在',
      })
    }
  })
})

describe('references', () => {
  test('the devices of the product count as what refers to its functions', async () => {
    const { productID, productName } = await makeProduct(world)
    await add(productID, 'a')
    const ask = () => world.asAdmin(listSchemaReferences, { productID, identifiers: ['a', 'b'] })
    expect(await ask()).toEqual({ list: [] })
    await addDevice(world, productID)
    await addDevice(world, productID, true)
    expect(await ask()).toEqual({
      list: ['a', 'b'].map((identifier) => ({ identifier, kind: '设备', title: productName, count: 2 })),
    })
  })

  test('features that register are asked for theirs', async () => {
    const references = makeModelReferences()
    references.register(async (_db, productID, [identifier = '']) => [
      { identifier, kind: '场景', title: productID, count: 1 },
    ])
    references.register(async () => [])
    expect(await references.find(world.db, 'p', ['a'])).toEqual([
      { identifier: 'a', kind: '场景', title: 'p', count: 1 },
    ])
  })
})

test('every endpoint refuses an unknown product, a missing token and a role without the right', async () => {
  const nobody = await makeSignedIn(world, { role: await makeRole(world) })
  const body = { productID: '00000000000', type: 1, identifier: 'a', name: '名', affordance: json(time) }
  const full = { ...body, tsl: '{}', version: 1, identifiers: ['a'] }
  for (const endpoint of [
    createSchema,
    updateSchema,
    deleteSchema,
    listSchema,
    importTsl,
    readTsl,
    listSchemaVersions,
    readSchemaVersion,
    restoreSchemaVersion,
    listSchemaReferences,
  ]) {
    expect(await world.call(endpoint, full, asAdmin()), endpoint.path).toMatchObject({ status: 400, code: 100009 })
    expect(await world.call(endpoint, full)).toMatchObject({ status: 401 })
    expect(await world.call(endpoint, full, { token: nobody.token })).toMatchObject({ status: 403, code: 100012 })
  }
})
