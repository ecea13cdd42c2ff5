import {
  createUser,
  deleteUser,
  listUsers,
  readUser,
  resetPassword,
  type UserInfo,
  updateUser,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRole, makeSignedIn, makeUser, testPassword, uniqueText } from '#testing/people.ts'
import { adminName } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const read = (userID: number): Promise<UserInfo> => world.asAdmin(readUser, { userID })
const adminID = async () => Number((await world.asAdmin(readUser)).userID)

const profile = () => {
  const number = uniqueText('')
  return {
    nickName: '小王',
    phone: `1380000${number.padStart(4, '0')}`,
    email: `wang${number}@example.com`,
    sex: 1,
    city: '杭州',
    province: '浙江',
    country: '中国',
    language: 'en_US',
    wechat: `wx${number}`,
    headImgUrl: '/head.png',
  }
}

describe('create', () => {
  test('all fields are stored and read back, the password never', async () => {
    const fields = profile()
    const userName = uniqueText('Newcomer-')
    const sent = await world.call(
      createUser,
      { userName, password: testPassword, role: '2', status: '1', reqType: 'pwd', ...fields },
      { ...asAdmin(), ip: '203.0.113.9' },
    )
    expect(sent.code).toBe(200)
    expect(Object.keys(sent.data)).toEqual(['userID'])
    expect(await read(Number(sent.data.userID))).toEqual({
      userID: sent.data.userID,
      userName,
      role: 2,
      status: 1,
      ...fields,
      isAllData: 1,
      regIP: '203.0.113.9',
      lastIP: '',
      lastLoginTime: '0',
      createdTime: expect.stringMatching(/^\d{10}$/),
      secondFactor: false,
      passkeys: 0,
      rev: 1,
    })
  })

  test('no answer about users carries a password or its hash', async () => {
    const { userID } = await makeUser(world)
    for (const { body } of [
      await world.call(readUser, { userID }, asAdmin()),
      await world.call(listUsers, {}, asAdmin()),
    ]) {
      expect(JSON.stringify(body)).not.toMatch(/password|argon2|token_version/i)
    }
    const { password_hash } = await world.db
      .selectFrom('app_user')
      .select('password_hash')
      .where('user_id', '=', userID)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$/)
  })

  test('a user can be created disabled and cannot sign in then', async () => {
    const { userName } = await makeUser(world, { status: 2 })
    await expect(world.signIn(userName, testPassword)).rejects.toThrow('100021')
  })

  test('a taken name is refused with 1000023 in any case of its letters', async () => {
    const { userName } = await makeUser(world)
    const body = { userName: userName.toUpperCase(), password: testPassword, role: 3 }
    const refused = await world.call(createUser, body, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 1000023, msg: '用户名已存在' })
    expect(refused.body.field).toBe('userName')
  })

  test('a taken phone is refused with 1000002, a taken e-mail with 100010', async () => {
    const { phone, email } = profile()
    await makeUser(world, { phone, email })
    const body = () => ({ userName: uniqueText('second'), password: testPassword, role: 3 })
    expect(await world.call(createUser, { ...body(), phone }, asAdmin())).toMatchObject({ status: 400, code: 1000002 })
    const mail = await world.call(createUser, { ...body(), email: email.toUpperCase() }, asAdmin())
    expect(mail).toMatchObject({ status: 400, code: 100010, msg: '邮箱已经被占用' })
    expect(mail.body.field).toBe('email')
  })

  test('any number of users may have neither phone nor e-mail', async () => {
    await makeUser(world, { phone: '', email: '' })
    await makeUser(world, { phone: '', email: '' })
  })

  test.each([
    ['userName', 'short'],
    ['userName', '1startsWithDigit'],
    ['userName', 'a'.repeat(21)],
    ['userName', 'has space'],
    ['userName', undefined],
    ['password', 'Ab1-567'],
    ['password', '12345678'],
    ['password', undefined],
    ['role', undefined],
    ['role', 987_654],
    ['status', 3],
    ['sex', 9],
    ['phone', 'abc'],
    ['email', 'nobody'],
    ['nickName', '名'.repeat(33)],
  ])('%s %j is refused with 100006 that names the field', async (field, value) => {
    const body = { userName: uniqueText('wrong'), password: testPassword, role: 3, [field]: value }
    const refused = await world.call(createUser, body, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.body.field).toBe(field)
    expect(refused.msg).toMatch(/^参数错误:\S+/)
  })

  test('the shortest and the longest name of 6 and 20 characters are accepted', async () => {
    for (const userName of ['sixsix', 'a-b_c1'.padEnd(20, 'x')]) await makeUser(world, { userName })
  })

  test('text that the database cannot hold is the caller’s mistake, not a fault', async () => {
    const body = { userName: uniqueText('nulls'), password: testPassword, role: 3, nickName: 'a\u0000b' }
    expect(await world.call(createUser, body, asAdmin())).toMatchObject({ status: 400, code: 100006 })
  })
})

describe('update', () => {
  test('fields that are not sent keep their value; role 0 and null count as not sent', async () => {
    const person = await makeUser(world, profile())
    const before = await read(person.userID)
    const sent = await world.call(
      updateUser,
      { userID: String(person.userID), nickName: '老王', role: 0, city: null, reqType: 'pwd' },
      asAdmin(),
    )
    expect(sent.code).toBe(200)
    expect(await read(person.userID)).toEqual({ ...before, nickName: '老王', rev: 2 })
  })

  test('every field can be changed, a renamed user signs in under the new name only', async () => {
    const person = await makeUser(world)
    const userName = uniqueText('renamed')
    const fields = profile()
    await world.asAdmin(updateUser, { userID: person.userID, userName, role: 2, ...fields })
    expect(await read(person.userID)).toMatchObject({ userName, role: 2, ...fields })
    await world.signIn(userName, person.password)
    await expect(world.signIn(person.userName, person.password)).rejects.toThrow('1000004')
  })

  test('an edit that names an old rev is refused with 900001', async () => {
    const { userID } = await makeUser(world)
    await world.asAdmin(updateUser, { userID, nickName: '先', rev: 1 })
    const late = await world.call(updateUser, { userID, nickName: '后', rev: 1 }, asAdmin())
    expect(late).toMatchObject({ status: 400, code: 900001 })
    expect(await read(userID)).toMatchObject({ nickName: '先', rev: 2 })
  })

  test('a taken name or phone, an unknown role and an unknown user are refused', async () => {
    const { phone } = profile()
    const other = await makeUser(world, { phone })
    const { userID } = await makeUser(world)
    const attempt = (body: object) => world.call(updateUser, { userID, ...body }, asAdmin())
    expect(await attempt({ userName: other.userName })).toMatchObject({ status: 400, code: 1000023 })
    expect(await attempt({ phone })).toMatchObject({ status: 400, code: 1000002 })
    expect(await attempt({ role: 987_654 })).toMatchObject({ code: 100006, msg: '参数错误:角色 987654 不存在' })
    expect(await attempt({ userID: 987_654 })).toMatchObject({ code: 100009, msg: '未查询到:用户 987654 不存在' })
    expect(await read(userID)).toMatchObject({ rev: 1 })
  })

  test('nobody changes his own role', async () => {
    const refused = await world.call(updateUser, { userID: await adminID(), role: 3 }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006, msg: '参数错误:不能更换自己的角色' })
    await world.asAdmin(updateUser, { userID: await adminID(), role: 1, nickName: '管理员' })
  })
})

describe('read', () => {
  test('without an id the caller reads himself, with one anybody', async () => {
    expect((await world.asAdmin(readUser)).userName).toBe(adminName)
    const person = await makeUser(world)
    const sent = await world.call(readUser, { userID: String(person.userID) }, asAdmin())
    expect(sent.data.userName).toBe(person.userName)
  })

  test('an unknown user is refused with 100009, a wrong id with 100006', async () => {
    expect(await world.call(readUser, { userID: 987_654 }, asAdmin())).toMatchObject({ status: 400, code: 100009 })
    for (const userID of ['abc', -1, 0, 1.5]) {
      expect(await world.call(readUser, { userID }, asAdmin())).toMatchObject({ status: 400, code: 100006 })
    }
  })
})

describe('delete', () => {
  test('a deleted user is gone and his name is free again', async () => {
    const { userID, userName } = await makeUser(world)
    expect((await world.call(deleteUser, { userID: String(userID) }, asAdmin())).code).toBe(200)
    expect(await world.call(readUser, { userID }, asAdmin())).toMatchObject({ code: 100009 })
    expect(await world.call(deleteUser, { userID }, asAdmin())).toMatchObject({ status: 400, code: 100009 })
    await makeUser(world, { userName })
  })

  test('nobody deletes himself', async () => {
    const refused = await world.call(deleteUser, { userID: await adminID() }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006, msg: '参数错误:不能删除自己' })
  })
})

describe('status', () => {
  test('a disabled user cannot sign in until he is enabled again', async () => {
    const { userID, userName } = await makeUser(world)
    await world.asAdmin(updateUserStatus, { userID, status: 2 })
    expect(await read(userID)).toMatchObject({ status: 2, rev: 2 })
    await expect(world.signIn(userName, testPassword)).rejects.toThrow('100021 未启用:账号已被禁用，请联系管理员')
    await world.asAdmin(updateUserStatus, { userID, status: 1 })
    await world.signIn(userName, testPassword)
  })

  test('nobody disables himself; a status other than 1 and 2 and an unknown user are refused', async () => {
    const userID = await adminID()
    const self = await world.call(updateUserStatus, { userID, status: 2 }, asAdmin())
    expect(self).toMatchObject({ status: 400, code: 100006, msg: '参数错误:不能禁用自己' })
    expect(await world.call(updateUserStatus, { userID, status: 0 }, asAdmin())).toMatchObject({ code: 100006 })
    const unknown = await world.call(updateUserStatus, { userID: 987_654, status: 2 }, asAdmin())
    expect(unknown).toMatchObject({ status: 400, code: 100009 })
  })
})

describe('reset password', () => {
  test('the new password counts and the old one no longer does', async () => {
    const { userID, userName } = await makeUser(world)
    await world.asAdmin(resetPassword, { userID, password: 'Brand-new-1' })
    await world.signIn(userName, 'Brand-new-1')
    await expect(world.signIn(userName, testPassword)).rejects.toThrow('1000004')
  })

  test('a weak password and an unknown user are refused', async () => {
    const { userID, userName } = await makeUser(world)
    const weak = await world.call(resetPassword, { userID, password: 'abcdefgh' }, asAdmin())
    expect(weak).toMatchObject({ status: 400, code: 100006 })
    expect(weak.msg).toContain('至少 8 位，且包含数字、小写字母、大写字母、符号中的两种')
    const unknown = await world.call(resetPassword, { userID: 987_654, password: testPassword }, asAdmin())
    expect(unknown).toMatchObject({ status: 400, code: 100009 })
    await world.signIn(userName, testPassword)
  })
})

describe('the last administrator', () => {
  test('is out of reach for people of other roles who may manage users', async () => {
    const role = await makeRole(world, [deleteUser, updateUser, updateUserStatus])
    const keeper = await makeSignedIn(world, { role })
    const userID = await adminID()
    expect(await world.call(deleteUser, { userID }, keeper)).toMatchObject({ status: 403, code: 100012 })
    expect(await world.call(updateUserStatus, { userID, status: 2 }, keeper)).toMatchObject({ code: 100012 })
    expect(await world.call(updateUser, { userID, role: 3 }, keeper)).toMatchObject({ code: 100012 })
  })

  test('of the last two, who delete or disable each other at the same moment, one stays', async () => {
    const ways = [
      (userID: number, by: { token: string }) => world.call(deleteUser, { userID }, by),
      (userID: number, by: { token: string }) => world.call(updateUserStatus, { userID, status: 2 }, by),
    ]
    for (const lose of [...ways, ...ways]) {
      const one = await makeSignedIn(world, { role: 1 })
      const other = await makeSignedIn(world, { role: 1 })
      const ids = [one.userID, other.userID]
      const rest = world.db.updateTable('app_user').where('role_id', '=', 1).where('user_id', 'not in', ids)
      await rest.set({ status: 2 }).execute()
      const answers = await Promise.all([lose(one.userID, other), lose(other.userID, one)])
      await world.db.updateTable('app_user').set({ status: 1 }).where('user_name', '=', adminName).execute()
      expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
      // The slower one is refused: by the guard, or because he is no administrator any more.
      const refused = answers.filter((answer) => answer.code !== 200).map((answer) => answer.msg)
      expect(refused).toEqual([expect.stringMatching(/最后一个可用的管理员|登录状态已失效|账号已被禁用/)])
    }
  })
})
