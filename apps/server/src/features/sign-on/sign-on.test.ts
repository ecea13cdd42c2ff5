/** Single sign-on against a real provider: who gets in as whom, and what is refused. */
import { listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createRole, updateRole } from '@ithings/contract/features/roles.ts'
import {
  createProvider,
  deleteProvider,
  linkIdentity,
  listIdentities,
  listProviders,
  readProvider,
  testProvider,
  unlinkIdentity,
  updateProvider,
} from '@ithings/contract/features/sign-on.ts'
import { beginSignOn, listSignOnChoices } from '@ithings/contract/features/sign-on-flow.ts'
import {
  changeOwnPassword,
  deleteUser,
  login,
  logout,
  readResources,
  readUser,
  resetPassword,
  updateUserStatus,
} from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeRole, makeSignedIn, makeUser, testPassword, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { startRealProvider } from './testing/real-provider.ts'
import {
  finish,
  openProvider,
  publicUrl,
  type RoomProvider,
  signOn,
  signOnConfig,
  visit,
} from './testing/sign-on-room.ts'

let world: World
let acme: RoomProvider
beforeAll(async () => {
  world = await openWorld({ config: signOnConfig })
  acme = await openProvider(world, 'acme', {
    rules: [{ claim: 'groups', operator: 'contains', value: 'ops', roleID: 2 }],
  })
})
afterAll(async () => {
  await acme?.close()
  await world?.close()
})

/** Somebody whom the provider knows. */
function account(groups: string[] = [], provider = acme): string {
  const subject = uniqueText('person-')
  provider.accounts.set(subject, {
    preferred_username: uniqueText('zhangwei'),
    name: '张伟',
    email: `${subject}@corp.example`,
    groups,
  })
  return subject
}

async function other(
  fields: Parameters<typeof openProvider>[2] = {},
  options: Parameters<typeof openProvider>[3] = {},
) {
  const provider = await openProvider(world, uniqueText('idp-'), fields, options)
  onTestFinished(() => provider.close())
  return provider
}

const change = (fields: object, { id }: RoomProvider = acme) => world.asAdmin(updateProvider, { id, ...fields })

test('a person signs in at the provider and is somebody here, with the role that his groups say, each time anew', async () => {
  const who = account(['staff', 'ops'])
  const first = await signOn(world, acme, who, { ip: '203.0.113.9' })
  expect(first).toMatchObject({
    code: 200,
    data: { info: { role: 2, nickName: '张伟', email: `${who}@corp.example` } },
  })
  const { token, info } = first.data
  const own = await world.call(readResources, {}, { token: token.accessToken })
  expect(own).toMatchObject({ code: 200, data: { info: { userID: info.userID }, mustEnrol: false } })
  acme.accounts.set(who, { ...acme.accounts.get(who), groups: ['staff'] })
  const second = await signOn(world, acme, who)
  expect(second.data.info).toMatchObject({ userID: info.userID, role: 3 })
  await change({ roleEachTime: false })
  onTestFinished(() => change({ roleEachTime: true }))
  acme.accounts.set(who, { ...acme.accounts.get(who), groups: ['ops'] })
  expect((await signOn(world, acme, who)).data.info.role).toBe(3)
  const log = await world.asAdmin(listLoginLogs, { userID: Number(info.userID) })
  expect(log.list.map(({ msg }) => msg)).toContain('通过「登录 acme」登录成功')
})

test('who was made by a provider has no password: none signs him in, and he is told so', async () => {
  const { info, token } = (await signOn(world, acme, account())).data
  for (const password of ['', ' ', 'x', testPassword]) {
    const tried = await world.call(login, { account: info.userName, password, pwdType: 1 })
    expect(tried.code).not.toBe(200)
  }
  const own = { token: token.accessToken }
  const body = { oldPassword: 'x', newPassword: testPassword }
  expect((await world.call(changeOwnPassword, body, own)).msg).toContain('没有密码')
  await world.asAdmin(resetPassword, { userID: Number(info.userID), password: testPassword })
  await world.signIn(info.userName, testPassword)
})

test.each([
  ['the nonce of another sign-in', { nonce: 'another' }, '不是对这次登录的应答'],
  ['a token for another client', { aud: 'somebody-else' }, '是给别的应用的'],
  ['a token of another issuer', { iss: 'https://evil.example' }, '由别的服务签发'],
  ['a token that has expired', { exp: Math.floor(Date.now() / 1000) - 3600 }, '已过期'],
])('%s is refused', async (_what, wrong, words) => {
  const who = account()
  acme.tampering.claims = (claims) => ({ ...claims, ...wrong })
  onTestFinished(() => {
    acme.tampering.claims = undefined
  })
  const refused = await signOn(world, acme, who)
  expect(refused.code).toBe(100001)
  expect(refused.msg).toContain(words)
  const known = await world.asAdmin(listIdentities, { providerID: acme.id, page: { size: 500 } })
  expect(known.list.map(({ subject }) => subject)).not.toContain(who)
})

test('a signature by a stranger who uses the name of the key is refused', async () => {
  acme.tampering.key = await acme.makeKey()
  onTestFinished(() => {
    acme.tampering.key = undefined
  })
  expect((await signOn(world, acme, account())).msg).toContain('签名不正确')
})

test('a provider that has changed its key is believed at the next sign-in', async () => {
  const who = account()
  expect((await signOn(world, acme, who)).code).toBe(200)
  await acme.changeKey()
  expect((await signOn(world, acme, who)).code).toBe(200)
})

test('an answer is used once, by whoever began, for the state that he began with, and not too late', async () => {
  const who = account()
  const begun = await visit(world, acme, who)
  expect((await finish(world, 'acme', begun)).code).toBe(200)
  expect(await finish(world, 'acme', begun)).toMatchObject({ code: 100001, msg: '这次登录已过期或已用过，请重新登录' })
  const [mine, his] = [await visit(world, acme, who), await visit(world, acme, account())]
  const mixed = await finish(world, 'acme', { flow: mine.flow, query: his.query })
  expect(mixed.msg).toBe('应答不属于这次登录，请重新登录')
  // The same code with a sign-in of one's own.
  const again = await visit(world, acme, who)
  const stolen = new URLSearchParams(again.query)
  stolen.set('code', new URLSearchParams(begun.query).get('code') ?? '')
  expect((await finish(world, 'acme', { flow: again.flow, query: `?${stolen}` })).msg).toContain('已用过或已过期')
  for (const flow of ['', 'x', '{"providerID":1}', mine.flow.slice(0, -2)])
    expect((await finish(world, 'acme', { flow, query: mine.query })).code).toBe(100001)
  const late = await visit(world, acme, who)
  world.clock.advance(11 * 60_000)
  expect((await finish(world, 'acme', late)).msg).toContain('已过期')
})

test.each([true, false])(
  'an answer of one provider is not taken for that of another (it names itself: %s)',
  async (namesItself) => {
    const evil = await other({}, { namesItself })
    const who = account()
    // Somebody began with the evil one, which sent him on to the good one to get hold of its code.
    const [begun, good] = [await visit(world, evil, account([], evil)), await visit(world, acme, who)]
    const state = new URLSearchParams(begun.query).get('state') ?? ''
    const query = new URLSearchParams(good.query)
    query.set('state', state)
    const atEvil = await finish(world, evil.key, { flow: begun.flow, query: `?${query}` })
    expect(atEvil.code).not.toBe(200)
    expect(atEvil.msg).toMatch(/应答来自别的登录服务|已用过或已过期/)
    const another = await visit(world, evil, account([], evil))
    expect((await finish(world, 'acme', another)).msg).toBe('应答来自别的登录服务')
  },
)

test('who is not known here is refused where the setting says so, until an administrator ties him to an account', async () => {
  const strict = await other({ createUsers: false })
  const who = account([], strict)
  expect((await signOn(world, strict, who)).msg).toBe('平台上没有与你的企业账号关联的用户，请联系管理员')
  const person = await makeUser(world)
  await world.asAdmin(linkIdentity, { providerID: strict.id, subject: who, userID: person.userID })
  expect((await signOn(world, strict, who)).data.info.userID).toBe(String(person.userID))
  const { list } = await world.asAdmin(listIdentities, { providerID: strict.id })
  expect(list).toMatchObject([{ subject: who, userName: person.userName, companyOnly: false }])
  const twice = await world.call(
    linkIdentity,
    { providerID: strict.id, subject: 'another', userID: person.userID },
    { token: world.admin },
  )
  expect(twice).toMatchObject({ code: 100010, body: { field: 'userID' } })
  await world.asAdmin(unlinkIdentity, { providerID: strict.id, subject: who })
  expect((await signOn(world, strict, who)).code).toBe(100001)
})

test('an account of the same name or mail is never taken over', async () => {
  const here = await makeUser(world, { email: 'lilei@corp.example' })
  const byName = uniqueText('person-')
  acme.accounts.set(byName, { preferred_username: here.userName.toUpperCase() })
  const byMail = uniqueText('person-')
  acme.accounts.set(byMail, { preferred_username: 'somebodyelse', email: 'LiLei@corp.example' })
  for (const who of [byName, byMail]) {
    const refused = await signOn(world, acme, who, { headers: { 'accept-language': 'en' } })
    expect(refused).toMatchObject({ code: 100010 })
    expect(refused.msg).toContain(who)
    expect(refused.msg).not.toMatch(/\p{Script=Han}/u)
  }
})

test('a disabled user, a disabled role and claims that fit no rule are refused; the log says why, and by which provider', async () => {
  const who = account(['ops'])
  const { info } = (await signOn(world, acme, who)).data
  const userID = Number(info.userID)
  await world.asAdmin(updateUserStatus, { userID, status: 2 })
  expect(await signOn(world, acme, who)).toMatchObject({ code: 100021 })
  await world.asAdmin(updateUserStatus, { userID, status: 1 })
  const { id: roleID } = await world.asAdmin(createRole, { name: uniqueText('停用的角色') })
  await world.asAdmin(updateRole, { id: roleID, status: 2 })
  const strict = await other({
    defaultRole: 0,
    rules: [{ claim: 'groups', operator: 'contains', value: 'off', roleID }],
  })
  expect((await signOn(world, strict, account(['off'], strict))).msg).toContain('角色已被禁用')
  const stranger = account(['nothing'], strict)
  expect((await signOn(world, strict, stranger)).msg).toContain('不符合任何角色规则')
  const { preferred_username: userName } = strict.accounts.get(stranger) ?? {}
  const { list } = await world.asAdmin(listLoginLogs, { page: { size: 500 } })
  const line = list.find((one) => one.userName === userName)
  expect(line?.msg).toMatch(/^通过「登录 idp-.*」登录失败：.*不符合任何角色规则/)
})

test('a second factor that the role demands must have been given at the provider', async () => {
  const { id: roleID } = await world.asAdmin(createRole, { name: uniqueText('两步') })
  await world.asAdmin(updateRole, { id: roleID, secondFactor: true })
  const strict = await other({ defaultRole: roleID })
  const who = account([], strict)
  expect((await signOn(world, strict, who)).msg).toContain('要求两步验证')
  strict.tampering.claims = (claims) => ({ ...claims, amr: ['pwd', 'otp'] })
  const { token } = (await signOn(world, strict, who)).data
  const own = await world.call(readResources, {}, { token: token.accessToken })
  expect(own).toMatchObject({ code: 200, data: { mustEnrol: false } })
  expect((await world.call(readUser, {}, { token: token.accessToken })).code).not.toBe(900014)
  strict.tampering.claims = undefined
  await change({ factor: 'always' }, strict)
  expect((await signOn(world, strict, who)).code).toBe(200)
})

test('the last administrator with a password stays: he is not demoted, and an administrator of a provider does not count', async () => {
  const own = await world.asAdmin(readUser, {})
  const boss = await other({ defaultRole: 1 })
  const made = (await signOn(world, boss, account([], boss))).data
  expect(made.info.role).toBe(1)
  const byBoss = { token: made.token.accessToken }
  const gone = await world.call(deleteUser, { userID: Number(own.userID) }, byBoss)
  expect(gone.msg).toContain('最后一个可用的管理员')
  const lowering = await other({ defaultRole: 3 })
  const who = account([], lowering)
  await world.asAdmin(linkIdentity, { providerID: lowering.id, subject: who, userID: Number(own.userID) })
  expect((await signOn(world, lowering, who)).data.info).toMatchObject({ userID: own.userID, role: 1 })
})

test('who signs out here is signed out at the provider, and who signs out there is signed out here', async () => {
  const who = account()
  const begun = await visit(world, acme, who)
  const { token } = (await finish(world, 'acme', begun)).data
  const second = await signOn(world, acme, who)
  const left = await world.call(logout, {}, { token: token.accessToken })
  const url = new URL(left.data?.url ?? '')
  expect(url.origin).toBe(acme.issuer)
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/front/iThingsCore/user/login`)
  expect((await world.call(readResources, {}, { token: token.accessToken })).status).toBe(401)
  const { list } = await world.asAdmin(listOperationLogs, { page: { size: 50 } })
  expect(JSON.stringify(list)).not.toContain('id_token_hint')
  // As a person does: the provider asks, and he says yes.
  const page = await (await begun.visitor.ask(url.href)).text()
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
  const back = await begun.visitor.follow(`${acme.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
  expect(back.href).toBe(`${publicUrl}/front/iThingsCore/user/login`)
  // Another session of the same person at the provider is another session here.
  expect((await world.call(readResources, {}, { token: second.data.token.accessToken })).code).toBe(200)
  const local = await makeSignedIn(world)
  expect((await world.call(logout, {}, { token: local.token })).data).toBeUndefined()
})

test('the provider tells of a sign-out: exactly that session ends; what is no such notice ends nothing', async () => {
  const who = account()
  const begun = await visit(world, acme, who)
  const ends = (await finish(world, 'acme', begun)).data.token.accessToken
  const stays = (await signOn(world, acme, who)).data.token.accessToken
  const told = (payload: string) =>
    world.app.http.inject({
      method: 'POST',
      url: '/api/v1/system/sign-on/back-channel/acme',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })
  for (const payload of ['', 'logout_token=x', 'logout_token=eyJhbGciOiJub25lIn0.e30.'])
    expect((await told(payload)).statusCode).toBe(400)
  const page = await (await begun.visitor.ask(`${acme.issuer}/session/end`)).text()
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
  await begun.visitor.ask(`${acme.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
  const status = async (token: string) => (await world.call(readResources, {}, { token })).status
  await expect.poll(() => status(ends)).toBe(401)
  expect(await status(stays)).toBe(200)
})

test('a provider that cannot be reached, is another one, or does not take our secret is named as such', async () => {
  const away = await startRealProvider({ redirectUri: `${publicUrl}/x`, signOutUri: `${publicUrl}/y` })
  await away.close()
  const fields = {
    key: uniqueText('away-'),
    name: uniqueText('中断'),
    issuer: away.issuer,
    clientID: 'x',
    defaultRole: 3,
  }
  const { id } = await world.asAdmin(createProvider, fields)
  expect((await world.call(beginSignOn, { key: fields.key })).msg).toContain('连接被拒绝')
  expect(await world.asAdmin(testProvider, { issuer: away.issuer })).toMatchObject({
    ok: false,
    msg: '登录服务无法使用：连接被拒绝',
  })
  await world.asAdmin(deleteProvider, { id })
  expect((await world.call(beginSignOn, { key: fields.key })).code).toBe(100021)
  expect(await world.asAdmin(testProvider, { issuer: acme.issuer })).toMatchObject({
    ok: true,
    namesItself: true,
    endsSessions: true,
    backChannel: true,
    tokenEndpoint: `${acme.issuer}/token`,
  })
  expect((await world.asAdmin(testProvider, { issuer: `${acme.issuer}/other` })).ok).toBe(false)
  const wrong = await other({ secret: 'not the secret' })
  expect((await signOn(world, wrong, account([], wrong))).msg).toContain('请检查客户端 ID 和密钥')
})

test('inner networks are for whom the operator let in, and keys in the clear for inner networks', async () => {
  for (const issuer of ['https://10.1.2.3', 'https://169.254.169.254/latest'])
    expect(await world.asAdmin(testProvider, { issuer })).toMatchObject({
      ok: false,
      msg: expect.stringContaining('WEBHOOK_ALLOW'),
    })
  const plain = await world.asAdmin(testProvider, { issuer: 'http://203.0.113.7' })
  expect(plain).toMatchObject({ ok: false, msg: expect.stringMatching(/WEBHOOK_ALLOW|必须使用 https/) })
})

test('who says no at the provider comes back with a sentence', async () => {
  const refused = await signOn(world, acme, 'nobody-there', { headers: { 'accept-language': 'en' } })
  expect(refused.code).toBe(100001)
  expect(refused.msg).toMatch(/canceled|cancelled/i)
})

test('the secret is never told; the sign-in page learns names alone, of what is enabled', async () => {
  const { list } = await world.asAdmin(listProviders, {})
  expect(JSON.stringify(list)).not.toContain('a-secret-of')
  expect(await world.asAdmin(readProvider, { id: acme.id })).toMatchObject({
    hasSecret: true,
    redirectUri: `${publicUrl}/front/iThingsCore/user/sign-on/acme`,
  })
  const choices = async () => (await world.call(listSignOnChoices)).data.list
  expect((await choices()).find(({ key }) => key === 'acme')).toEqual({ key: 'acme', name: '登录 acme', nameEn: '' })
  const off = await other()
  const session = (await signOn(world, off, account([], off))).data.token.accessToken
  await change({ status: 2 }, off)
  expect((await choices()).map(({ key }) => key)).not.toContain(off.key)
  expect((await world.call(readResources, {}, { token: session })).status).toBe(401)
})

test('settings that would lend rights, or lead known people to another issuer, are refused', async () => {
  await signOn(world, acme, account())
  const as = (token: string, body: object) => world.call(updateProvider, { id: acme.id, ...body }, { token })
  expect(await as(world.admin, { issuer: 'https://evil.example' })).toMatchObject({
    code: 100006,
    body: { field: 'issuer' },
  })
  expect((await as(world.admin, { defaultRole: 999_999 })).code).toBe(100006)
  expect((await as(world.admin, { scopes: 'profile' })).body.field).toBe('scopes')
  expect((await as(world.admin, { key: 'Acme' })).body.field).toBe('key')
  expect((await as(world.admin, { rev: 0 })).code).toBe(900001)
  const clerk = await makeSignedIn(world, {
    role: await makeRole(world, [updateProvider, createProvider, linkIdentity]),
  })
  expect((await as(clerk.token, { defaultRole: 1 })).code).toBe(100012)
  const own = await world.asAdmin(readUser, {})
  const link = { providerID: acme.id, subject: 'x', userID: own.userID }
  expect((await world.call(linkIdentity, link, { token: clerk.token })).code).toBe(100012)
})
