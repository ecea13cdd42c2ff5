import {
  acknowledgeSignIns,
  endOtherSessions,
  endSession,
  endUserSessions,
  listSessions,
} from '@ithings/contract/features/sessions.ts'
import { login, logout, readResources, resetPassword } from '@ithings/contract/features/users.ts'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeRole, makeSignedIn, makeUser, type Person, testPassword } from '#testing/people.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

const minute = 60_000
const day = 86_400_000
const office = '203.0.113.7'
const agents = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  newerChrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1',
  program: 'curl/8.5.0',
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
// Tests move the clock, so that older tokens may be over.
beforeEach(async () => {
  world.admin = await world.signIn(adminName, adminPassword)
})
afterAll(() => world.close())

async function signInFrom(person: Person, ip = office, userAgent = agents.chrome): Promise<string> {
  const body = { account: person.userName, password: person.password, pwdType: 1, loginType: 'pwd' }
  const answer = await world.call(login, body, { ip, headers: { 'user-agent': userAgent } })
  expect(answer.code).toBe(200)
  return answer.data.token.accessToken
}
const listOf = async (token: string) => (await world.call(listSessions, {}, { token })).data.list
const statusOf = async (token: string) => (await world.call(readResources, {}, { token })).status
const told = async (token: string) => (await world.call(readResources, {}, { token })).data.newSignIns
const idOf = (token: string) => String(decodeJwt(token).sid)

describe('the list', () => {
  test('names address, browser or program, system and times of each session, and which one asks', async () => {
    const person = await makeUser(world)
    const first = await signInFrom(person)
    const second = await signInFrom(person, '192.168.1.9', agents.program)
    world.clock.advance(5 * minute)
    const list = await listOf(first)
    expect(list).toHaveLength(2)
    expect(list.find(({ current }) => current)).toMatchObject({
      id: idOf(first),
      ipAddr: office,
      browser: 'Chrome 140.0.0.0',
      os: 'Windows 10',
      newPlace: false,
    })
    const other = list.find(({ current }) => !current)
    expect(other).toMatchObject({ id: idOf(second), ipAddr: '192.168.1.9', location: '内网IP', browser: 'curl 8.5.0' })
    // The one that asks was seen just now, the other one when it was signed in.
    expect(list[0]?.current).toBe(true)
    expect(Number(list[0]?.seenTime) - Number(other?.seenTime)).toBeGreaterThanOrEqual(299)
    expect(Number(list[0]?.seenTime) - Number(list[0]?.createdTime)).toBeGreaterThanOrEqual(299)
  })

  test('holds nobody else’s sessions and none that are over', async () => {
    const person = await makeUser(world)
    const [out, expired] = [await signInFrom(person), await signInFrom(person)]
    await world.call(logout, {}, { token: out })
    world.clock.advance(61 * minute)
    const now = await signInFrom(person)
    expect((await listOf(now)).map(({ id }) => id)).toEqual([idOf(now)])
    expect(await statusOf(expired)).toBe(401)
    world.admin = await world.signIn(adminName, adminPassword)
    await world.asAdmin(resetPassword, { userID: person.userID, password: 'Changed-42' })
    const after = await signInFrom({ ...person, password: 'Changed-42' })
    expect((await listOf(after)).map(({ id }) => id)).toEqual([idOf(after)])
  })

  test('a session of the time before the list joins it when it is seen', async () => {
    const { token, userName } = await makeSignedIn(world)
    await world.db.deleteFrom('user_session').where('sid', '=', idOf(token)).execute()
    expect(await listOf(token)).toMatchObject([{ id: idOf(token), current: true, browser: '', newPlace: false }])
    const other = await world.signIn(userName, testPassword)
    expect(await world.call(endOtherSessions, {}, { token: other })).toMatchObject({ code: 200 })
    expect(await statusOf(token)).toBe(401)
  })
})

describe('the end of sessions', () => {
  test('one is ended by its id, and no other', async () => {
    const person = await makeUser(world)
    const [mine, lost, third] = [await signInFrom(person), await signInFrom(person), await signInFrom(person)]
    expect(await world.call(endSession, { id: idOf(lost) }, { token: mine })).toMatchObject({ code: 200 })
    expect([await statusOf(mine), await statusOf(lost), await statusOf(third)]).toEqual([200, 401, 200])
    expect((await world.call(endSession, { id: idOf(lost) }, { token: mine })).code).toBe(100009)
  })

  test('of somebody else none is ended', async () => {
    const [mine, other] = [await makeSignedIn(world), await makeSignedIn(world)]
    expect((await world.call(endSession, { id: idOf(other.token) }, mine)).code).toBe(100009)
    await world.call(endOtherSessions, {}, mine)
    expect([await statusOf(mine.token), await statusOf(other.token)]).toEqual([200, 200])
  })

  test('all others are ended at once, on all servers', async () => {
    const person = await makeUser(world)
    const [mine, ...others] = [await signInFrom(person), await signInFrom(person), await signInFrom(person)]
    const second = await openWorld({ databaseUrl: world.url })
    try {
      expect((await world.call(endOtherSessions, {}, { token: mine })).code).toBe(200)
      for (const server of [world, second]) {
        for (const token of others) {
          await eventually(async () => expect((await server.call(readResources, {}, { token })).status).toBe(401))
        }
        expect((await server.call(readResources, {}, { token: mine })).status).toBe(200)
      }
    } finally {
      await second.close()
    }
  })

  test('an administrator ends all of a user; who may do less than the user may not', async () => {
    const person = await makeSignedIn(world, { role: 2 })
    const weak = await makeSignedIn(world, { role: await makeRole(world, [endUserSessions]) })
    const refused = await world.call(endUserSessions, { userID: person.userID }, weak)
    expect(refused).toMatchObject({ status: 403, code: 100012 })
    expect(await statusOf(person.token)).toBe(200)
    await world.asAdmin(endUserSessions, { userID: person.userID })
    expect(await statusOf(person.token)).toBe(401)
    expect(await statusOf(await signInFrom(person))).toBe(200)
  })

  test('what was signed out while a server heard nothing stays out on it afterwards', async () => {
    const { token } = await makeSignedIn(world)
    const second = await openWorld({ databaseUrl: world.url })
    const listening = sql<{ pid: number }>`select pid from pg_stat_activity
      where application_name = 'ithings-core signal' and datname = current_database()`
    try {
      expect((await second.call(readResources, {}, { token })).status).toBe(200)
      // The notice is lost: only the row of the table tells.
      await world.db
        .insertInto('revoked_session')
        .values({ sid: idOf(token), expires_at: new Date(world.clock.now() + 60 * minute) })
        .execute()
      expect((await second.call(readResources, {}, { token })).status).toBe(200)
      await sql`select pg_terminate_backend(pid) from (${listening}) as open`.execute(world.db)
      await eventually(async () => expect((await second.call(readResources, {}, { token })).status).toBe(401))
      await eventually(async () => expect((await listening.execute(world.db)).rows).toHaveLength(2))
      expect((await second.call(readResources, {}, { token })).status).toBe(401)
    } finally {
      await second.close()
    }
  })
})

describe('a session ends after SESSION_DAYS however often its token is renewed', () => {
  async function useFor(server: World, days: number): Promise<{ token: string; status: number }> {
    let token = server.admin
    for (let passed = 0; passed < days; passed++) {
      server.clock.advance(day)
      const answer = await server.call(readResources, {}, { token })
      if (answer.status !== 200) return { token, status: answer.status }
      token = String(answer.headers['ithings-set-token'] ?? token)
    }
    return { token, status: 200 }
  }
  const life = { tokenLifeSeconds: 1.5 * 86_400 }

  test('after that many days, and not earlier', async () => {
    const server = await openWorld({ config: { ...life, sessionDays: 4 } })
    try {
      const started = Number(decodeJwt(server.admin).auth_time)
      const { token, status } = await useFor(server, 3)
      expect(status).toBe(200)
      expect(decodeJwt(token)).toMatchObject({ auth_time: started, exp: started + 4 * 86_400 })
      // The last token is not renewed again at each call.
      const again = await server.call(readResources, {}, { token })
      expect(again.headers['ithings-set-token']).toBeUndefined()
      server.clock.advance(day)
      expect(await server.call(readResources, {}, { token })).toMatchObject({ status: 401, code: 100002 })
    } finally {
      await server.close()
    }
  })

  test('0 is without end', async () => {
    const server = await openWorld({ config: { ...life, sessionDays: 0 } })
    try {
      expect((await useFor(server, 40)).status).toBe(200)
    } finally {
      await server.close()
    }
  })
})

describe('a sign-in from a new place', () => {
  test('is told to the other sessions, not to itself, until it is acknowledged, and marked in the list', async () => {
    const person = await makeUser(world)
    const mine = await signInFrom(person)
    expect(await told(mine)).toEqual([])
    const foreign = await signInFrom(person, '198.51.100.3', agents.safari)
    expect(await told(mine)).toMatchObject([{ ipAddr: '198.51.100.3', browser: 'Safari 18.2', os: 'iOS 18.2' }])
    expect(await told(foreign)).toEqual([])
    await world.call(acknowledgeSignIns, {}, { token: foreign })
    expect(await told(mine)).toHaveLength(1)
    const marks = (await listOf(mine)).map(({ id, newPlace }) => [id === idOf(foreign), newPlace])
    expect(marks.toSorted()).toEqual([
      [false, false],
      [true, true],
    ])
    await world.call(acknowledgeSignIns, {}, { token: mine })
    expect(await told(mine)).toEqual([])
  })

  test('is told at the next sign-in when nobody else was there', async () => {
    const person = await makeUser(world)
    await world.call(logout, {}, { token: await signInFrom(person) })
    await world.call(logout, {}, { token: await signInFrom(person, '198.51.100.4') })
    expect(await told(await signInFrom(person))).toMatchObject([{ ipAddr: '198.51.100.4' }])
  })

  test('another browser at a known address is new, another version of the browser is not', async () => {
    const person = await makeUser(world)
    const mine = await signInFrom(person)
    await signInFrom(person, office, agents.newerChrome)
    expect(await told(mine)).toEqual([])
    await signInFrom(person, office, agents.safari)
    expect(await told(mine)).toMatchObject([{ browser: 'Safari 18.2' }])
  })

  test('a place that was not used for 30 days is new again', async () => {
    const person = await makeUser(world)
    await signInFrom(person)
    world.clock.advance(29 * day)
    const mine = await signInFrom(person)
    expect(await told(mine)).toEqual([])
    world.clock.advance(31 * day)
    await signInFrom(person)
    const watcher = await signInFrom(person)
    expect(await told(watcher)).toMatchObject([{ ipAddr: office }])
  })
})
