import { updateRoleApis } from '@ithings/contract/features/roles.ts'
import {
  changeOwnPassword,
  deleteUser,
  listUsers,
  login,
  logout,
  readResources,
  resetPassword,
  updateUser,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeys, makeRole, makeSignedIn, testPassword } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'
import { loadKey } from './platform-key.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
// Tests move the clock, so that older tokens may be over.
beforeEach(async () => {
  world.admin = await world.signIn(adminName, adminPassword)
})
afterAll(() => world.close())

const minute = 60_000
const whoAmI = (token?: string) => world.call(readResources, {}, { token })
const revoked = { status: 401, code: 100005, msg: '登录状态已失效，请重新登录' }

const signingKey = () => loadKey(world.db, 'token')

describe('refused tokens are 401', () => {
  test('none is 1000007', async () => {
    expect(await whoAmI()).toMatchObject({ status: 401, code: 1000007, msg: '尚未登录' })
  })

  test.each(['abc', 'a.b.c', 'null', 'undefined', 'x'.repeat(3000)])('%.20s is malformed: 100004', async (token) => {
    expect(await whoAmI(token)).toMatchObject({ status: 401, code: 100004 })
  })

  test('a token without signature or of another algorithm is 100004', async () => {
    const { token } = await makeSignedIn(world)
    const [, payload] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    expect(await whoAmI(`${none}.${payload}.`)).toMatchObject({ status: 401, code: 100004 })
    const other = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS512' }).sign(new Uint8Array(64))
    expect(await whoAmI(other)).toMatchObject({ status: 401, code: 100004 })
  })

  test('a foreign key and a changed claim are 100005', async () => {
    const { token } = await makeSignedIn(world)
    const foreign = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    expect(await whoAmI(foreign)).toMatchObject({ status: 401, code: 100005 })
    const [head, , signature] = token.split('.')
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), UserID: '1', Role: 1 })).toString('base64url')
    expect(await whoAmI(`${head}.${claims}.${signature}`)).toMatchObject({ status: 401, code: 100005 })
  })

  test('one that is not valid yet is 100003', async () => {
    const { token } = await makeSignedIn(world)
    const early = await new SignJWT({ ...decodeJwt(token), nbf: Math.floor(world.clock.now() / 1000) + 600 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(await signingKey())
    expect(await whoAmI(early)).toMatchObject({ status: 401, code: 100003 })
  })

  test('an expired one is 100002, also when it was just used', async () => {
    const { token } = await makeSignedIn(world)
    world.clock.advance(59 * minute)
    expect((await whoAmI(token)).code).toBe(200)
    world.clock.advance(minute)
    expect(await whoAmI(token)).toMatchObject({ status: 401, code: 100002, msg: 'token已经过期' })
  })
})

describe('renewal', () => {
  test('keeps the language of the sign-in; a token of anybody else does not name one', async () => {
    const { userName, password, token } = await makeSignedIn(world)
    expect(decodeJwt(token)).not.toHaveProperty('lang')
    const body = { account: userName, password, pwdType: 1, loginType: 'pwd' }
    const { data } = await world.call(login, body, { headers: { 'accept-language': 'en' } })
    world.clock.advance(31 * minute)
    const renewed = String((await whoAmI(data.token.accessToken)).headers['ithings-set-token'])
    expect(decodeJwt(renewed)).toMatchObject({ lang: 'en' })
    const refused = await world.call(deleteUser, { userID: 1 }, { token: renewed })
    expect(refused.msg).toMatch(/^Permission denied/)
  })

  test('nothing is sent in the first half of the life', async () => {
    const { token } = await makeSignedIn(world)
    world.clock.advance(29 * minute)
    const answer = await whoAmI(token)
    expect(answer.code).toBe(200)
    expect(answer.headers).not.toHaveProperty('ithings-set-token')
  })

  test('in the second half the answer carries a token of the same session with a new hour', async () => {
    const { token } = await makeSignedIn(world)
    world.clock.advance(31 * minute)
    const { headers } = await whoAmI(token)
    const renewed = String(headers['ithings-set-token'])
    expect(headers['access-control-expose-headers']).toContain('iThings-set-token')
    const [before, after] = [decodeJwt(token), decodeJwt(renewed)]
    expect(after.sid).toBe(before.sid)
    expect(after.UserID).toBe(before.UserID)
    expect((after.exp ?? 0) - (before.exp ?? 0)).toBeGreaterThanOrEqual(31 * 60 - 1)
    world.clock.advance(35 * minute)
    expect(await whoAmI(token)).toMatchObject({ status: 401, code: 100002 })
    expect((await whoAmI(renewed)).code).toBe(200)
  })

  test('a refused permission renews as well', async () => {
    const person = await makeSignedIn(world, { role: await makeRole(world) })
    world.clock.advance(31 * minute)
    const answer = await world.call(listUsers, {}, person)
    expect(answer.status).toBe(403)
    expect(answer.headers['ithings-set-token']).toEqual(expect.any(String))
  })

  test('signing out with the renewed token ends the old one too', async () => {
    const { token } = await makeSignedIn(world)
    world.clock.advance(31 * minute)
    const renewed = String((await whoAmI(token)).headers['ithings-set-token'])
    expect((await world.call(logout, {}, { token: renewed })).code).toBe(200)
    for (const dead of [token, renewed]) expect(await whoAmI(dead)).toMatchObject(revoked)
  })
})

describe('the end of a session', () => {
  test('signing out ends this session and no other of the same person', async () => {
    const person = await makeSignedIn(world)
    const second = await world.signIn(person.userName, testPassword)
    await world.call(logout, {}, person)
    expect(await whoAmI(person.token)).toMatchObject(revoked)
    expect((await whoAmI(second)).code).toBe(200)
  })

  test('a new password of one’s own ends all sessions', async () => {
    const person = await makeSignedIn(world)
    const second = await world.signIn(person.userName, testPassword)
    const change = { oldPassword: testPassword, newPassword: 'Changed-42' }
    expect((await world.call(changeOwnPassword, change, person)).code).toBe(200)
    for (const token of [person.token, second]) expect(await whoAmI(token)).toMatchObject(revoked)
    expect((await whoAmI(await world.signIn(person.userName, 'Changed-42'))).code).toBe(200)
  })

  test('a reset password ends all sessions', async () => {
    const { token, userID } = await makeSignedIn(world)
    await world.asAdmin(resetPassword, { userID, password: 'Changed-42' })
    expect(await whoAmI(token)).toMatchObject(revoked)
  })

  test('disabling ends all sessions, and enabling does not bring them back', async () => {
    const { token, userID } = await makeSignedIn(world)
    await world.asAdmin(updateUserStatus, { userID, status: 2 })
    expect(await whoAmI(token)).toMatchObject({ status: 401, code: 100005 })
    await world.asAdmin(updateUserStatus, { userID, status: 1 })
    expect(await whoAmI(token)).toMatchObject(revoked)
  })

  test('deletion ends all sessions', async () => {
    const { token, userID } = await makeSignedIn(world)
    await world.asAdmin(deleteUser, { userID })
    expect(await whoAmI(token)).toMatchObject(revoked)
  })

  test('a revoked session stays revoked after a restart', async () => {
    const { token } = await makeSignedIn(world)
    await world.call(logout, {}, { token })
    const restarted = await openWorld({ databaseUrl: world.url })
    try {
      expect(await restarted.call(readResources, {}, { token })).toMatchObject(revoked)
    } finally {
      await restarted.close()
    }
  })

  test('sessions live through a restart: the key is kept in the database', async () => {
    const fresh = await openWorld()
    const restarted = await openWorld({ databaseUrl: fresh.url })
    try {
      expect((await restarted.call(readResources, {}, { token: fresh.admin })).code).toBe(200)
    } finally {
      await restarted.close()
      await fresh.close()
    }
  })
})

describe('rights of a running session', () => {
  test('a new role counts from the next call on without a new sign-in', async () => {
    const { token, userID } = await makeSignedIn(world, { role: 2 })
    expect(await world.call(listUsers, {}, { token })).toMatchObject({ status: 403, code: 100012 })
    await world.asAdmin(updateUser, { userID, role: await makeRole(world, [listUsers]) })
    expect((await world.call(listUsers, {}, { token })).code).toBe(200)
    await world.asAdmin(updateUser, { userID, role: 1 })
    expect((await whoAmI(token)).data.info.role).toBe(1)
    expect((await world.call(updateUserStatus, { userID: 987_654, status: 2 }, { token })).code).toBe(100009)
    await world.asAdmin(updateUser, { userID, role: 2 })
    expect((await world.call(listUsers, {}, { token })).status).toBe(403)
  })

  test('an API taken from the role is refused in place with 403 and its name, the session goes on', async () => {
    const role = await makeRole(world, [listUsers])
    const { token } = await makeSignedIn(world, { role })
    await world.asAdmin(updateRoleApis, { roleID: role, list: apiKeys([]) })
    expect(await world.call(listUsers, {}, { token })).toMatchObject({
      status: 403,
      code: 100012,
      msg: '权限不足:你的角色没有「用户列表」的权限',
    })
    expect((await whoAmI(token)).code).toBe(200)
  })
})
