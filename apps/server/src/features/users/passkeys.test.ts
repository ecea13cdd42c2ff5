import { listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import {
  addPasskey,
  listPasskeys,
  mostPasskeys,
  removePasskey,
  removeUserPasskeys,
  renamePasskey,
  signInByPasskey,
  startPasskey,
  startPasskeyCheck,
  startPasskeySignIn,
} from '@ithings/contract/features/passkeys.ts'
import { createRole, updateRole, updateRoleApis } from '@ithings/contract/features/roles.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor,
  verifySecondFactor,
} from '@ithings/contract/features/second-factor.ts'
import {
  listUsers,
  login,
  readResources,
  readUser,
  resetPassword,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBytes, places } from '#db/sealed.ts'
import { eventually } from '#testing/eventually.ts'
import { apiKeys, makeRole, makeSignedIn, testPassword, uniqueText } from '#testing/people.ts'
import { makeAuthenticator, type SoftAuthenticator, type Use } from '#testing/soft-authenticator.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, solveCaptcha, type World } from '#testing/world.ts'
import { stepAt, totpCode } from './totp.ts'

const minute = 60_000
const publicUrl = 'https://iot.example'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { publicUrl } })
})
// Tests move the clock, so that older tokens may be over.
beforeEach(async () => {
  world.admin = await world.signIn(adminName, adminPassword)
})
afterAll(() => world.close())

type SignedIn = Awaited<ReturnType<typeof makeSignedIn>>
type Key = SoftAuthenticator

const makeKey = (options: Partial<Parameters<typeof makeAuthenticator>[0]> = {}) =>
  makeAuthenticator({ origin: publicUrl, ...options })

const askNew = (person: { token: string }, password = testPassword) =>
  world.call(startPasskey, { password }, { token: person.token })

/** Adds it as the console does; the answer of the last step. */
async function register(person: { token: string }, key: Key, use: Use = {}, name = '笔记本') {
  const { data } = await askNew(person)
  return world.call(addPasskey, { name, passkey: key.create(data.question, use) }, { token: person.token })
}

async function makeHolder(fields: Parameters<typeof makeSignedIn>[1] = {}, key = makeKey()) {
  const person = await makeSignedIn(world, fields)
  const { code, data } = await register(person, key)
  expect(code).toBe(200)
  return { ...person, key, token: data.token.accessToken, recoveryCodes: data.recoveryCodes }
}

const askSignIn = async () => (await world.call(startPasskeySignIn)).data.question
const send = (passkey: unknown, ip = '203.0.113.7') => world.call(signInByPasskey, { passkey }, { ip })
const signIn = async (key: Key, use: Use = {}, ip?: string) => send(key.use(await askSignIn(), use), ip)

const byPassword = (person: { userName: string }, fields: object = {}) =>
  world.call(login, { account: person.userName, password: testPassword, pwdType: 1, ...fields }, { ip: '203.0.113.8' })

const refused = (words: string) => ({ status: 400, code: 900021, msg: expect.stringContaining(words) })

const listOf = async ({ token }: { token: string }) => (await world.call(listPasskeys, {}, { token })).data.list

describe('adding', () => {
  test('needs the password of who has no second factor, and asks for what can sign in alone', async () => {
    const person = await makeSignedIn(world)
    expect(await askNew(person, 'Wrong-1234')).toMatchObject({ code: 1000004, body: { field: 'password' } })
    expect((await askNew(person, '')).code).toBe(1000004)
    const { data } = await askNew(person)
    expect(data.question).toMatchObject({
      rp: { id: 'iot.example', name: 'iThings' },
      user: { name: person.userName },
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
    // Tells nothing about the person.
    expect(Buffer.from(data.question.user.id, 'base64url')).toHaveLength(16)
  })

  test('the first one brings recovery codes, ends the sessions of the password, and counts as second factor', async () => {
    const person = await makeSignedIn(world)
    const other = await world.signIn(person.userName, testPassword)
    const { data } = await register(person, makeKey(), {}, ' 我的手机 ')
    expect(new Set(data.recoveryCodes).size).toBe(10)
    expect((await world.call(readResources, {}, { token: other })).status).toBe(401)
    const token = data.token.accessToken
    expect(await listOf({ token })).toMatchObject([{ name: '我的手机', usedTime: '0', backedUp: false }])
    expect((await world.call(readSecondFactor, {}, { token })).data).toMatchObject({
      enabled: false,
      passkeys: 1,
      recoveryCodesLeft: 10,
    })
    expect(await world.asAdmin(readUser, { userID: person.userID })).toMatchObject({ secondFactor: true, passkeys: 1 })
  })

  test('the next one needs a fresh proof instead of the password, leaves codes and sessions, and not the same twice', async () => {
    const holder = await makeHolder()
    const elsewhere = (await signIn(holder.key)).data.token.accessToken
    const again = await askNew(holder, '')
    expect(again.data.question.excludeCredentials).toEqual([
      { id: holder.key.id, type: 'public-key', transports: ['internal'] },
    ])
    const same = holder.key.create(again.data.question)
    expect(await world.call(addPasskey, { name: '同一个', passkey: same }, holder)).toMatchObject({ code: 100010 })
    const second = await register(holder, makeKey({ counts: false, algorithm: 'EdDSA' }))
    expect(second.data.recoveryCodes).toEqual([])
    expect((await listOf(holder)).map(({ backedUp }) => backedUp)).toEqual([false, true])
    expect((await world.call(readResources, {}, { token: elsewhere })).code).toBe(200)
    world.clock.advance(16 * minute)
    expect((await askNew(holder)).code).toBe(900013)
  })

  test('is refused from a foreign origin, for another name, unverified, twice, late, by somebody else, and damaged', async () => {
    const person = await makeSignedIn(world)
    expect(await register(person, makeKey({ origin: 'https://evil.example' }))).toMatchObject(
      refused('来自 https://evil.example，只能在 https://iot.example 使用'),
    )
    expect(await register(person, makeKey(), { crossOrigin: true })).toMatchObject(refused('只能在'))
    expect(await register(person, makeKey(), { rpID: 'example' })).toMatchObject(refused('不是为 iot.example 创建的'))
    expect(await register(person, makeKey(), { verified: false })).toMatchObject(refused('没有验证使用者'))
    expect(await register(person, makeKey(), { type: 'webauthn.get' })).toMatchObject(refused('不完整'))
    const spent = refused('已使用过或已过期')
    expect(await register(person, makeKey(), { challenge: (await askSignIn()).challenge })).toMatchObject(spent)
    const late = (await askNew(person)).data.question
    world.clock.advance(6 * minute)
    const tell = (passkey: unknown, who: SignedIn = person) => world.call(addPasskey, { name: 'x', passkey }, who)
    expect(await tell(makeKey().create(late))).toMatchObject(spent)
    const { question } = (await askNew(person)).data
    expect(await tell(makeKey().create(question), await makeSignedIn(world))).toMatchObject(spent)
    const made = makeKey().create((await askNew(person)).data.question)
    const cut = { ...made.response, attestationObject: made.response.attestationObject.slice(0, 90) }
    const other = makeKey().create((await askNew(person)).data.question)
    expect(await tell({ ...other, response: { ...other.response, attestationObject: 'AAAA' } })).toMatchObject(
      refused('不完整'),
    )
    expect(await tell({ ...made, response: cut })).toMatchObject(refused('不完整'))
    expect(await tell({ ...made, response: { ...cut, attestationObject: '%%' } })).toMatchObject({ code: 100006 })
    expect(await listOf(person)).toEqual([])
  })

  test('there is a limit', async () => {
    const holder = await makeHolder()
    const row = await world.db
      .selectFrom('passkey')
      .selectAll()
      .where('user_id', '=', holder.userID)
      .executeTakeFirstOrThrow()
    const { id: _, ...rest } = row
    const others = Array.from({ length: mostPasskeys - 1 }, (_one, n) => ({ ...rest, credential_id: `copy${n}` }))
    const open = (await askNew(holder)).data.question
    await world.db.insertInto('passkey').values(others).execute()
    await world.db
      .updateTable('app_user')
      .set({ passkeys: mostPasskeys })
      .where('user_id', '=', holder.userID)
      .execute()
    expect(await askNew(holder)).toMatchObject({ code: 100006, msg: expect.stringContaining('最多 20 个') })
    const late = await world.call(addPasskey, { name: 'x', passkey: makeKey().create(open) }, holder)
    expect(late.code).toBe(100006)
  })

  test('has no place where the platform has no name or no HTTPS', async () => {
    for (const address of ['https://192.0.2.7', 'https://[2001:db8::7]', 'http://iot.example']) {
      const other = await openWorld({ databaseUrl: world.url, config: { publicUrl: address } })
      try {
        expect(await other.call(startPasskeySignIn)).toMatchObject(refused('请管理员设置 PUBLIC_URL'))
        expect(await other.call(startPasskey, { password: adminPassword }, { token: other.admin })).toMatchObject(
          refused('请管理员设置 PUBLIC_URL'),
        )
      } finally {
        await other.close()
      }
    }
  })
})

describe('sign-in with a passkey alone', () => {
  test('opens a session that has both factors, on whichever server, and the log tells how', async () => {
    const holder = await makeHolder({ role: await makeRole(world, [listUsers]) })
    const other = await openWorld({ databaseUrl: world.url, config: { publicUrl, captcha: true } })
    try {
      other.clock.advance(world.clock.now() - other.clock.now())
      const asked = await other.call(startPasskeySignIn)
      expect(asked.data.question).toMatchObject({
        rpId: 'iot.example',
        userVerification: 'required',
        allowCredentials: [],
      })
      const { code, data } = await send(holder.key.use(asked.data.question))
      expect(code).toBe(200)
      expect(data.info.userName).toBe(holder.userName)
      const token = data.token.accessToken
      expect((await other.call(listUsers, {}, { token })).code).toBe(200)
      // A dangerous act needs no more.
      expect((await other.call(startPasskey, {}, { token })).code).toBe(200)
      const { list } = await world.asAdmin(listLoginLogs, { userID: holder.userID })
      expect(list[0]).toMatchObject({ code: '200', msg: '登录成功（通行密钥）', userName: holder.userName })
      expect((await listOf(holder))[0]?.usedTime).not.toBe('0')
    } finally {
      await other.close()
    }
  })

  test('works without a counter too, and the copy of one that counts is found out', async () => {
    const synced = await makeHolder({}, makeKey({ counts: false }))
    for (let n = 0; n < 3; n++) expect((await signIn(synced.key)).code).toBe(200)
    const holder = await makeHolder()
    expect((await signIn(holder.key, { counter: 40 })).code).toBe(200)
    expect(await signIn(holder.key, { counter: 40 })).toMatchObject(refused('计数器没有增加'))
    expect(await signIn(holder.key, { counter: 0 })).toMatchObject(refused('计数器没有增加'))
    expect((await signIn(holder.key, { counter: 41 })).code).toBe(200)
  })

  test('is refused from a foreign origin, for another name, unverified and of another kind', async () => {
    const { key } = await makeHolder()
    expect(await signIn(key, { origin: 'https://iot.example.evil' })).toMatchObject(
      refused('来自 https://iot.example.evil，只能在 https://iot.example 使用'),
    )
    expect(await signIn(key, { origin: 'http://iot.example' })).toMatchObject(refused('只能在'))
    expect(await signIn(key, { rpID: 'evil.example' })).toMatchObject(refused('不是为 iot.example 创建的'))
    expect(await signIn(key, { verified: false })).toMatchObject(refused('没有验证使用者'))
    expect(await signIn(key, { type: 'webauthn.create' })).toMatchObject(refused('不完整'))
    expect((await signIn(key)).code).toBe(200)
  })

  test('a challenge counts once, however many come at once, for five minutes, and only one of ours', async () => {
    const { key } = await makeHolder({}, makeKey({ counts: false }))
    const proof = key.use(await askSignIn())
    const codes = (await Promise.all([1, 2, 3].map(() => send(proof)))).map(({ code }) => code)
    expect(codes.toSorted()).toEqual([200, 900021, 900021])
    const spent = refused('已使用过或已过期')
    expect(await send(proof)).toMatchObject(spent)
    const late = await askSignIn()
    world.clock.advance(6 * minute)
    expect(await send(key.use(late))).toMatchObject(spent)
    expect(await signIn(key, { challenge: 'bWFkZSB1cA' })).toMatchObject(spent)
  })

  test('an unknown one, another signature and another owner are refused', async () => {
    const holder = await makeHolder()
    expect(await signIn(makeKey())).toMatchObject(refused('平台没有这个通行密钥'))
    const proof = holder.key.use(await askSignIn())
    const signature = makeKey().use(await askSignIn()).response.signature
    expect(await send({ ...proof, response: { ...proof.response, signature } })).toMatchObject(refused('签名不正确'))
    const changed = holder.key.use(await askSignIn())
    const bytes = Buffer.from(changed.response.authenticatorData, 'base64url')
    bytes.writeUInt32BE(4_000_000_000, 33)
    const authenticatorData = bytes.toString('base64url')
    expect(await send({ ...changed, response: { ...changed.response, authenticatorData } })).toMatchObject(
      refused('签名不正确'),
    )
    const mine = holder.key.use(await askSignIn())
    expect(await send({ ...mine, response: { ...mine.response, userHandle: 'c29tZWJvZHk' } })).toMatchObject(
      refused('不完整'),
    )
    expect(await send({ id: 'x' })).toMatchObject({ code: 100006 })
    expect((await signIn(holder.key)).code).toBe(200)
  })

  test('who is disabled stays out, a disabled role may do nothing', async () => {
    const { id: role } = await world.asAdmin(createRole, { name: uniqueText('值班') })
    await world.asAdmin(updateRoleApis, { roleID: role, list: apiKeys([listUsers]) })
    const holder = await makeHolder({ role })
    await world.asAdmin(updateUserStatus, { userID: holder.userID, status: 2 })
    expect(await signIn(holder.key)).toMatchObject({ code: 100021, msg: expect.stringContaining('账号已被禁用') })
    const { list } = await world.asAdmin(listLoginLogs, { userID: holder.userID })
    expect(list[0]).toMatchObject({ code: '400', msg: expect.stringContaining('账号已被禁用') })
    await world.asAdmin(updateUserStatus, { userID: holder.userID, status: 1 })
    await world.asAdmin(updateRole, { id: role, status: 2 })
    const { data } = await signIn(holder.key)
    expect((await world.call(listUsers, {}, { token: data.token.accessToken })).status).toBe(403)
  })

  test('mistakes freeze account and address as wrong passwords do', async () => {
    const holder = await makeHolder()
    const ip = '198.51.100.90'
    for (let n = 0; n < 7; n++) {
      expect((await signIn(holder.key, { verified: false }, ip)).code).toBe(900021)
    }
    const frozen = { code: 100001, msg: expect.stringContaining('冻结') }
    expect(await signIn(holder.key, { verified: false }, ip)).toMatchObject(frozen)
    expect(await signIn(holder.key, {}, ip)).toMatchObject(frozen)
    expect(await byPassword(holder)).toMatchObject(frozen)
    const stranger = '198.51.100.91'
    for (let n = 0; n < 7; n++) expect((await signIn(makeKey(), {}, stranger)).code).toBe(900021)
    expect(await signIn(makeKey(), {}, stranger)).toMatchObject(frozen)
    world.clock.advance(3 * minute)
    expect((await signIn(holder.key, {}, ip)).code).toBe(200)
  })
})

describe('behind the password', () => {
  test('a passkey of the account takes the place of the code; the password alone is not enough any more', async () => {
    const holder = await makeHolder()
    expect(await byPassword(holder)).toMatchObject({ code: 900011 })
    const stranger = await makeHolder()
    expect(await byPassword(holder, { passkey: stranger.key.use(await askSignIn()) })).toMatchObject(
      refused('属于另一个账号'),
    )
    expect(await byPassword(holder, { passkey: holder.key.use(await askSignIn(), { verified: false }) })).toMatchObject(
      refused('没有验证使用者'),
    )
    const passkey = holder.key.use(await askSignIn())
    expect((await byPassword(holder, { passkey, password: 'Wrong-1234' })).code).toBe(1000004)
    expect((await byPassword(holder, { passkey })).code).toBe(200)
    const { list } = await world.asAdmin(listLoginLogs, { userID: holder.userID })
    expect(list[0]).toMatchObject({ code: '200', msg: '登录成功（密码和通行密钥）' })
    expect(await byPassword(holder, { passkey })).toMatchObject(refused('已使用过'))
  })

  test('the captcha stays good between password and passkey', async () => {
    const holder = await makeHolder()
    const guarded = await openWorld({ databaseUrl: world.url, config: { publicUrl, captcha: true } })
    try {
      const body = { account: holder.userName, password: testPassword, pwdType: 1, ...(await solveCaptcha(guarded)) }
      expect((await guarded.call(login, body)).code).toBe(900011)
      const wrong = holder.key.use(await askSignIn(), { verified: false })
      expect((await guarded.call(login, { ...body, passkey: wrong })).code).toBe(900021)
      expect((await guarded.call(login, { ...body, passkey: holder.key.use(await askSignIn()) })).code).toBe(200)
    } finally {
      await guarded.close()
    }
  })

  test('a recovery code opens once where the passkey is lost, and can be replaced by new ones', async () => {
    const holder = await makeHolder()
    const [secondCode = '', other = ''] = holder.recoveryCodes
    expect((await byPassword(holder, { secondCode })).code).toBe(200)
    expect((await byPassword(holder, { secondCode })).code).toBe(900012)
    const { data } = await world.call(renewRecoveryCodes, {}, holder)
    expect((await byPassword(holder, { secondCode: other })).code).toBe(900012)
    expect((await byPassword(holder, { secondCode: data.recoveryCodes[0] })).code).toBe(200)
  })

  test('a passkey is fresh proof for dangerous acts: one of one’s own, for a challenge of one’s own', async () => {
    const holder = await makeHolder()
    const stranger = await makeHolder()
    world.clock.advance(16 * minute)
    expect((await world.call(renewRecoveryCodes, {}, holder)).code).toBe(900013)
    const ask = async () => (await world.call(startPasskeyCheck, {}, holder)).data.question
    expect((await ask()).allowCredentials).toMatchObject([{ id: holder.key.id }])
    const verify = (passkey?: unknown) => world.call(verifySecondFactor, { passkey }, holder)
    expect(await verify(holder.key.use(await askSignIn()))).toMatchObject(refused('已使用过'))
    expect(await verify(stranger.key.use(await ask()))).toMatchObject(refused('属于另一个账号'))
    expect(await send(holder.key.use(await ask()))).toMatchObject(refused('已使用过'))
    expect(await verify()).toMatchObject({ code: 100006, body: { field: 'secondCode' } })
    const { data } = await verify(holder.key.use(await ask()))
    expect((await world.call(renewRecoveryCodes, {}, { token: data.token.accessToken })).code).toBe(200)
    expect(await world.call(startPasskeyCheck, {}, await makeSignedIn(world))).toMatchObject({ code: 100006 })
  })

  test('an app beside it: one that was not confirmed opens nothing, a recovery code confirms none, and codes stay', async () => {
    const holder = await makeHolder()
    await world.call(startSecondFactor, { password: testPassword }, holder)
    const { totp_secret } = await world.db
      .selectFrom('app_user')
      .select('totp_secret')
      .where('user_id', '=', holder.userID)
      .executeTakeFirstOrThrow()
    if (!totp_secret) throw new Error('no secret')
    const secret = openBytes(world.db, places.totp(holder.userID), totp_secret)
    const newCode = () => {
      world.clock.advance(30_000)
      return totpCode(secret, stepAt(world.clock.now()))
    }
    expect((await byPassword(holder, { secondCode: newCode() })).code).toBe(900012)
    const [recovery = ''] = holder.recoveryCodes
    expect((await world.call(confirmSecondFactor, { secondCode: recovery }, holder)).code).toBe(900012)
    const confirmed = await world.call(confirmSecondFactor, { secondCode: newCode() }, holder)
    const token = confirmed.data.token.accessToken
    expect((await byPassword(holder, { secondCode: newCode() })).code).toBe(200)
    expect((await byPassword(holder, { passkey: holder.key.use(await askSignIn()) })).code).toBe(200)
    const off = { password: testPassword, secondCode: newCode() }
    expect((await world.call(disableSecondFactor, off, { token })).code).toBe(200)
    expect((await world.call(readSecondFactor, {}, { token })).data).toMatchObject({
      enabled: false,
      passkeys: 1,
      recoveryCodesLeft: 10,
    })
    expect((await byPassword(holder)).code).toBe(900011)
  })

  test('a role that demands a second factor is content with a passkey', async () => {
    const { id: role } = await world.asAdmin(createRole, { name: uniqueText('值班'), secondFactor: true })
    await world.asAdmin(updateRoleApis, { roleID: role, list: apiKeys([listUsers]) })
    const person = await makeSignedIn(world, { role })
    expect((await world.call(listUsers, {}, person)).code).toBe(900014)
    expect((await world.call(readResources, {}, person)).data.mustEnrol).toBe(true)
    const key = makeKey()
    const { token } = (await register(person, key)).data
    expect((await world.call(listUsers, {}, { token: token.accessToken })).code).toBe(200)
    expect((await world.call(readResources, {}, { token: token.accessToken })).data.mustEnrol).toBe(false)
    const { data } = await signIn(key)
    expect((await world.call(listUsers, {}, { token: data.token.accessToken })).code).toBe(200)
  })
})

describe('naming and removing', () => {
  test('one’s own, the latter behind a fresh proof; the last one takes the recovery codes along', async () => {
    const holder = await makeHolder()
    const stranger = await makeSignedIn(world)
    const second = makeKey()
    await register(holder, second, {}, '安全钥匙')
    const [first, other] = await listOf(holder)
    const rename = (name: string, who: { token: string } = holder) =>
      world.call(renamePasskey, { id: first?.id, name }, { token: who.token })
    expect((await rename('  ')).code).toBe(100006)
    expect((await rename('x'.repeat(33))).code).toBe(100006)
    expect((await rename('偷', stranger)).code).toBe(100009)
    expect((await rename('办公电脑')).code).toBe(200)
    expect((await listOf(holder)).map(({ name }) => name)).toEqual(['办公电脑', '安全钥匙'])
    const remove = (id = '', who: { token: string } = holder) => world.call(removePasskey, { id }, { token: who.token })
    expect((await remove(first?.id, stranger)).code).toBe(100009)
    world.clock.advance(16 * minute)
    expect((await remove(first?.id)).code).toBe(900013)
    holder.token = (await signIn(second)).data.token.accessToken
    expect((await remove(first?.id)).code).toBe(200)
    expect((await remove(first?.id)).code).toBe(100009)
    expect(await signIn(holder.key)).toMatchObject(refused('平台没有这个通行密钥'))
    expect((await byPassword(holder)).code).toBe(900011)
    expect((await remove(other?.id)).code).toBe(200)
    expect((await world.call(readSecondFactor, {}, holder)).data).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 })
    expect((await byPassword(holder)).code).toBe(200)
  })

  test('an administrator removes those of a user, which is logged; who may do less than the user may not', async () => {
    const holder = await makeHolder({ role: 2 })
    const weak = await makeSignedIn(world, { role: await makeRole(world, [removeUserPasskeys]) })
    expect((await world.call(removeUserPasskeys, { userID: holder.userID }, weak)).status).toBe(403)
    await world.asAdmin(resetPassword, { userID: holder.userID, password: testPassword })
    expect((await byPassword(holder)).code).toBe(900011)
    await world.asAdmin(removeUserPasskeys, { userID: holder.userID })
    expect((await byPassword(holder)).code).toBe(200)
    expect(await signIn(holder.key)).toMatchObject(refused('平台没有这个通行密钥'))
    expect(await world.asAdmin(readUser, { userID: holder.userID })).toMatchObject({ secondFactor: false, passkeys: 0 })
    await eventually(async () => {
      const { list } = await world.asAdmin(listOperationLogs, { operName: '移除用户的通行密钥' })
      expect(list.some(({ req }) => req.includes(String(holder.userID)))).toBe(true)
    })
  })

  test('the reset of the second factor takes them away too', async () => {
    const holder = await makeHolder()
    await world.asAdmin(resetSecondFactor, { userID: holder.userID })
    expect((await byPassword(holder)).code).toBe(200)
    expect((await signIn(holder.key)).code).toBe(900021)
  })
})
