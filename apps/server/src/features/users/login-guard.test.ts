import { changeOwnPassword, login, resetPassword } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeUser, testPassword } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldGuards } from './login-guard.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(() => world.db.deleteFrom('login_guard').execute())
afterAll(() => world.close())

const minute = 60_000
const frozen = { status: 400, code: 100001 }

const attempt = (account: string, password: string, ip: string) =>
  world.call(login, { account, password, pwdType: 1, loginType: 'pwd' }, { ip })

/** The codes of so many wrong passwords in a row. */
async function fail(account: string, times: number, ipOf: (turn: number) => string): Promise<number[]> {
  const codes: number[] = []
  for (let turn = 0; turn < times; turn += 1) {
    codes.push((await attempt(account, `Wrong-${turn}`, ipOf(turn))).code)
  }
  return codes
}

const sameAddress = () => '198.51.100.1'
const otherAddress = (turn: number) => `203.0.113.${turn + 1}`

test('four wrong passwords are 1000004, further ones 1000029 with the same text, the eighth freezes', async () => {
  const { userName } = await makeUser(world)
  expect(await fail(userName, 7, sameAddress)).toEqual([...Array(4).fill(1000004), ...Array(3).fill(1000029)])
  const { userName: other } = await makeUser(world)
  expect(await fail(other, 5, () => '198.51.100.2')).toEqual([...Array(4).fill(1000004), 1000029])
  expect(await attempt(other, 'Wrong-x', '198.51.100.2')).toMatchObject({ code: 1000029, msg: '账号或密码错误' })
  expect(await attempt(userName, 'Wrong-x', sameAddress())).toMatchObject({
    ...frozen,
    msg: '密码输入错误过多，账号冻结，请 2 分钟后再试',
  })
})

test('a frozen account is refused from every address, even with the right password', async () => {
  const { userName } = await makeUser(world)
  expect((await fail(userName, 8, otherAddress)).at(-1)).toBe(100001)
  expect(await attempt(userName, testPassword, '192.0.2.1')).toMatchObject(frozen)
  expect(await attempt(userName.toUpperCase(), testPassword, '192.0.2.1')).toMatchObject(frozen)
  expect((await attempt(adminName, adminPassword, otherAddress(0))).code).toBe(200)
})

test('name, phone and e-mail of an account count together', async () => {
  const { userName } = await makeUser(world, { phone: '13912345678', email: 'guard@example.com' })
  await fail('13912345678', 3, otherAddress)
  await fail('guard@example.com', 3, (turn) => otherAddress(turn + 3))
  expect((await fail(userName, 2, (turn) => otherAddress(turn + 6))).at(-1)).toBe(100001)
  expect(await attempt('13912345678', testPassword, '192.0.2.1')).toMatchObject(frozen)
})

test('an address that tries many accounts is frozen for all of them, other addresses are not', async () => {
  const people = [await makeUser(world), await makeUser(world), await makeUser(world)]
  for (const [index, times] of [3, 3, 2].entries()) await fail(people[index]?.userName ?? '', times, sameAddress)
  expect(await attempt(adminName, adminPassword, sameAddress())).toMatchObject(frozen)
  expect((await attempt(adminName, adminPassword, '192.0.2.1')).code).toBe(200)
})

test('names that do not exist count for the address as well', async () => {
  for (let turn = 0; turn < 8; turn += 1) {
    expect((await attempt(`nobody_${turn}`, 'x', sameAddress())).code).not.toBe(200)
  }
  expect(await attempt(adminName, adminPassword, sameAddress())).toMatchObject(frozen)
})

test('the freeze tells the minutes that are left and ends after two', async () => {
  const { userName } = await makeUser(world)
  await fail(userName, 8, sameAddress)
  world.clock.advance(minute + 1000)
  const later = await attempt(userName, testPassword, sameAddress())
  expect(later).toMatchObject({ ...frozen, msg: '密码输入错误过多，账号冻结，请 1 分钟后再试' })
  world.clock.advance(minute)
  expect((await attempt(userName, testPassword, sameAddress())).code).toBe(200)
})

test('after the freeze a single mistake does not freeze again', async () => {
  const { userName } = await makeUser(world)
  await fail(userName, 8, sameAddress)
  world.clock.advance(2 * minute + 1000)
  expect(await fail(userName, 4, sameAddress)).toEqual(Array(4).fill(1000004))
})

test('nothing is kept of a sign-in without mistakes', async () => {
  const { userName } = await makeUser(world)
  expect((await attempt(userName, testPassword, sameAddress())).code).toBe(200)
  expect(await world.db.selectFrom('login_guard').selectAll().execute()).toEqual([])
})

test('a successful sign-in and the end of the five minutes forget earlier mistakes', async () => {
  const { userName } = await makeUser(world)
  await fail(userName, 7, sameAddress)
  expect((await attempt(userName, testPassword, sameAddress())).code).toBe(200)
  expect(await fail(userName, 7, sameAddress)).not.toContain(100001)
  world.clock.advance(5 * minute + 1000)
  expect(await fail(userName, 4, sameAddress)).toEqual(Array(4).fill(1000004))
})

test('a password reset by an administrator lifts the freeze of the account', async () => {
  const { userName, userID } = await makeUser(world)
  await fail(userName, 8, otherAddress)
  await world.asAdmin(resetPassword, { userID, password: 'Fresh-start-1' })
  expect((await attempt(userName, 'Fresh-start-1', '192.0.2.1')).code).toBe(200)
})

test('of a hundred attempts at the same moment eight are looked at: the right password among them does not get in', async () => {
  const { userName } = await makeUser(world)
  const passwords = Array.from({ length: 100 }, (_, turn) => (turn === 70 ? testPassword : `Wrong-${turn}`))
  const answers = await Promise.all(passwords.map((password, turn) => attempt(userName, password, otherAddress(turn))))
  expect(answers.filter(({ code }) => code === 1000004 || code === 1000029)).toHaveLength(7)
  expect(answers[70]?.code).toBe(100001)
})

test('ten people who sign in to one account at the same moment all get in', async () => {
  const { userName } = await makeUser(world)
  const answers = await Promise.all(Array.from({ length: 10 }, () => attempt(userName, testPassword, sameAddress())))
  expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(200))
})

test('ten people who sign in from one office at the same moment all get in', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => makeUser(world)))
  const answers = await Promise.all(people.map(({ userName }) => attempt(userName, testPassword, '192.0.2.30')))
  expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(200))
})

test('an own account does not give an address new tries for the accounts of others', async () => {
  const { userName: own } = await makeUser(world)
  const others = await Promise.all(Array.from({ length: 8 }, () => makeUser(world)))
  for (const { userName } of others.slice(0, 7)) {
    await fail(userName, 1, sameAddress)
    expect((await attempt(own, testPassword, sameAddress())).code).toBe(200)
  }
  expect((await fail(others[7]?.userName ?? '', 1, sameAddress)).at(-1)).toBe(100001)
})

test('where somebody has signed in lately, mistakes of strangers elsewhere lock nobody out', async () => {
  const { userName } = await makeUser(world)
  expect((await attempt(userName, testPassword, '192.0.2.7')).code).toBe(200)
  await fail(userName, 8, otherAddress)
  expect(await attempt(userName, testPassword, '192.0.2.8')).toMatchObject(frozen)
  expect((await attempt(userName, testPassword, '192.0.2.7')).code).toBe(200)
  // There eight mistakes are the limit as well.
  expect((await fail(userName, 8, () => '192.0.2.7')).at(-1)).toBe(100001)
})

test('wrong old passwords are counted like wrong ones at sign-in', async () => {
  const { userName } = await makeUser(world)
  const token = await world.signIn(userName, testPassword)
  const change = (oldPassword: string) =>
    world.call(changeOwnPassword, { oldPassword, newPassword: 'Another-pass-1' }, { token, ip: '192.0.2.9' })
  for (let turn = 0; turn < 8; turn++) expect((await change(`Wrong-${turn}`)).code).toBe(1000004)
  expect(await change(testPassword)).toMatchObject(frozen)
})

test('housekeeping drops what is over and keeps what still counts', async () => {
  const rows = async () => (await world.db.selectFrom('login_guard').selectAll().execute()).length
  const { userName } = await makeUser(world)
  await fail(userName, 2, sameAddress)
  expect(await rows()).toBe(2)
  await dropOldGuards(world.db, world.clock)
  expect(await rows()).toBe(2)
  world.clock.advance(5 * minute + 1000)
  await dropOldGuards(world.db, world.clock)
  expect(await rows()).toBe(0)
})
