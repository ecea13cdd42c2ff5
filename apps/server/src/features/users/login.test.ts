import { createHash } from 'node:crypto'
import { login, readUser } from '@ithings/contract/features/users.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser, testPassword } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const attempt = (body: object, ip = '198.51.100.1') => world.call(login, { loginType: 'pwd', ...body }, { ip })

describe('a successful sign-in', () => {
  test('answers the user and a token of one hour whose claims are those of the public platform', async () => {
    const person = await makeUser(world, { role: 2 })
    const now = Math.floor(world.clock.now() / 1000)
    const { data, body } = await attempt({ account: person.userName, password: testPassword, pwdType: 1 })
    expect(data.info).toMatchObject({ userID: String(person.userID), userName: person.userName, role: 2 })
    const expire = Number(data.token.accessExpire)
    expect(expire - now).toBeGreaterThanOrEqual(3600)
    expect(expire - now).toBeLessThan(3660)
    expect(Number(data.token.refreshAfter)).toBe(expire - 1800)
    expect(decodeJwt(data.token.accessToken)).toMatchObject({
      UserID: String(person.userID),
      Role: 2,
      IsAllData: 1,
      exp: expire,
      iat: expire - 3600,
    })
    expect(JSON.stringify(body)).not.toMatch(/password|argon2/i)
  })

  test('pwdType 1 is the plain password, 2 its MD5 in either case of the letters', async () => {
    const { userName: account } = await makeUser(world)
    for (const [password, pwdType] of [
      [testPassword, 1],
      [md5(testPassword), 2],
      [md5(testPassword).toUpperCase(), '2'],
    ]) {
      expect((await attempt({ account, password, pwdType })).code).toBe(200)
    }
  })

  test('the MD5 is no plain password and the plain password no MD5', async () => {
    const { userName: account } = await makeUser(world)
    expect(await attempt({ account, password: md5(testPassword), pwdType: 1 })).toMatchObject({ code: 1000004 })
    expect(await attempt({ account, password: testPassword, pwdType: 2 })).toMatchObject({ code: 1000004 })
  })

  test('the account is the user name in any case, the phone or the e-mail address', async () => {
    const { userName, userID } = await makeUser(world, { phone: '13912345678', email: 'Someone@example.com' })
    for (const account of [userName, userName.toUpperCase(), '13912345678', 'someone@EXAMPLE.com', ` ${userName} `]) {
      const { data } = await attempt({ account, password: testPassword, pwdType: 1 }, '198.51.100.2')
      expect(data.info.userID).toBe(String(userID))
    }
  })

  test('address and time of the last sign-in are remembered', async () => {
    const { userName: account, userID } = await makeUser(world)
    const { data } = await attempt({ account, password: testPassword, pwdType: 1 }, '198.51.100.77')
    const user = await world.asAdmin(readUser, { userID })
    expect(user.lastIP).toBe('198.51.100.77')
    expect(Number(user.lastLoginTime)).toBeGreaterThan(Date.now() / 1000 - 60)
    expect(data.info).toEqual(user)
  })

  test('a password is good for as long as nobody changes it', async () => {
    const { userName: account } = await makeUser(world)
    world.clock.advance(3 * 365 * 86_400_000)
    // The token of the tests that follow.
    world.admin = await world.signIn(adminName, adminPassword)
    expect((await attempt({ account, password: testPassword, pwdType: 1 })).code).toBe(200)
  })

  test('a role in the body counts for nothing, a null captcha is no captcha', async () => {
    const { userName: account } = await makeUser(world)
    const body = { account, password: testPassword, pwdType: 1, role: 1, Role: 1, code: null, codeID: null }
    expect((await attempt(body)).data.info.role).toBe(3)
  })
})

describe('a refused sign-in', () => {
  test('a wrong password is 1000004, and an unknown account hears the same, however often', async () => {
    const answersTo = async (account: string, ip: string) => {
      const answers = []
      for (let turn = 0; turn < 9; turn += 1) {
        const { status, body } = await attempt({ account, password: 'Wrong-1234', pwdType: 1 }, ip)
        answers.push([status, body.code, body.msg, body.data])
      }
      return answers
    }
    const { userName } = await makeUser(world)
    const known = await answersTo(userName, '198.51.100.78')
    expect(known[0]).toEqual([400, 1000004, '账号或密码错误', undefined])
    expect(await answersTo('nobody_here', '198.51.100.79')).toEqual(known)
  })

  test('a disabled account is 100021, but only for who knows the password', async () => {
    const { userName: account } = await makeUser(world, { status: 2 })
    expect(await attempt({ account, password: testPassword, pwdType: 1 })).toMatchObject({ status: 400, code: 100021 })
    expect(await attempt({ account, password: 'Wrong-1234', pwdType: 1 }, '198.51.100.2')).toMatchObject({
      code: 1000004,
    })
  })

  test('the sign-in kinds of the enterprise version are 100022', async () => {
    for (const loginType of ['phone', 'wxOpen', 'wxIn', 'wxMiniP']) {
      const refused = await attempt({ account: 'x', password: 'x', pwdType: 1, loginType })
      expect(refused).toMatchObject({ status: 400, code: 100022, msg: '该功能是企业版功能' })
    }
  })

  test.each([
    ['account', undefined],
    ['account', ''],
    ['password', ''],
    ['password', 'x'.repeat(129)],
    ['pwdType', 0],
    ['pwdType', 3],
    ['pwdType', undefined],
    ['loginType', 'magic'],
  ])('%s %j is 100006', async (field, value) => {
    const refused = await attempt({ account: 'someone', password: 'x', pwdType: 1, [field]: value })
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.body.field).toBe(field)
  })
})
