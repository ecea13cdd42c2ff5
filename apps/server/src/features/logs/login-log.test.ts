import { type LoginLog, listLoginLogs } from '@ithings/contract/features/logs.ts'
import { login } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSignedIn, makeUser, type Person, testPassword } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let person: Person
const day = 86_400_000

const agents = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1',
}

const attempt = (account: string, password: string, ip: string, userAgent: string) =>
  world.call(login, { account, password, pwdType: 1, loginType: 'pwd' }, { ip, headers: { 'user-agent': userAgent } })

beforeAll(async () => {
  world = await openWorld()
  person = await makeUser(world, { userName: 'log_person' })
  await attempt('log_person', testPassword, '203.0.113.7', agents.chrome)
  await attempt('log_person', 'Wrong-1234', '192.168.1.9', agents.safari)
  await attempt('nobody_here', 'x', '198.51.100.3', '')
})
afterAll(() => world.close())

async function find(filter: object): Promise<LoginLog[]> {
  const { data } = await world.call(listLoginLogs, filter, { token: world.admin })
  expect(data.total).toBe(data.list.length)
  return data.list
}

describe('what is written', () => {
  test('a success with user, address, browser, system and time', async () => {
    const [row] = await find({ ipAddr: '203.0.113.7' })
    expect(row).toEqual({
      id: expect.stringMatching(/^\d+$/),
      userID: String(person.userID),
      userName: 'log_person',
      ipAddr: '203.0.113.7',
      loginLocation: '未知',
      browser: 'Chrome 140.0.0.0',
      os: 'Windows 10',
      code: '200',
      msg: '登录成功',
      createdTime: expect.stringMatching(/^\d{10}$/),
    })
    expect(Math.abs(Number(row?.createdTime) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('a wrong password with code 400, its reason and 内网IP for a local address', async () => {
    const [row] = await find({ ipAddr: '192.168.1.9' })
    expect(row).toMatchObject({
      userID: String(person.userID),
      userName: 'log_person',
      loginLocation: '内网IP',
      browser: 'Safari 18.2',
      os: 'iOS 18.2',
      code: '400',
      msg: '账号或密码错误',
    })
  })

  test('an unknown account, also without a browser', async () => {
    const [row] = await find({ userName: 'nobody' })
    expect(row).toMatchObject({ userName: 'nobody_here', code: '400', msg: '账号或密码错误' })
    expect(row).toMatchObject({ browser: '未知', os: '未知' })
  })

  test('never the password that was tried', async () => {
    const rows = await world.db.selectFrom('login_log').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/Wrong-1234|Secret-123/)
  })
})

describe('filters', () => {
  test.each([
    [{ userName: 'LOG_per' }, 2],
    [{ ipAddr: '192.168' }, 1],
    [{ loginLocation: '内网', userName: 'log_person' }, 1],
    [{ browser: 'chrome' }, 1],
    [{ os: 'ios' }, 1],
    [{ userName: 'log_person', result: 1 }, 1],
    [{ userName: 'log_person', result: '2' }, 1],
    [{ userName: 'log_person', result: 0, browser: '', os: null, current: 1 }, 2],
    [{ userName: 'log%person' }, 0],
  ])('%j finds %i', async (filter, count) => {
    expect(await find(filter)).toHaveLength(count)
  })

  test('the user id, as number or text', async () => {
    // Also the attempts that failed: they concern the person, too.
    expect((await find({ userID: person.userID })).map((row) => row.code)).toEqual(['400', '200'])
    expect(await find({ userID: String(person.userID) })).toHaveLength(2)
  })

  test('a day covers the whole day of the server, under both names of the range', async () => {
    const rows = await find({})
    const times = rows.map((row) => Number(row.createdTime) * 1000)
    const dayOf = (time: number) => {
      const date = new Date(time)
      const two = (part: number) => String(part).padStart(2, '0')
      return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
    }
    // Two days when the clock passes midnight while the test runs.
    const [first, last] = [Math.min(...times), Math.max(...times)]
    const found = async (start: string, end: string) => {
      const byOurs = await find({ dateRange: { start, end } })
      expect(await find({ date: { start, end } })).toEqual(byOurs)
      return byOurs.length
    }
    expect(await found(dayOf(first), dayOf(last))).toBe(rows.length)
    expect(await found(dayOf(first - day), dayOf(last + day))).toBe(rows.length)
    expect(await found(dayOf(first - 2 * day), dayOf(first - day))).toBe(0)
    expect(await found(dayOf(last + day), dayOf(last + 2 * day))).toBe(0)
    expect(await found('', dayOf(last))).toBe(rows.length)
    expect(await found(dayOf(first), '')).toBe(rows.length)
  })

  test('a day is one of the zone that days are counted by, wherever the server stands', async () => {
    // A day apart at every hour.
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const
    const [{ createdTime } = { createdTime: '' }] = await find({ ipAddr: '203.0.113.7' })
    const dayIn = (timeZone: string) => new Date(Number(createdTime) * 1000).toLocaleDateString('sv-SE', { timeZone })
    const found = async (zone: string, day: string) => {
      await world.db.updateTable('setting').set({ time_zone: zone }).execute()
      return (await find({ ipAddr: '203.0.113.7', dateRange: { start: day, end: day } })).length
    }
    for (const zone of zones) expect(await found(zone, dayIn(zone))).toBe(1)
    expect(await found(zones[0], dayIn(zones[1]))).toBe(0)
    await world.db.updateTable('setting').set({ time_zone: '' }).execute()
  })

  test('milliseconds are exact and the end is not included', async () => {
    const { created_at } = await world.db
      .selectFrom('login_log')
      .select('created_at')
      .where('ip_addr', '=', '203.0.113.7')
      .executeTakeFirstOrThrow()
    const ms = created_at.getTime()
    const found = (start: unknown, end: unknown) => find({ ipAddr: '203.0.113.7', dateRange: { start, end } })
    expect(await found(ms, ms + 1)).toHaveLength(1)
    expect(await found(String(ms), String(ms + 1))).toHaveLength(1)
    expect(await found(ms + 1, ms + 1000)).toHaveLength(0)
    expect(await found(ms - 1000, ms)).toHaveLength(0)
    expect(await found(ms, 0)).toHaveLength(1)
    expect(await found(Math.floor(ms / 1000), undefined)).toHaveLength(1)
  })

  test.each([
    [{ start: '2026-02-31' }, '日期 2026-02-31 不正确'],
    [{ start: '2026-13-01' }, '日期 2026-13-01 不正确'],
    [{ end: 9_000_000_000_000_000 }, '日期 9000000000000000 不正确'],
    [{ start: '2026-05-02', end: '2026-05-01' }, '开始时间不能晚于结束时间'],
    [{ start: 'yesterday' }, 'dateRange.start'],
  ])('the range %j is refused with 100006', async (dateRange, text) => {
    const refused = await world.call(listLoginLogs, { dateRange }, { token: world.admin })
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.msg).toContain(text)
  })
})

test('the newest comes first, and every sort field sorts', async () => {
  const ids = (await find({})).map((row) => Number(row.id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  for (const field of ['createdTime', 'userName', 'ipAddr', 'code'] as const) {
    const values = async (sort: 1 | 2) => (await find({ page: { orders: [{ field, sort }] } })).map((row) => row[field])
    const [up, down] = [await values(1), await values(2)]
    expect([up[0], up.at(-1)], field).toEqual([down.at(-1), down[0]])
  }
  const page = await world.asAdmin(listLoginLogs, { page: { page: 2, size: 1 } })
  expect(page.list.map((row) => Number(row.id))).toEqual([ids[1]])
  expect(page.total).toBe(ids.length)
})

test('the log needs the right of the role', async () => {
  const supplier = await makeSignedIn(world, { role: 2 })
  expect(await world.call(listLoginLogs, {}, supplier)).toMatchObject({ status: 403, code: 100012 })
})
