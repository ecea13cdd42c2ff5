import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import type { Signal } from '#ports/signal.ts'
import { openDeafProxy } from '#testing/deaf-proxy.ts'
import { eventually } from '#testing/eventually.ts'
import { adminQuery, makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { makePgSignal, type SignalPatience } from './pg-signal.ts'

let database: ScratchDatabase
let pool: pg.Pool
let here: Signal
let there: Signal

const make = (connectionString: string, patience?: SignalPatience) =>
  makePgSignal(connectionString, pool, () => {}, patience)

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'))
  pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => {})
  here = make(database.url)
  there = make(database.url)
  await Promise.all([here.start(), there.start()])
})
afterEach(async () => {
  await Promise.all([here.stop(), there.stop()])
  await pool.end()
  await database.drop()
})

test('a notice reaches the sender at once and the other server soon, once each', async () => {
  const heard: string[] = []
  here.on('access.user', ({ userID }) => heard.push(`here ${userID}`))
  there.on('access.user', ({ userID }) => heard.push(`there ${userID}`))
  await here.send('access.user', { userID: 7 })
  expect(heard[0]).toBe('here 7')
  await eventually(() => expect(heard).toEqual(['here 7', 'there 7']))
})

test('a lost connection is told as a gap, opened again, and notices arrive afterwards', async () => {
  const gaps = vi.fn()
  const heard = vi.fn()
  there.onGap(gaps)
  there.on('access.role', heard)
  await adminQuery(
    inject('databaseUrl'),
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'ithings-core signal' and datname = '${database.name}'`,
  )
  await eventually(() => expect(gaps).toHaveBeenCalled())
  await eventually(() => expect(there.connected).toBe(true))
  await here.send('access.role', { roleID: 3 })
  await eventually(() => expect(heard).toHaveBeenCalledWith({ roleID: 3 }))
})

test('while the connection is lost it says so, so that nobody trusts memory', async () => {
  await there.stop()
  expect(there.connected).toBe(false)
  await there.start()
  expect(there.connected).toBe(true)
})

test('a line that hangs without a word is noticed, told as a gap and opened again', async () => {
  const proxy = await openDeafProxy(database.url)
  const far = make(proxy.url, { everyMs: 50, silentMs: 500 })
  const gaps: boolean[] = []
  far.onGap(() => gaps.push(far.connected))
  await far.start()
  expect(gaps).toEqual([true])
  proxy.loses = 'pg_notify'
  await eventually(() => expect(gaps).toEqual([true, false, true]))
  const heard = vi.fn()
  far.on('access.role', heard)
  await here.send('access.role', { roleID: 3 })
  await eventually(() => expect(heard).toHaveBeenCalledWith({ roleID: 3 }))
  await far.stop()
  await proxy.close()
})
