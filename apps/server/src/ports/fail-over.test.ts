/** The whole platform on a primary and a standby that takes over: one DATABASE_URL with both hosts. */
import { Durability, readCluster } from '@ithings/contract/features/cluster.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectPlain } from '#backup/database.ts'
import { connect } from '#db/connect.ts'
import { readDatabase } from '#features/cluster/read-database.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey } from '#testing/mqtt-device.ts'
import { adminQuery } from '#testing/scratch-database.ts'
import { openTwoDatabases, type TwoDatabases } from '#testing/two-databases.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { DatabaseClient } from './database-client.ts'

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

test('a host that is a standby alone is refused by name, without the password', async () => {
  const client = new DatabaseClient({ connectionString: `${pair.standbyUrl}?target_session_attrs=primary` })
  await expect(client.connect()).rejects.toThrow(
    /No host of DATABASE_URL accepts writes: 127\.0\.0\.1:\d+: does not accept writes/,
  )
})

test('after the standby has become the primary, writes of people and of devices go on, and nothing acknowledged is lost', async () => {
  // Of the two reports before the second was acknowledged by two machines, so the first is there, too.
  const before = await stored(pair.standbyUrl)
  expect(before).toBe(2)
  await pair.killPrimary()
  await expect.poll(ready).toBe(503)
  await adminQuery(pair.standbyUrl, 'select pg_promote()')
  await adminQuery(pair.standbyUrl, `alter system set synchronous_standby_names = ''`)
  await adminQuery(pair.standbyUrl, 'select pg_reload_conf()')
  await expect.poll(isStored).toBe(true)
  expect(await inRecovery(pair.standbyUrl)).toBe(false)
  await makeDevice(world, key.productID)
  expect(await stored(pair.standbyUrl)).toBe(3)
})
