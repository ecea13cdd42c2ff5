import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#ports/clock.ts'
import { openWorld, type World } from '#testing/world.ts'
import { deviceIDOf, makeFullProduct } from '#uplink/testing/full-product.ts'
import { type PresenceChange, writePresence } from './presence-store.ts'
import { makeDevice } from './testing/make-devices.ts'

let world: World
let productID: string
beforeAll(async () => {
  world = await openWorld()
  productID = await makeFullProduct(world)
})
afterAll(() => world?.close())

/** Resolves when so many statements wait for a row that another one has. */
const untilWaiting = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db)
      return rows[0]?.n
    })
    .toBe(count)

test('whose coming another server is just writing down has not left, however long that takes', async () => {
  const key = await makeDevice(world, productID)
  const device = { deviceID: await deviceIDOf(world, key), ...key }
  const change = (online: boolean): PresenceChange => {
    return { device, online, at: Date.now(), reason: '', clientID: online ? 'client' : '', ip: '' }
  }
  const write = (serverID: string, online: boolean) =>
    writePresence(world.db, { serverID, clock: systemClock }, [change(online)])
  await write('here', true)

  const gate = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  // As when the standby does not answer: what the other server has written is not to be seen yet.
  const holding = world.db.transaction().execute(async (db) => {
    await sql`select from device_session where device_id = ${device.deviceID} for update`.execute(db)
    held.resolve()
    await gate.promise
  })
  await held.promise
  const coming = write('there', true)
  await untilWaiting(1)
  const leaving = write('here', false)
  await untilWaiting(2)
  gate.resolve()
  const [, , left] = await Promise.all([holding, coming, leaving])

  expect(left.changed).toEqual([])
  const { rows } = await sql`select is_online, server_id from device join device_session using (device_id)
    where device_id = ${device.deviceID}`.execute(world.db)
  expect(rows).toEqual([{ is_online: 1, server_id: 'there' }])
})
