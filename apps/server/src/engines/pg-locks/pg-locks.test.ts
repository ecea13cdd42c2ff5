import pg from 'pg'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import type { Locks } from '#ports/locks.ts'
import { adminQuery, makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { makePgLocks } from './pg-locks.ts'

let database: ScratchDatabase
let here: Locks
let there: Locks
const closers: Array<() => Promise<unknown>> = []

/** As one server has them. */
async function open(): Promise<Locks> {
  const pool = new pg.Pool({ connectionString: database.url })
  const signal = makePgSignal(database.url, pool, () => {})
  await signal.start()
  const locks = makePgLocks(database.url, signal)
  closers.push(async () => {
    await locks.stop()
    await signal.stop()
    await pool.end()
  })
  return locks
}

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'))
  here = await open()
  there = await open()
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await database.drop()
})

const { signal: never } = new AbortController()
const nothing = () => undefined
/** Takes it for sure. */
async function take(locks: Locks, name: string, wanted: () => void = nothing): Promise<() => Promise<void>> {
  const letGo = await locks.take(name, wanted, never)
  if (!letGo) throw new Error('nobody ended the waiting')
  return letGo
}
const takeAndLetGo = async (locks: Locks, name: string) => (await take(locks, name))()
/** Whether it cannot be had for a while. */
const isHeld = async (locks: Locks, name: string) =>
  (await locks.take(name, nothing, AbortSignal.timeout(500))) === undefined

test.each(['the same server', 'another server'])('one at a time, and %s waits its turn', async (who) => {
  const other = who === 'another server' ? there : here
  const order: string[] = []
  const first = await take(here, 'a')
  const second = take(other, 'a').then((letGo) => {
    order.push('second has it')
    return letGo
  })
  await takeAndLetGo(other, 'b')
  expect(await isHeld(other, 'a')).toBe(true)
  order.push('first lets go')
  await first()
  await (await second)()
  expect(order).toEqual(['first lets go', 'second has it'])
  await takeAndLetGo(here, 'a')
})

test.each(['the same server', 'another server'])('who holds it is told that %s waits', async (who) => {
  const other = who === 'another server' ? there : here
  const told = Promise.withResolvers<void>()
  const first = await take(here, 'a', told.resolve)
  const second = take(other, 'a')
  await told.promise
  await first()
  await (await second)()
})

test('many who want one have it one after the other', async () => {
  let holding = 0
  const most: number[] = []
  const work = async (locks: Locks) => {
    const letGo = await take(locks, 'a')
    most.push(++holding)
    await adminQuery(inject('databaseUrl'), 'select 1')
    holding--
    await letGo()
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => work(n % 2 === 0 ? here : there)))
  expect(most).toEqual(Array(8).fill(1))
})

test('a connection that dies frees what it held and tells who held it; then all goes on', async () => {
  const told = Promise.withResolvers<void>()
  const lost = await take(here, 'a', told.resolve)
  await adminQuery(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'ithings-core locks' and datname = current_database()`,
  )
  await told.promise
  const letGo = await take(there, 'a')
  // Letting go of what was lost takes nothing from who has it now.
  await lost()
  expect(await isHeld(here, 'a')).toBe(true)
  await letGo()
  await takeAndLetGo(here, 'a')
})

test('a server that stops holds nothing', async () => {
  await take(here, 'a')
  await here.stop()
  await takeAndLetGo(there, 'a')
})

test('a database that is away is an error, and soon forgotten', async () => {
  const gone = await makeScratchDatabase(inject('databaseUrl'))
  const pool = new pg.Pool({ connectionString: database.url })
  const signal = makePgSignal(database.url, pool, () => {})
  onTestFinished(() => pool.end())
  await gone.drop()
  const locks = makePgLocks(gone.url, signal)
  await expect(locks.take('a', nothing, never)).rejects.toThrow('does not exist')
  await expect(locks.take('a', nothing, never)).rejects.toThrow('does not exist')
  await locks.stop()
})
