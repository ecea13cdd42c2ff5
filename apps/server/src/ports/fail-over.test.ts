/** The whole platform on a primary and a standby that takes over: one DATABASE_URL with both hosts. */
import { Durability, readCluster } from '@ithings/contract/features/cluster.ts'
import pg from 'pg'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectPlain } from '#backup/database.ts'
import { connect } from '#db/connect.ts'
import { readDatabase } from '#features/cluster/read-database.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { adminQuery } from '#testing/scratch-database.ts'
import { openTwoDatabases, type TwoDatabases } from '#testing/two-databases.ts'
import { openWorld, type World } from '#testing/world.ts'
import { deviceIDOf, makeFullProduct } from '#uplink/testing/full-product.ts'
import { makePgJournal } from '../engines/pg-journal/pg-journal.ts'
import { DatabaseClient } from './database-client.ts'
import { type JournalEntry, JournalKind, type StoreDoubt } from './journal.ts'

let pair: TwoDatabases
let world: World
let key: DeviceKey
beforeAll(async () => {
  pair = await openTwoDatabases()
  world = await openWorld({ databaseUrl: pair.url, config: { databaseUrl: pair.url } })
  key = await makeDevice(world, await makeFullProduct(world))
})
afterAll(async () => {
  await world?.close()
  await pair?.close()
})

const ready = async () => (await world.app.http.inject('/readyz')).statusCode
const report = { method: 'report', params: { power: 1 } }
/** A device that connects, is stored and acknowledged; false: not now. */
async function isStored(): Promise<boolean> {
  if ((await ready()) !== 200) return false
  const device = await connectDevice(world, key)
  const answer = await device.ask('thing/property', report).catch(() => undefined)
  await device.end()
  return answer?.code === 200
}
async function ask<T>(url: string, value: string): Promise<T | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ value: T }>(`select ${value} as value`)).rows[0]?.value
  } finally {
    await client.end()
  }
}
const inRecovery = (url: string) => ask<boolean>(url, 'pg_is_in_recovery()')
const stored = (url: string) => ask<number>(url, '(select count(*)::int from journal where kind = 3)')

test('a standby that stands first is passed over, and the screen shows that it follows without being waited for', async () => {
  expect(await inRecovery(pair.standbyUrl)).toBe(true)
  expect(await isStored()).toBe(true)
  const { database } = await world.asAdmin(readCluster)
  expect(database).toMatchObject({ durability: Durability.async, standbysVisible: true })
  expect(database.standbys).toMatchObject([{ name: 'two', state: 'streaming', syncState: 'async' }])
  expect((await world.app.http.inject('/metrics')).body).toMatch(
    /^ithings_database_standby_behind_bytes\{standby="two"\} \d/m,
  )
  const backup = await connectPlain(pair.url)
  expect((await backup.query('select pg_is_in_recovery() as yes')).rows).toEqual([{ yes: false }])
  await backup.end()
})

test('an account that may not look at standbys is told how many follow, and what that means', async () => {
  await adminQuery(pair.primaryUrl, `create role plain login password 'plain'`)
  const { db, close } = connect(pair.primaryUrl.replace('tester:tester', 'plain:plain'), () => undefined, 2)
  const seen = await readDatabase(db, false).finally(close)
  expect(seen).toMatchObject({ durability: Durability.async, standbysVisible: false, standbyCount: 1, standbys: [] })
})

test('commits that wait for the standby are on two machines', async () => {
  await adminQuery(pair.primaryUrl, `alter system set synchronous_standby_names = 'two'`)
  await adminQuery(pair.primaryUrl, 'select pg_reload_conf()')
  await expect.poll(async () => (await world.asAdmin(readCluster)).database.durability).toBe(Durability.two)
  expect(await isStored()).toBe(true)
})

test('what a broken connection left on one machine is known to be stored when the standby has it too', async () => {
  const waitFor = async (standby: string) => {
    await adminQuery(pair.primaryUrl, `alter system set synchronous_standby_names = '${standby}'`)
    await adminQuery(pair.primaryUrl, 'select pg_reload_conf()')
  }
  await adminQuery(
    pair.primaryUrl,
    `create role writer login password 'writer'; grant pg_write_all_data, pg_read_all_data to writer`,
  )
  const log = { info: () => undefined, warn: () => undefined }
  // An account that may do nothing but write, and another number than the platform's.
  const databaseUrl = pair.primaryUrl.replace('tester:tester', 'writer:writer')
  const journal = makePgJournal({ databaseUrl, nodeNumber: 9, log, metrics: new Registry() })
  await journal.start()
  onTestFinished(() => journal.stop())
  const mine = `from pg_stat_activity where usename = 'writer' and wait_event = 'SyncRep' and query ilike `
  const waits = (query: string) => ask<number>(pair.primaryUrl, `(select count(*)::int ${mine} '%${query}%')`)
  await waitFor('nobody')
  const entry: JournalEntry = {
    ...{ ...key, deviceID: await deviceIDOf(world, key), logDays: 7, at: Date.now(), seq: journal.nextSeq() },
    ...{ kind: JournalKind.property, up: true, topic: '', method: 'report', token: 't', code: 200, msg: '' },
    ...{ deviceTime: 0, content: '{"power":2}', dataID: '', latency: 0, values: { power: 2 } },
  }
  const known = journal.append(entry).then(
    () => true,
    // On a slow machine it was told that time is up.
    (error: StoreDoubt) => error.storedAfterAll,
  )
  await expect.poll(() => waits('copy')).toBe(1)
  await adminQuery(pair.primaryUrl, `select pg_terminate_backend(pid) ${mine} 'copy%'`)
  await expect.poll(() => waits('emit_message')).toBe(1)
  expect(await stored(pair.primaryUrl)).toBe(3)
  expect(await Promise.race([known, Promise.resolve('not known yet')])).toBe('not known yet')
  await waitFor('two')
  expect(await known).toBe(true)
  expect(await stored(pair.standbyUrl)).toBe(3)
})

test('a host that is a standby alone is refused by name, without the password', async () => {
  const client = new DatabaseClient({ connectionString: `${pair.standbyUrl}?target_session_attrs=primary` })
  await expect(client.connect()).rejects.toThrow(
    /No host of DATABASE_URL accepts writes: 127\.0\.0\.1:\d+: does not accept writes/,
  )
})

test('after the standby has become the primary, writes of people and of devices go on, and nothing acknowledged is lost', async () => {
  // Of the reports before the last ones were acknowledged by two machines, so the first is there, too.
  expect(await stored(pair.standbyUrl)).toBe(3)
  await pair.killPrimary()
  await expect.poll(ready).toBe(503)
  await adminQuery(pair.standbyUrl, 'select pg_promote()')
  await adminQuery(pair.standbyUrl, `alter system set synchronous_standby_names = ''`)
  await adminQuery(pair.standbyUrl, 'select pg_reload_conf()')
  await expect.poll(isStored).toBe(true)
  expect(await inRecovery(pair.standbyUrl)).toBe(false)
  await makeDevice(world, key.productID)
  expect(await stored(pair.standbyUrl)).toBe(4)
})
