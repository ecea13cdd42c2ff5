import { updateSettings } from '@ithings/contract/features/settings.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { dropOldLogs } from './drop-old-logs.ts'
import { appendEntries } from './testing/append-entries.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const day = 86_400_000
const daysAgo = (days: number) => new Date(world.clock.now() - days * day)

const addLogin = (created_at: Date, count = 1) =>
  world.db
    .insertInto('login_log')
    .values(
      Array.from({ length: count }, () => ({
        user_name: 'old',
        ip_addr: '127.0.0.1',
        location: '内网IP',
        browser: '未知',
        os: '未知',
        code: 200,
        msg: '登录成功',
        created_at,
      })),
    )
    .execute()

const left = async (table: 'login_log' | 'operation_log') =>
  (await world.db.selectFrom(table).select('id').where('user_name', '=', 'old').execute()).length

test('each log is kept for its own number of days and no longer', async () => {
  for (const days of [30.1, 29.9, 7.1, 6.9, 1]) {
    await addLogin(daysAgo(days))
    await appendEntries(world.db, [{ created_at: daysAgo(days) }])
  }
  // A call of its own, which the log holds behind them.
  await world.asAdmin(updateSettings, { loginLogDays: 7, operationLogDays: 30 })
  expect(await dropOldLogs(world.db, world.clock)).toEqual({ loginLogs: 3, operationLogs: 1 })
  expect([await left('login_log'), await left('operation_log')]).toEqual([2, 4])
  expect(await dropOldLogs(world.db, world.clock)).toEqual({ loginLogs: 0, operationLogs: 0 })
})

test('a shorter retention counts with the next cleaning, and time moves it on', async () => {
  await world.asAdmin(updateSettings, { operationLogDays: 7 })
  await dropOldLogs(world.db, world.clock)
  expect(await left('operation_log')).toBe(2)
  world.clock.advance(6.5 * day)
  await dropOldLogs(world.db, world.clock)
  expect([await left('login_log'), await left('operation_log')]).toEqual([0, 0])
})

test('a backlog of more than one step is removed completely', async () => {
  for (let turn = 0; turn < 6; turn += 1) await addLogin(daysAgo(400), 2000)
  const { loginLogs } = await dropOldLogs(world.db, world.clock)
  expect(loginLogs).toBeGreaterThanOrEqual(12_000)
  expect(await left('login_log')).toBe(0)
})
