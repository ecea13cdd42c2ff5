/** The number of a server among those on its database: freed when it dies, and its own no more once another has it. */
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { openWorld } from '#testing/world.ts'
import { claimNodeNumber } from './node-number.ts'

let database: ScratchDatabase
let closers: Array<() => Promise<unknown>>
beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('openedTemplate'))
  closers = [() => database.drop()]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

async function claim() {
  let lost = 0
  const node = await claimNodeNumber(database.url, () => lost++)
  closers.push(() => node.release())
  return { number: node.number, release: () => node.release(), lost: () => lost }
}

const ofNodes = `from pg_stat_activity where application_name = 'ithings-core node' and datname = current_database()`

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  closers.push(() => client.end())
  return client
}

/** The connections that hold numbers end, as when the database was away. */
const cut = (client: pg.Client) => client.query(`select pg_terminate_backend(pid) ${ofNodes}`)

/** They end, and somebody else has the number before its server can ask for it again. */
async function takeOver(): Promise<void> {
  const [other, admin] = [await open(), await open()]
  const { rows } = await admin.query(
    `select classid::bigint, objid::integer from pg_locks
     where locktype = 'advisory' and pid in (select pid ${ofNodes}) and objid = 0`,
  )
  // It waits in the queue of the lock.
  const { rows: own } = await other.query('select pg_backend_pid() as pid')
  const taken = other.query('select pg_advisory_lock($1::integer, $2::integer)', [rows[0]?.classid, rows[0]?.objid])
  const waits = () => admin.query('select from pg_locks where not granted and pid = $1', [own[0]?.pid])
  await expect.poll(async () => (await waits()).rowCount).toBe(1)
  await cut(admin)
  await taken
}

test('two servers have two numbers, and one that ends frees its own', async () => {
  const [one, two] = [await claim(), await claim()]
  expect([one.number, two.number]).toEqual([0, 1])
  await one.release()
  expect((await claim()).number).toBe(0)
})

test('a server whose connection ended takes its number again when nobody has it', async () => {
  const one = await claim()
  const admin = await open()
  const holders = async () => (await admin.query(`select pid ${ofNodes}`)).rows.map(({ pid }) => pid)
  const before = await holders()
  await cut(admin)
  await expect.poll(async () => (await holders()).filter((pid) => !before.includes(pid))).toHaveLength(1)
  expect((await claim()).number).toBe(1)
  expect(one.lost()).toBe(0)
})

test('a server whose number another one took meanwhile hears that it must not use it', async () => {
  const one = await claim()
  await takeOver()
  await expect.poll(() => one.lost()).toBe(1)
  await one.release()
})

test('and the platform on that number must not work on', async () => {
  const said: string[] = []
  const world = await openWorld({
    config: { databaseUrl: 'shared' },
    databaseUrl: database.url,
    said: (text) => said.push(text),
  })
  closers.push(() => world.close())
  await takeOver()
  await expect.poll(() => said).toContain('this server must not work on')
})
