import { type Api, createApi, deleteApi, listApis, updateApi } from '@ithings/contract/features/apis.ts'
import { createRole, listRoleApis, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { createUser, listUsers } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })

async function findApi(id: number): Promise<Api> {
  const { list } = await world.asAdmin(listApis)
  const api = list.find((row) => row.id === id)
  if (!api) throw new Error(`API ${id} is not listed`)
  return api
}

const fields = (route = uniqueText('/api/v1/own/x')) => ({
  route,
  method: 2,
  group: '自定义',
  name: '自定义接口',
  businessType: 3,
})

async function makeApi(route?: string): Promise<Api> {
  const { id } = await world.asAdmin(createApi, fields(route))
  return findApi(id)
}

async function builtIn(path: string): Promise<Api> {
  const { list } = await world.asAdmin(listApis, { route: path })
  const api = list.find((row) => row.route === path)
  if (!api) throw new Error(`${path} is not registered`)
  return api
}

describe('create', () => {
  test('a hand-made API is listed with its fields and held by admin alone', async () => {
    const body = fields()
    const { id } = await world.asAdmin(createApi, body)
    expect(await findApi(id)).toEqual({ id, ...body, builtIn: false, roles: ['admin'], rev: 1 })
  })

  test('digit text and unknown keys are accepted', async () => {
    const sent = await world.call(createApi, { ...fields(), method: '5', businessType: '4', key: 1 }, asAdmin())
    expect(await findApi(sent.data.id)).toMatchObject({ method: 5, businessType: 4 })
  })

  test('a route may exist once for each method: the second is refused with 100010', async () => {
    const api = await makeApi()
    const refused = await world.call(createApi, fields(api.route), asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100010, msg: `接口已存在:POST ${api.route}` })
    expect(refused.body.field).toBe('route')
    await world.asAdmin(createApi, { ...fields(api.route), method: 1 })
  })

  test.each([
    ['route', undefined],
    ['route', '/v1/x'],
    ['route', '/api/v1/a b'],
    ['method', undefined],
    ['method', 0],
    ['method', 10],
    ['group', ''],
    ['name', ''],
    ['name', '名'.repeat(65)],
    ['businessType', 6],
    ['businessType', undefined],
  ])('%s %j is refused with 100006 that names the field', async (field, value) => {
    const refused = await world.call(createApi, { ...fields(), [field]: value }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.body.field).toBe(field)
  })
})

describe('update', () => {
  test('fields that are not sent keep their value, 0 and null count as not sent', async () => {
    const api = await makeApi()
    const sent = await world.call(
      updateApi,
      { id: String(api.id), name: '新名', method: 0, businessType: null },
      asAdmin(),
    )
    expect(sent.code).toBe(200)
    expect(await findApi(api.id)).toEqual({ ...api, name: '新名', rev: 2 })
    await world.asAdmin(updateApi, { id: api.id, group: '别组', businessType: 5 })
    expect(await findApi(api.id)).toEqual({ ...api, name: '新名', group: '别组', businessType: 5, rev: 3 })
  })

  test('roles that hold the API keep it under its new route and method', async () => {
    const api = await makeApi()
    const { id: roleID } = await world.asAdmin(createRole, { name: uniqueText('持有') })
    await world.asAdmin(updateRoleApis, { roleID, list: [{ route: api.route, method: 2 }] })
    const route = uniqueText('/api/v1/own/moved')
    await world.asAdmin(updateApi, { id: api.id, route, method: 6 })
    expect((await world.asAdmin(listRoleApis, { roleID })).list).toEqual([{ route, method: 6 }])
  })

  test('the route and method of another API are refused with 100010', async () => {
    const [one, two] = [await makeApi(), await makeApi()]
    const refused = await world.call(updateApi, { id: two.id, route: one.route }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100010, msg: `接口已存在:POST ${one.route}` })
    expect(await findApi(two.id)).toEqual(two)
  })

  test('an edit that names an old rev is refused with 900001', async () => {
    const api = await makeApi()
    await world.asAdmin(updateApi, { id: api.id, name: '先', rev: 1 })
    const late = await world.call(updateApi, { id: api.id, name: '后', rev: 1 }, asAdmin())
    expect(late).toMatchObject({ status: 400, code: 900001 })
  })
})

describe('delete', () => {
  test('a hand-made API goes together with the rights of roles to it', async () => {
    const api = await makeApi()
    const { id: roleID } = await world.asAdmin(createRole, { name: uniqueText('失去') })
    await world.asAdmin(updateRoleApis, {
      roleID,
      list: [
        { route: api.route, method: 2 },
        { route: listUsers.path, method: 2 },
      ],
    })
    await world.asAdmin(deleteApi, { id: api.id })
    expect((await world.asAdmin(listRoleApis, { roleID })).list).toEqual([{ route: listUsers.path, method: 2 }])
    expect((await world.asAdmin(listApis, { route: api.route })).total).toBe(0)
  })

  test('an unknown API is refused with 100009 by update and delete', async () => {
    for (const refused of [
      await world.call(updateApi, { id: 987_654, name: 'x' }, asAdmin()),
      await world.call(deleteApi, { id: 987_654 }, asAdmin()),
    ]) {
      expect(refused).toMatchObject({ status: 400, code: 100009, msg: '未查询到:接口 987654 不存在' })
    }
  })
})

test('rows of the platform itself can be neither edited nor deleted', async () => {
  const api = await builtIn(createUser.path)
  expect(api).toMatchObject({ builtIn: true, name: '新增用户', group: '用户管理', method: 2, businessType: 1 })
  for (const refused of [
    await world.call(updateApi, { id: api.id, name: 'x' }, asAdmin()),
    await world.call(deleteApi, { id: api.id }, asAdmin()),
  ]) {
    expect(refused).toMatchObject({
      status: 400,
      code: 100006,
      msg: '参数错误:「新增用户」是平台内置接口，不能修改或删除',
    })
  }
  expect(await builtIn(createUser.path)).toEqual(api)
})

describe('list', () => {
  test('each filter narrows the list', async () => {
    const [group, name] = [uniqueText('筛选组'), uniqueText('筛选名')]
    const route = uniqueText('/api/v1/Own/filter')
    await world.asAdmin(createApi, { route, method: 5, group, name, businessType: 5 })
    await world.asAdmin(createApi, { route, method: 6, group, name, businessType: 2 })
    const total = async (filter: object) => (await world.call(listApis, filter, asAdmin())).data.total
    expect(await total({ route: route.toLowerCase() })).toBe(2)
    expect(await total({ group })).toBe(2)
    expect(await total({ name })).toBe(2)
    expect(await total({ name, method: 5 })).toBe(1)
    expect(await total({ name, method: '6' })).toBe(1)
    expect(await total({ name, businessType: '2' })).toBe(1)
    expect(await total({ name, method: '', businessType: 0, route: '' })).toBe(2)
    expect(await total({ name, group: '没有' })).toBe(0)
    expect(await total({ route: '%' })).toBe(0)
    expect(await world.call(listApis, { method: 'POST' }, asAdmin())).toMatchObject({ code: 100006 })
  })

  test('every sort field sorts both ways', async () => {
    for (const field of ['id', 'route', 'method', 'group', 'name', 'businessType'] as const) {
      const values = async (sort: 1 | 2) => {
        const { list } = await world.asAdmin(listApis, { page: { orders: [{ field, sort }] } })
        return list.map((row) => row[field])
      }
      const up = await values(1)
      const down = await values(2)
      expect(down.toSorted(), field).toEqual(up.toSorted())
      expect(new Set(up).size, field).toBeGreaterThan(1)
      expect([up[0], up.at(-1)], field).toEqual([down.at(-1), down[0]])
    }
  })

  test('pages hold the asked number of rows and the true total', async () => {
    const all = await world.asAdmin(listApis)
    const page = await world.asAdmin(listApis, { page: { page: 2, size: 3 } })
    expect(page.total).toBe(all.total)
    expect(page.list.map((row) => row.id)).toEqual(all.list.slice(3, 6).map((row) => row.id))
  })

  test('the roles that hold an API are named, admin first', async () => {
    const name = uniqueText('用户组')
    const { id: roleID } = await world.asAdmin(createRole, { name })
    await world.asAdmin(updateRoleApis, { roleID, list: [{ route: createUser.path, method: 2 }] })
    expect((await builtIn(createUser.path)).roles).toEqual(['admin', name])
    expect((await builtIn(listApis.path)).roles).toEqual(['admin'])
  })
})
