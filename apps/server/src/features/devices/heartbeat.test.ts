import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { type Connection, connect } from '#db/connect.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { deadAfterMs, makeHeartbeat } from './heartbeat.ts'

let database: ScratchDatabase
let connection: Connection
beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  connection = connect(database.url, () => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  await connection.db.deleteFrom('platform_server').execute()
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

const open = (steadyMs: number) => {
  const serverID = randomUUID()
  return { serverID, ...makeHeartbeat({ db: connection.db, serverID, steadyMs, facts: () => ({ node: 7 }) }) }
}
/** As if the server had last been seen so long ago, by the database's clock. */
const age = (ms: number, { serverID }: { serverID: string }) =>
  sql`update platform_server set seen_at = seen_at - ${ms} where server_id = ${serverID}`.execute(connection.db)

test('a server that is no longer seen is dead, one that beats is not', async () => {
  const [one, two] = [open(0), open(0)]
  expect(await two.beat()).toEqual({ fresh: true, dead: [], drain: false })
  expect(await one.beat()).toEqual({ fresh: true, dead: [], drain: false })
  expect(await one.others('alive')).toEqual([two.serverID])
  await age(deadAfterMs + 1_000, two)
  expect(await one.others('alive')).toEqual([])
  expect(await one.others('all')).toEqual([two.serverID])
  expect(await one.beat()).toEqual({ fresh: false, dead: [two.serverID], drain: false })
})

test('who was seen as long as this server itself is not dead: nobody could write a beat', async () => {
  const [one, two] = [open(0), open(0)]
  await two.beat()
  await one.beat()
  await age(deadAfterMs + 1_000, two)
  await age(deadAfterMs - 4_000, one)
  expect((await one.beat()).dead).toEqual([])
  expect((await one.beat()).dead).toEqual([two.serverID])
})

test('after an outage of the database nobody is dead until the others have had the time to come back', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const [one, two] = [open(deadAfterMs), open(deadAfterMs)]
  for (; now <= 20_000; now += 5_000) {
    await one.beat()
    await two.beat()
  }
  // Nobody could write for a minute.
  now += 60_000
  await age(60_000, two)
  expect(await one.beat()).toEqual({ fresh: false, dead: [], drain: false })
  now += 5_000
  expect(await one.beat()).toEqual({ fresh: false, dead: [], drain: false })
  await two.beat()
  now += 12_000
  expect(await one.beat()).toEqual({ fresh: false, dead: [], drain: false })
  // One that really is gone is found then.
  await age(deadAfterMs + 1_000, two)
  expect(await one.beat()).toEqual({ fresh: false, dead: [two.serverID], drain: false })
})

test('a beat tells what the server is and hears whether it shall have no devices, also after its row was cleared', async () => {
  const one = open(0)
  expect(await one.beat()).toMatchObject({ fresh: true, drain: false })
  const row = () => connection.db.selectFrom('platform_server').selectAll().executeTakeFirst()
  expect(await row()).toMatchObject({ facts: { node: 7 }, drain: false })
  await connection.db.updateTable('platform_server').set({ drain: true }).execute()
  expect(await one.beat()).toMatchObject({ fresh: false, drain: true })
  await connection.db.deleteFrom('platform_server').execute()
  expect(await one.beat()).toMatchObject({ fresh: true, drain: true })
  expect(await row()).toMatchObject({ drain: true })
})
