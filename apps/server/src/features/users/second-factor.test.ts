import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { multiSendProperty } from '@ithings/contract/features/commands.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createRole, listRoles, updateRole, updateRoleApis } from '@ithings/contract/features/roles.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor,
  verifySecondFactor,
} from '@ithings/contract/features/second-factor.ts'
import { createTask } from '@ithings/contract/features/tasks.ts'
import { listUsers, login, logout, readResources, readUser, resetPassword } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBytes, places } from '#db/sealed.ts'
import { eventually } from '#testing/eventually.ts'
import { apiKeys, makeRole, makeSignedIn, testPassword, uniqueText } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, solveCaptcha, type World } from '#testing/world.ts'
import { stepAt, toBase32, totpCode } from './totp.ts'

const minute = 60_000

let world: World
beforeAll(async () => {
  world = await openWorld()
})
// Tests move the clock, so that older tokens may be over.
beforeEach(async () => {
  world.admin = await world.signIn(adminName, adminPassword)
})
afterAll(() => world.close())

type SignedIn = Awaited<ReturnType<typeof makeSignedIn>>

async function secretOf({ userID }: { userID: number }): Promise<Buffer> {
  const row = await world.db
    .selectFrom('app_user')
    .select('totp_secret')
    .where('user_id', '=', userID)
    .executeTakeFirstOrThrow()
  if (!row.totp_secret) throw new Error('no secret')
  return openBytes(world.db, places.totp(userID), row.totp_secret)
}

/** A code that was not used before: that of the next step. */
async function newCode(person: { userID: number }): Promise<string> {
  world.clock.advance(30_000)
  return totpCode(await secretOf(person), stepAt(world.clock.now()))
}

/** One that is not the code of any step around now. */
async function wrongCode(person: { userID: number }): Promise<string> {
  const secret = await secretOf(person)
  const now = stepAt(world.clock.now())
  const near = [-2, -1, 0, 1, 2, 3].map((step) => totpCode(secret, now + step))
  return (
    ['111111', '222222', '333333', '444444', '555555', '666666', '777777'].find((code) => !near.includes(code)) ?? ''
  )
}

async function enrol(person: SignedIn) {
  expect((await world.call(startSecondFactor, { password: testPassword }, person)).code).toBe(200)
  const answer = await world.call(confirmSecondFactor, { secondCode: await newCode(person) }, person)
  expect(answer.code).toBe(200)
  return { ...person, token: answer.data.token.accessToken, recoveryCodes: answer.data.recoveryCodes }
}
const makeEnrolled = async (fields: Parameters<typeof makeSignedIn>[1] = {}) => enrol(await makeSignedIn(world, fields))

const attempt = (person: { userName: string }, fields: object = {}, ip = '203.0.113.7') => {
  const body = { account: person.userName, password: testPassword, pwdType: 1, loginType: 'pwd', ...fields }
  return world.call(login, body, { ip })
}

describe('enrolment', () => {
  test('needs the password, gives secret and address for the app, and counts from the first code on', async () => {
    const person = await makeSignedIn(world)
    expect(await world.call(startSecondFactor, { password: 'Wrong-1234' }, person)).toMatchObject({
      code: 1000004,
      body: { field: 'password' },
    })
    const { data } = await world.call(startSecondFactor, { password: testPassword }, person)
    expect(data.secret).toBe(toBase32(await secretOf(person)))
    expect(data.secretUri).toBe(`otpauth://totp/iThings:${person.userName}?secret=${data.secret}&issuer=iThings`)
    // Nothing is asked for yet.
    expect((await attempt(person)).code).toBe(200)
    const refused = await world.call(confirmSecondFactor, { secondCode: await wrongCode(person) }, person)
    expect(refused.code).toBe(900012)
    expect((await world.call(readSecondFactor, {}, person)).data.enabled).toBe(false)
    const confirmed = await world.call(confirmSecondFactor, { secondCode: await newCode(person) }, person)
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(10)
    // 24 letters of five bits each.
    for (const code of confirmed.data.recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/)
    expect((await world.call(readSecondFactor, {}, person)).data).toMatchObject({
      enabled: true,
      recoveryCodesLeft: 10,
    })
    expect((await world.asAdmin(readUser, { userID: person.userID })).secondFactor).toBe(true)
    const { accessToken: token } = confirmed.data.token
    expect((await world.call(startSecondFactor, { password: testPassword }, { token })).code).toBe(100006)
  })

  test('ends the other sessions, which were opened with the password alone', async () => {
    const person = await makeSignedIn(world)
    const other = await world.signIn(person.userName, testPassword)
    const { token } = await enrol(person)
    expect((await world.call(readResources, {}, { token: other })).status).toBe(401)
    expect((await world.call(readResources, {}, { token })).status).toBe(200)
  })

  test('neither secret nor codes are in the operation log or in the table as they are', async () => {
    const person = await makeEnrolled()
    const rows = await eventually(async () => {
      const { list } = await world.asAdmin(listOperationLogs, { userID: person.userID })
      expect(list.map(({ uri }) => uri)).toContain(confirmSecondFactor.path)
      return list
    })
    const logged = JSON.stringify(rows)
    expect(logged).not.toContain(toBase32(await secretOf(person)))
    expect(logged).not.toContain(person.recoveryCodes[0])
    expect(logged).not.toMatch(/"secondCode\\*":\\*"\d/)
    const kept = await world.db
      .selectFrom('app_user')
      .select('recovery_codes')
      .where('user_id', '=', person.userID)
      .execute()
    expect(JSON.stringify(kept)).not.toContain(person.recoveryCodes[0]?.replaceAll('-', ''))
  })
})

describe('sign-in', () => {
  test('an account without a second factor is served as ever, whatever comes as code', async () => {
    const person = await makeSignedIn(world)
    for (const fields of [{}, { secondCode: '' }, { secondCode: '123456' }]) {
      expect((await attempt(person, fields)).code).toBe(200)
    }
  })

  test('with one the password alone is answered with 900011, and only behind the right password', async () => {
    const person = await makeEnrolled()
    expect(await attempt(person)).toMatchObject({ status: 400, code: 900011, msg: '请输入两步验证码' })
    expect((await attempt(person, { password: 'Wrong-1234' })).code).toBe(1000004)
    const { code, data } = await attempt(person, { secondCode: await newCode(person) })
    expect(code).toBe(200)
    expect((await world.call(readResources, {}, { token: data.token.accessToken })).code).toBe(200)
  })

  test('a code counts once, on whatever server and however many come at once', async () => {
    const person = await makeEnrolled()
    const secondCode = await newCode(person)
    const answers = await Promise.all([1, 2, 3].map(() => attempt(person, { secondCode })))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 900012, 900012])
  })

  test('a recovery code opens once, in whatever way it is typed', async () => {
    const person = await makeEnrolled()
    const [first = ''] = person.recoveryCodes
    expect((await attempt(person, { secondCode: ` ${first.toLowerCase().replaceAll('-', ' ')}` })).code).toBe(200)
    expect((await attempt(person, { secondCode: first })).code).toBe(900012)
    expect((await world.call(readSecondFactor, {}, person)).data.recoveryCodesLeft).toBe(9)
  })

  test('new recovery codes take the place of all old ones, behind a fresh code, and are not logged', async () => {
    const person = await makeEnrolled()
    const [used = '', old = ''] = person.recoveryCodes
    expect((await attempt(person, { secondCode: used })).code).toBe(200)
    world.clock.advance(16 * minute)
    expect((await world.call(renewRecoveryCodes, {}, person)).code).toBe(900013)
    const verified = await world.call(verifySecondFactor, { secondCode: await newCode(person) }, person)
    const fresh = { ...person, token: verified.data.token.accessToken }
    const { data } = await world.call(renewRecoveryCodes, {}, fresh)
    expect(new Set([...data.recoveryCodes, ...person.recoveryCodes]).size).toBe(20)
    expect((await world.call(readSecondFactor, {}, fresh)).data.recoveryCodesLeft).toBe(10)
    expect((await attempt(person, { secondCode: old })).code).toBe(900012)
    expect((await attempt(person, { secondCode: data.recoveryCodes[0] })).code).toBe(200)
    const rows = await eventually(async () => {
      const { list } = await world.asAdmin(listOperationLogs, { userID: person.userID })
      expect(list.map(({ uri }) => uri)).toContain(renewRecoveryCodes.path)
      return list
    })
    expect(JSON.stringify(rows)).not.toContain(data.recoveryCodes[0])
    expect(await world.call(renewRecoveryCodes, {}, await makeSignedIn(world))).toMatchObject({
      code: 100006,
      msg: expect.stringContaining('两步验证尚未启用'),
    })
  })

  test('wrong codes freeze like wrong passwords, and the right password in between forgives none', async () => {
    const person = await makeEnrolled()
    const ip = '198.51.100.77'
    for (let n = 0; n < 7; n++) {
      expect((await attempt(person, {}, ip)).code).toBe(900011)
      expect((await attempt(person, { secondCode: await wrongCode(person) }, ip)).code).toBe(900012)
    }
    const frozen = { code: 100001, msg: expect.stringContaining('冻结') }
    expect(await attempt(person, { secondCode: await wrongCode(person) }, ip)).toMatchObject(frozen)
    expect(await attempt(person, { secondCode: await newCode(person) }, ip)).toMatchObject(frozen)
  })

  test('the captcha stays good between the password and the code, and is spent with the sign-in', async () => {
    const person = await makeEnrolled()
    const guarded = await openWorld({ databaseUrl: world.url, config: { captcha: true } })
    try {
      const body = { account: person.userName, password: testPassword, pwdType: 1, ...(await solveCaptcha(guarded)) }
      expect((await guarded.call(login, body)).code).toBe(900011)
      const [recovery] = person.recoveryCodes
      expect((await guarded.call(login, { ...body, secondCode: await wrongCode(person) })).code).toBe(900012)
      expect((await guarded.call(login, { ...body, secondCode: recovery })).code).toBe(200)
      expect((await guarded.call(login, { ...body, secondCode: person.recoveryCodes[1] })).code).toBe(1000005)
      // A wrong password spends it as ever.
      const again = { ...body, ...(await solveCaptcha(guarded)) }
      expect((await guarded.call(login, { ...again, password: 'Wrong-1234' })).code).toBe(1000004)
      expect((await guarded.call(login, again)).code).toBe(1000005)
    } finally {
      await guarded.close()
    }
  })
})

describe('the way out', () => {
  test('a password that an administrator resets leaves the second factor as it is', async () => {
    const person = await makeEnrolled()
    await world.asAdmin(resetPassword, { userID: person.userID, password: 'Another-4711' })
    expect((await attempt(person, { password: 'Another-4711' })).code).toBe(900011)
  })

  test('switching off needs password and code', async () => {
    const person = await makeEnrolled()
    const off = (fields: object) => world.call(disableSecondFactor, fields, person)
    expect((await off({ password: 'Wrong-1234', secondCode: await newCode(person) })).code).toBe(1000004)
    expect((await off({ password: testPassword, secondCode: await wrongCode(person) })).code).toBe(900012)
    expect((await off({ password: testPassword, secondCode: await newCode(person) })).code).toBe(200)
    expect((await attempt(person)).code).toBe(200)
  })

  test('an administrator resets it, which is logged; who may do less than the user may not', async () => {
    const person = await makeEnrolled({ role: 2 })
    const weak = await makeSignedIn(world, { role: await makeRole(world, [resetSecondFactor]) })
    expect((await world.call(resetSecondFactor, { userID: person.userID }, weak)).status).toBe(403)
    expect((await attempt(person)).code).toBe(900011)
    await world.asAdmin(resetSecondFactor, { userID: person.userID })
    expect((await attempt(person)).code).toBe(200)
    await eventually(async () => {
      const { list } = await world.asAdmin(listOperationLogs, { operName: '重置用户两步验证' })
      expect(list.some(({ req }) => req.includes(String(person.userID)))).toBe(true)
    })
  })
})

describe('a role that demands it', () => {
  test('answers nothing but enrolment until it is there, without a new sign-in', async () => {
    const { id: role } = await world.asAdmin(createRole, { name: uniqueText('值班'), secondFactor: false })
    await world.asAdmin(updateRoleApis, { roleID: role, list: apiKeys([listUsers]) })
    const person = await makeSignedIn(world, { role })
    expect((await world.call(listUsers, {}, person)).code).toBe(200)
    await world.asAdmin(updateRole, { id: role, secondFactor: true })
    expect((await world.asAdmin(listRoles, {})).list.find(({ id }) => id === role)?.secondFactor).toBe(true)
    const missing = { status: 403, code: 900014 }
    for (const endpoint of allEndpoints.filter(({ access, enrolling }) => access !== 'public' && !enrolling)) {
      const refusal = endpoint.asPrometheus ? { status: 403, body: { errorType: 'forbidden' } } : missing
      expect(await world.call(endpoint, {}, person), endpoint.path).toMatchObject(refusal)
    }
    expect((await world.call(readResources, {}, person)).data.mustEnrol).toBe(true)
    // The next sign-in is no way round.
    const next = await world.signIn(person.userName, testPassword)
    expect(await world.call(listUsers, {}, { token: next })).toMatchObject(missing)
    const enrolled = await enrol({ ...person, token: next })
    expect((await world.call(listUsers, {}, enrolled)).code).toBe(200)
    expect((await world.call(readResources, {}, enrolled)).data.mustEnrol).toBe(false)
    expect((await world.call(logout, {}, enrolled)).code).toBe(200)
  })
})

describe('dangerous acts', () => {
  test('mass commands and the reset of a second factor are marked', () => {
    const marked = allEndpoints.filter(({ fresh }) => fresh).map(({ path }) => path)
    for (const { path } of [multiSendProperty, createTask, resetSecondFactor]) expect(marked).toContain(path)
  })

  test('need a code of the last 15 minutes, also through renewed tokens; the code is given once more', async () => {
    const person = await makeEnrolled({ role: await makeRole(world, [createTask, listUsers]) })
    const act = async (token: string) => (await world.call(createTask, {}, { token })).code
    // The body is refused: the door was passed.
    expect(await act(person.token)).toBe(100006)
    world.clock.advance(16 * minute)
    expect(await world.call(createTask, {}, person)).toMatchObject({ status: 403, code: 900013 })
    expect((await world.call(listUsers, {}, person)).code).toBe(200)
    expect((await world.call(verifySecondFactor, { secondCode: await wrongCode(person) }, person)).code).toBe(900012)
    const verified = await world.call(verifySecondFactor, { secondCode: await newCode(person) }, person)
    expect(await act(verified.data.token.accessToken)).toBe(100006)
    world.clock.advance(31 * minute)
    const renewed = await world.call(listUsers, {}, { token: verified.data.token.accessToken })
    expect(await act(String(renewed.headers['ithings-set-token']))).toBe(900013)
  })

  test('are open as ever to accounts without a second factor', async () => {
    const person = await makeSignedIn(world, { role: await makeRole(world, [createTask]) })
    world.clock.advance(20 * minute)
    expect((await world.call(createTask, {}, person)).code).toBe(100006)
  })
})
