import { listApis } from '@ithings/contract/features/apis.ts'
import { createMenu, listMenus } from '@ithings/contract/features/menus.ts'
import { listRoleApis, listRoles, updateRoleApis, updateRoleMenus, viewRole } from '@ithings/contract/features/roles.ts'
import { listUsers, readResources } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiKeys, makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const menusOf = async (id: number) =>
  (await world.asAdmin(listRoles)).list.find((row) => row.id === id)?.roleMenuID.toSorted((a, b) => a - b)

describe('menus of a role', () => {
  test('parents of chosen entries are kept although they were not sent', async () => {
    const id = await makeRole(world)
    // 9 lies in 7, which lies in 2.
    await world.asAdmin(updateRoleMenus, { id, menuID: [9] })
    expect(await menusOf(id)).toEqual([2, 7, 9])
  })

  test('the set is replaced, not added to, and can be emptied', async () => {
    const id = await makeRole(world)
    await world.asAdmin(updateRoleMenus, { id, menuID: [3, 4] })
    await world.asAdmin(updateRoleMenus, { id, menuID: [5] })
    expect(await menusOf(id)).toEqual([2, 5])
    await world.asAdmin(updateRoleMenus, { id, menuID: [] })
    expect(await menusOf(id)).toEqual([])
  })

  test('the root, repeated ids, digit text and the stray roleID of the public console are accepted', async () => {
    const id = await makeRole(world)
    const sent = await world.call(
      updateRoleMenus,
      { id: String(id), roleID: id, menuID: ['1', 2, '3', 3] },
      { token: world.admin },
    )
    expect(sent.code).toBe(200)
    expect(await menusOf(id)).toEqual([2, 3])
  })

  test('unknown ids are refused with 100006, all of them named, and the set stays', async () => {
    const id = await makeRole(world)
    await world.asAdmin(updateRoleMenus, { id, menuID: [3] })
    const refused = await world.call(updateRoleMenus, { id, menuID: [4, 88_888, 99_999] }, { token: world.admin })
    expect(refused).toMatchObject({ status: 400, code: 100006, msg: '参数错误:菜单 88888、99999 不存在' })
    expect(await menusOf(id)).toEqual([2, 3])
  })

  test('the admin role always sees all: its menus cannot be changed', async () => {
    const refused = await world.call(updateRoleMenus, { id: 1, menuID: [3] }, { token: world.admin })
    expect(refused).toMatchObject({
      status: 400,
      code: 100006,
      msg: '参数错误:管理员角色始终拥有全部菜单，不能修改',
    })
    const { id } = await world.asAdmin(createMenu, { name: '新菜单', path: '/brandNew' })
    expect(await menusOf(1)).toContain(id)
    const { menu } = await world.asAdmin(readResources)
    expect(menu.map((entry) => entry.id)).toContain(id)
  })

  test('an unknown role is refused with 100009', async () => {
    const refused = await world.call(updateRoleMenus, { id: 987_654, menuID: [] }, { token: world.admin })
    expect(refused).toMatchObject({ status: 400, code: 100009 })
  })

  test('signed-in users of the role get the new entries with their next session load', async () => {
    const role = await makeRole(world)
    const person = await makeSignedIn(world, { role })
    const before = await world.call(readResources, {}, person)
    expect(before.data.menu).toEqual([])
    await world.asAdmin(updateRoleMenus, { id: role, menuID: [8] })
    const after = await world.call(readResources, {}, person)
    expect(after.data.menu.map((entry) => entry.id).toSorted((a, b) => a - b)).toEqual([2, 7, 8])
  })
})

describe('APIs of a role', () => {
  test('the set is replaced, listed by route and counts from the next call on', async () => {
    const role = await makeRole(world, [listUsers])
    const person = await makeSignedIn(world, { role })
    expect((await world.call(listUsers, {}, person)).code).toBe(200)
    expect((await world.call(listMenus, {}, person)).status).toBe(403)

    await world.asAdmin(updateRoleApis, { roleID: role, list: apiKeys([listMenus]) })
    expect(await world.asAdmin(listRoleApis, { roleID: role })).toEqual({
      list: [{ route: listMenus.path, method: 2 }],
      total: 1,
    })
    expect((await world.call(listUsers, {}, person)).status).toBe(403)
    expect((await world.call(listMenus, {}, person)).code).toBe(200)

    await world.asAdmin(updateRoleApis, { roleID: role, list: [] })
    expect((await world.call(listMenus, {}, person)).status).toBe(403)
  })

  test('repeated entries, digit text and extra keys are accepted', async () => {
    const roleID = await makeRole(world)
    const entry = { route: listUsers.path, method: '2', name: '用户列表' }
    const sent = await world.call(
      updateRoleApis,
      { roleID: String(roleID), list: [entry, { ...entry, method: 2 }] },
      { token: world.admin },
    )
    expect(sent.code).toBe(200)
    expect((await world.asAdmin(listRoleApis, { roleID })).total).toBe(1)
  })

  test('the first unknown route or method is named in a refusal with 100006 and the set stays', async () => {
    const roleID = await makeRole(world, [listUsers])
    const route = await world.call(
      updateRoleApis,
      {
        roleID,
        list: [...apiKeys([listMenus]), { route: '/api/v1/nope', method: 2 }, { route: '/api/v1/no', method: 2 }],
      },
      { token: world.admin },
    )
    expect(route).toMatchObject({
      status: 400,
      code: 100006,
      msg: '参数错误:接口 /api/v1/nope（请求方式 2）不存在',
    })
    const method = await world.call(
      updateRoleApis,
      { roleID, list: [{ route: listUsers.path, method: 1 }] },
      { token: world.admin },
    )
    expect(method).toMatchObject({ status: 400, code: 100006 })
    expect((await world.asAdmin(listRoleApis, { roleID })).list).toEqual(apiKeys([listUsers]))
  })

  test('the admin role answers every registered API and cannot be changed', async () => {
    const all = await world.asAdmin(listApis)
    expect(await world.asAdmin(listRoleApis, { roleID: 0 })).toEqual({ list: [], total: 0 })
    const held = await world.asAdmin(listRoleApis, { roleID: 1 })
    expect(held.total).toBe(all.total)
    expect(new Set(held.list.map((api) => api.route))).toEqual(new Set(all.list.map((api) => api.route)))
    const refused = await world.call(updateRoleApis, { roleID: 1, list: [] }, { token: world.admin })
    expect(refused).toMatchObject({
      status: 400,
      code: 100006,
      msg: '参数错误:管理员角色始终拥有全部接口，不能修改',
    })
  })

  test('an unknown role is refused with 100009 by both calls', async () => {
    const token = world.admin
    expect(await world.call(updateRoleApis, { roleID: 987_654, list: [] }, { token })).toMatchObject({ code: 100009 })
    expect(await world.call(listRoleApis, { roleID: 987_654 }, { token })).toMatchObject({ code: 100009 })
    expect(await world.call(listRoleApis, {}, { token })).toMatchObject({ code: 100006 })
  })

  test('two replacements at the same moment leave one of the two sets, never a mixture', async () => {
    const roleID = await makeRole(world)
    const one = apiKeys([listUsers, listMenus])
    const two = apiKeys([listRoles, listApis])
    await Promise.all([one, two, one, two].map((list) => world.asAdmin(updateRoleApis, { roleID, list })))
    const routes = (await world.asAdmin(listRoleApis, { roleID })).list.map((api) => api.route).toSorted()
    expect([one, two].map((list) => list.map((api) => api.route).toSorted())).toContainEqual(routes)
  })
})

test('a role is looked at as its people see it, by those who may', async () => {
  const id = await makeRole(world, [listUsers])
  await world.asAdmin(updateRoleMenus, { id, menuID: [9] })
  const person = await makeSignedIn(world, { role: id })
  const { menu, withheld } = (await world.call(readResources, {}, person)).data
  expect(await world.asAdmin(viewRole, { id })).toMatchObject({ menu, withheld })
  expect(withheld).toContain(viewRole.path)
  expect(await world.call(viewRole, { id }, person)).toMatchObject({ status: 403, code: 100012 })
  expect(await world.call(viewRole, { id: 99_999 }, { token: world.admin })).toMatchObject({ status: 400 })
})
