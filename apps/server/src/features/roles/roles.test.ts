import {
  createRole,
  deleteRole,
  listRoleApis,
  listRoles,
  type Role,
  updateRole,
  updateRoleMenus,
} from '@ithings/contract/features/roles.ts'
import { listUsers, updateUser } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRole, makeSignedIn, makeUser, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function findRole(id: number): Promise<Role> {
  const { list } = await world.asAdmin(listRoles)
  const role = list.find((row) => row.id === id)
  if (!role) throw new Error(`role ${id} is not listed`)
  return role
}

describe('create', () => {
  test('a new role is enabled, not built in, and holds neither menus, APIs nor users', async () => {
    const name = uniqueText('值班')
    const before = Math.floor(Date.now() / 1000)
    const { id } = await world.asAdmin(createRole, { name, remark: '夜班' })
    const role = await findRole(id)
    expect(role).toEqual({
      id,
      name,
      remark: '夜班',
      createdTime: expect.any(Number),
      status: 1,
      roleMenuID: [],
      builtIn: false,
      secondFactor: false,
      users: 0,
      rev: 1,
    })
    expect(role.createdTime).toBeGreaterThanOrEqual(before - 1)
    expect(await world.asAdmin(listRoleApis, { roleID: id })).toEqual({ list: [], total: 0 })
  })

  test('a role can be created disabled, with digit text, nulls and unknown keys in the body', async () => {
    const name = uniqueText('停用')
    const { data, code } = await world.call(
      createRole,
      { name, status: '2', remark: null, current: 1 },
      { token: world.admin },
    )
    expect(code).toBe(200)
    expect(await findRole(data.id)).toMatchObject({ name, status: 2, remark: '' })
  })

  test('a name that is taken is refused with 100010 and named, in any case of its letters', async () => {
    const name = uniqueText('Operators')
    await world.asAdmin(createRole, { name })
    const again = await world.call(createRole, { name: name.toUpperCase() }, { token: world.admin })
    expect(again).toMatchObject({ status: 400, code: 100010, msg: `角色名称重复:${name.toUpperCase()}` })
    expect(again.body.field).toBe('name')
  })

  test.each([{}, { name: '' }, { name: '   ' }, { name: '角'.repeat(33) }, { name: 'x', status: 3 }])(
    'the body %j is refused with 100006',
    async (body) => {
      expect(await world.call(createRole, body, { token: world.admin })).toMatchObject({ status: 400, code: 100006 })
    },
  )
})

describe('update', () => {
  test('fields that are not sent keep their value and the rev goes up', async () => {
    const { id } = await world.asAdmin(createRole, { name: uniqueText('改'), remark: '原备注' })
    const name = uniqueText('改后')
    await world.asAdmin(updateRole, { id, name })
    expect(await findRole(id)).toMatchObject({ name, remark: '原备注', status: 1, rev: 2 })
    await world.asAdmin(updateRole, { id, remark: '', status: 2 })
    expect(await findRole(id)).toMatchObject({ name, remark: '', status: 2, rev: 3 })
  })

  test('an edit that names an old rev is refused with 900001 and changes nothing', async () => {
    const { id } = await world.asAdmin(createRole, { name: uniqueText('并发') })
    await world.asAdmin(updateRole, { id, remark: '先', rev: 1 })
    const late = await world.call(updateRole, { id, remark: '后', rev: 1 }, { token: world.admin })
    expect(late).toMatchObject({ status: 400, code: 900001, msg: '数据已被他人修改，请刷新后重试' })
    expect(await findRole(id)).toMatchObject({ remark: '先', rev: 2 })
  })

  test('the name of another role is refused with 100010', async () => {
    const taken = uniqueText('占用')
    await world.asAdmin(createRole, { name: taken })
    const { id } = await world.asAdmin(createRole, { name: uniqueText('别名') })
    const refused = await world.call(updateRole, { id, name: taken }, { token: world.admin })
    expect(refused).toMatchObject({ status: 400, code: 100010, msg: `角色名称重复:${taken}` })
  })

  test('an unknown role is refused with 100009', async () => {
    const refused = await world.call(updateRole, { id: 987_654, remark: 'x' }, { token: world.admin })
    expect(refused).toMatchObject({ status: 400, code: 100009, msg: '未查询到:角色 987654 不存在' })
  })

  test('the admin role can be neither disabled nor renamed, but its remark can be changed', async () => {
    const disabled = await world.call(updateRole, { id: 1, status: 2 }, { token: world.admin })
    expect(disabled).toMatchObject({ status: 400, code: 100006, msg: '参数错误:管理员角色不能禁用' })
    const renamed = await world.call(updateRole, { id: 1, name: 'root' }, { token: world.admin })
    expect(renamed).toMatchObject({ status: 400, code: 100006, msg: '参数错误:管理员角色不能改名' })
    await world.asAdmin(updateRole, { id: 1, name: 'admin', status: 1, remark: '全部权限' })
    expect(await findRole(1)).toMatchObject({ name: 'admin', status: 1, remark: '全部权限' })
  })

  test('disabling a role takes its rights from signed-in users at once, enabling gives them back', async () => {
    const role = await makeRole(world, [listUsers])
    const person = await makeSignedIn(world, { role })
    expect((await world.call(listUsers, {}, person)).code).toBe(200)
    await world.asAdmin(updateRole, { id: role, status: 2 })
    expect(await world.call(listUsers, {}, person)).toMatchObject({ status: 403, code: 100012 })
    await world.asAdmin(updateRole, { id: role, status: 1 })
    expect((await world.call(listUsers, {}, person)).code).toBe(200)
  })
})

describe('delete', () => {
  test('a role without users is deleted together with its menus and APIs', async () => {
    const id = await makeRole(world, [listUsers])
    await world.asAdmin(updateRoleMenus, { id, menuID: [3] })
    await world.asAdmin(deleteRole, { id })
    expect((await world.asAdmin(listRoles)).list.map((row) => row.id)).not.toContain(id)
    for (const table of ['role_api', 'role_menu'] as const) {
      expect(await world.db.selectFrom(table).selectAll().where('role_id', '=', id).execute()).toEqual([])
    }
    expect(await world.call(deleteRole, { id }, { token: world.admin })).toMatchObject({ code: 100009 })
  })

  test('a role with users is refused with 100019 that tells how many, until they have moved', async () => {
    const id = await makeRole(world)
    const people = [await makeUser(world, { role: id }), await makeUser(world, { role: id })]
    const { name, users } = await findRole(id)
    expect(users).toBe(2)
    const refused = await world.call(deleteRole, { id }, { token: world.admin })
    expect(refused).toMatchObject({
      status: 400,
      code: 100019,
      msg: `不为空:角色「${name}」还有 2 个用户，请先更换他们的角色`,
    })
    for (const { userID } of people) await world.asAdmin(updateUser, { userID, role: 3 })
    await world.asAdmin(deleteRole, { id })
  })

  test.each([1, 2, 3])('the built-in role %i cannot be deleted', async (id) => {
    const refused = await world.call(deleteRole, { id }, { token: world.admin })
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.msg).toMatch(/内置角色「.+」不能删除/)
    expect((await findRole(id)).builtIn).toBe(true)
  })

  test('the id is accepted as digit text', async () => {
    const { id } = await world.asAdmin(createRole, { name: uniqueText('文本') })
    expect((await world.call(deleteRole, { id: String(id) }, { token: world.admin })).code).toBe(200)
  })
})

describe('list', () => {
  test('spec 3: roles 1 admin, 2 supplier and 3 user are seeded; the admin role holds every menu', async () => {
    const { list } = await world.asAdmin(listRoles, { page: { page: 1, size: 3 } })
    expect(list.map(({ id, name, builtIn }) => ({ id, name, builtIn }))).toEqual([
      { id: 1, name: 'admin', builtIn: true },
      { id: 2, name: '供应商', builtIn: true },
      { id: 3, name: 'user', builtIn: true },
    ])
    const menus = await world.db.selectFrom('menu').select('id').orderBy('id').execute()
    expect(list[0]?.roleMenuID).toEqual(menus.map((row) => row.id))
  })

  test('the name filters by containment without acting as a pattern, the status exactly', async () => {
    const start = uniqueText('筛%_选')
    await world.asAdmin(createRole, { name: `${start}甲` })
    await world.asAdmin(createRole, { name: `${start}乙`, status: 2 })
    const byName = await world.asAdmin(listRoles, { name: '筛%_选' })
    expect(byName).toMatchObject({ total: 2 })
    expect((await world.asAdmin(listRoles, { name: '筛%选' })).total).toBe(0)
    const disabled = await world.asAdmin(listRoles, { name: start, status: 2 })
    expect(disabled.list.map((row) => row.name)).toEqual([`${start}乙`])
    const any = await world.call(listRoles, { name: start, status: '0', page: null }, { token: world.admin })
    expect(any.data.total).toBe(2)
  })

  test('rows are sorted and paged on the server', async () => {
    const start = uniqueText('页')
    for (const end of ['b', 'c', 'a']) await world.asAdmin(createRole, { name: `${start}-${end}` })
    const sorted = await world.asAdmin(listRoles, {
      name: start,
      page: { page: 1, size: 2, orders: [{ field: 'name', sort: 2 }] },
    })
    expect(sorted.total).toBe(3)
    expect(sorted.list.map((row) => row.name)).toEqual([`${start}-c`, `${start}-b`])
    const last = await world.asAdmin(listRoles, {
      name: start,
      page: { page: 99, size: 2, orders: [{ field: 'name', sort: 2 }] },
    })
    expect(last.list.map((row) => row.name)).toEqual([`${start}-a`])
    const wrong = await world.call(listRoles, { page: { orders: [{ field: 'remark' }] } }, { token: world.admin })
    expect(wrong).toMatchObject({ status: 400, code: 100006 })
    expect(wrong.msg).toContain('不能按 remark 排序，可用：id、name、status、createdTime')
  })
})
