import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { rootMenuID } from '@ithings/contract/features/menus.ts'
import { updateRoleApis } from '@ithings/contract/features/roles.ts'
import {
  changeOwnPassword,
  listUsers,
  readResources,
  type UserInfo,
  updateSelf,
  userInfo,
} from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRole, makeSignedIn, makeUser, testPassword } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const me = async (token: string): Promise<UserInfo> => (await world.call(readResources, {}, { token })).data.info

describe('resource-read', () => {
  test('tells who I am without any secret, and which entries my role has', async () => {
    const role = await makeRole(world)
    const person = await makeSignedIn(world, { role, nickName: '自己' })
    const { data } = await world.call(readResources, {}, person)
    expect(userInfo.strict().parse(data.info)).toMatchObject({
      userID: String(person.userID),
      userName: person.userName,
      nickName: '自己',
      role,
    })
    expect(data.menu).toEqual([])
    expect(data.projects).toEqual([])
    expect(JSON.stringify({ ...data, withheld: [] })).not.toMatch(/password|argon2/i)
  })

  test('an administrator gets every entry, sorted by order', async () => {
    const { menu, info } = await world.asAdmin(readResources)
    expect(info.role).toBe(1)
    const { total } = await world.db
      .selectFrom('menu')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    expect(menu).toHaveLength(total)
    expect(menu.map((entry) => entry.order)).toEqual(menu.map((entry) => entry.order).toSorted((a, b) => a - b))
  })

  test('missing parents of granted entries are added, so that a tree can be built', async () => {
    const role = await makeRole(world)
    // Written past the API, which stores parents itself: rows like this come from older databases.
    await world.db.insertInto('role_menu').values({ role_id: role, menu_id: 9 }).execute()
    const person = await makeSignedIn(world, { role })
    const { data } = await world.call(readResources, {}, person)
    const ids = data.menu.map((entry) => entry.id)
    expect(ids.toSorted((a, b) => a - b)).toEqual([2, 7, 9])
    for (const { parentID } of data.menu) expect([rootMenuID, ...ids]).toContain(parentID)
  })

  test('names what the role may not call, also after it changed, and nothing for an administrator', async () => {
    const role = await makeRole(world, [listUsers])
    const person = await makeSignedIn(world, { role })
    const withheld = async () => (await world.call(readResources, {}, person)).data.withheld
    const asked = allEndpoints.filter(({ access }) => access === 'role').map(({ path }) => path)
    expect(await withheld()).toEqual(asked.filter((path) => path !== listUsers.path))
    await world.asAdmin(updateRoleApis, { roleID: role, list: [] })
    await expect.poll(withheld).toEqual(asked)
    expect((await world.asAdmin(readResources)).withheld).toEqual([])
  })

  test('needs no right of the role, only a token', async () => {
    const person = await makeSignedIn(world, { role: await makeRole(world) })
    expect((await world.call(readResources, {}, person)).code).toBe(200)
    expect(await world.call(readResources)).toMatchObject({ status: 401, code: 1000007 })
  })
})

describe('self-update', () => {
  test('changes my profile and nothing else, whatever I send', async () => {
    const person = await makeSignedIn(world, { role: 3, city: '杭州' })
    const other = await makeUser(world)
    const before = await me(person.token)
    const sent = await world.call(
      updateSelf,
      { nickName: '新', sex: '2', city: null, role: 1, userName: 'stolen', userID: other.userID, status: 2 },
      person,
    )
    expect(sent.code).toBe(200)
    expect(await me(person.token)).toEqual({ ...before, nickName: '新', sex: 2, rev: 2 })
  })

  test('an old rev, a taken phone and a wrong e-mail are refused', async () => {
    await makeUser(world, { phone: '13711112222' })
    const person = await makeSignedIn(world)
    await world.call(updateSelf, { nickName: '一', rev: 1 }, person)
    expect(await world.call(updateSelf, { nickName: '二', rev: 1 }, person)).toMatchObject({ code: 900001 })
    expect(await world.call(updateSelf, { phone: '13711112222' }, person)).toMatchObject({ code: 1000002 })
    const mail = await world.call(updateSelf, { email: 'nobody' }, person)
    expect(mail).toMatchObject({ status: 400, code: 100006, msg: '参数错误:email 不是有效的邮箱地址' })
    expect(await me(person.token)).toMatchObject({ nickName: '一', phone: '', email: '' })
  })
})

describe('self-password', () => {
  test('with the old password the new one counts from now on', async () => {
    const person = await makeSignedIn(world)
    const change = { oldPassword: testPassword, newPassword: 'Changed-42' }
    expect((await world.call(changeOwnPassword, change, person)).code).toBe(200)
    await world.signIn(person.userName, 'Changed-42')
    await expect(world.signIn(person.userName, testPassword)).rejects.toThrow('1000004')
  })

  test('the old password may travel as MD5', async () => {
    const person = await makeSignedIn(world, { password: 'Md5-pass-1' })
    const change = { oldPassword: '1a8b1a9a8d2a788dd5ffeb3131f892dd', pwdType: 2, newPassword: 'Changed-42' }
    expect((await world.call(changeOwnPassword, change, person)).code).toBe(200)
    await world.signIn(person.userName, 'Changed-42')
  })

  test('a wrong old password and a weak new one are refused and name the field', async () => {
    const person = await makeSignedIn(world)
    const wrong = await world.call(changeOwnPassword, { oldPassword: 'no', newPassword: 'Changed-42' }, person)
    expect(wrong).toMatchObject({ status: 400, code: 1000004, msg: '原密码不正确' })
    expect(wrong.body.field).toBe('oldPassword')
    const weak = await world.call(changeOwnPassword, { oldPassword: testPassword, newPassword: 'weak' }, person)
    expect(weak).toMatchObject({ status: 400, code: 100006 })
    expect(weak.body.field).toBe('newPassword')
    await world.signIn(person.userName, testPassword)
  })
})
