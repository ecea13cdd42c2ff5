import {
  createRole,
  deleteRole,
  updateRole,
  updateRoleApis,
  updateRoleMenus,
} from '@ithings/contract/features/roles.ts'
import {
  createUser,
  deleteUser,
  listUsers,
  resetPassword,
  updateUser,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiKeys, makeRole, makeSignedIn, makeUser, testPassword, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

const managingUsers = [createUser, updateUser, updateUserStatus, deleteUser, resetPassword]
const managing = [...managingUsers, createRole, updateRole, deleteRole, updateRoleApis, updateRoleMenus]

let world: World
let manager: { token: string; userID: number }
let managerRole: number
let weakRole: number
let strongRole: number

beforeAll(async () => {
  world = await openWorld()
  managerRole = await makeRole(world, managing)
  weakRole = await makeRole(world, [createRole])
  strongRole = await makeRole(world, [...managing, listUsers])
  manager = await makeSignedIn(world, { role: managerRole })
})
afterAll(() => world.close())

const asManager = (...[endpoint, body]: Parameters<World['call']>) =>
  world.call(endpoint, body, { token: manager.token })
const newUser = (role: number) => ({ userName: uniqueText('helper'), password: testPassword, role })

describe('a role that may manage users, but not everything', () => {
  test('makes and changes users that may do no more than itself', async () => {
    expect((await asManager(createUser, newUser(weakRole))).code).toBe(200)
    const { userID } = await makeUser(world, { role: weakRole })
    expect((await asManager(resetPassword, { userID, password: 'Fresh-2026' })).code).toBe(200)
  })

  test.each([
    ['the administrator role', () => 1],
    ['a stronger role', () => strongRole],
  ])('cannot hand out %s, by creation or by change', async (_name, role) => {
    const { userID } = await makeUser(world, { role: weakRole })
    for (const answer of [
      await asManager(createUser, newUser(role())),
      await asManager(updateUser, { userID, role: role() }),
    ]) {
      expect([answer.status, answer.code]).toEqual([403, 100012])
    }
  })

  test.each([
    ['an administrator', () => 1],
    ['a stronger user', () => strongRole],
  ])('cannot edit, disable, delete or take over %s', async (_name, role) => {
    const { userID } = await makeUser(world, { role: role() })
    const answers = [
      await asManager(updateUser, { userID, nickName: '改名' }),
      await asManager(updateUserStatus, { userID, status: 2 }),
      await asManager(deleteUser, { userID }),
      await asManager(resetPassword, { userID, password: 'Fresh-2026' }),
    ]
    expect(answers.map((answer) => answer.code)).toEqual([100012, 100012, 100012, 100012])
  })

  test('cannot give any role, its own included, an API that it does not hold', async () => {
    for (const roleID of [weakRole, managerRole]) {
      const answer = await asManager(updateRoleApis, { roleID, list: apiKeys([listUsers]) })
      expect([answer.code, answer.msg]).toEqual([100012, `权限不足:不能授予自己没有的接口 ${listUsers.path}`])
    }
  })

  test('cannot rename, disable, delete or give other menus to a stronger role', async () => {
    const answers = [
      await asManager(updateRole, { id: strongRole, name: uniqueText('别名') }),
      await asManager(updateRole, { id: strongRole, status: 2 }),
      await asManager(deleteRole, { id: strongRole }),
      await asManager(updateRoleMenus, { id: strongRole, menuID: [] }),
    ]
    expect(answers.map((answer) => answer.code)).toEqual([100012, 100012, 100012, 100012])
    const own = await makeRole(world, [createRole])
    expect((await asManager(updateRole, { id: own, name: uniqueText('新名') })).code).toBe(200)
    expect((await asManager(deleteRole, { id: own })).code).toBe(200)
  })

  test('cannot take APIs away from a stronger role', async () => {
    expect((await asManager(updateRoleApis, { roleID: strongRole, list: [] })).code).toBe(100012)
  })

  test('may pass on what it holds', async () => {
    expect((await asManager(updateRoleApis, { roleID: weakRole, list: apiKeys([createUser]) })).code).toBe(200)
  })
})
