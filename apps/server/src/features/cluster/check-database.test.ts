import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { checkDatabase } from './check-database.ts'
import { readDatabase } from './read-database.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'shared' } })
})
afterAll(() => world.close())

async function linesOf(own: number): Promise<string[]> {
  const lines: string[] = []
  const log = {
    info: (_: object, text: string) => void lines.push(`info ${text}`),
    warn: (_: object, text: string) => void lines.push(`warn ${text}`),
  }
  const { db } = world
  const row = await db
    .selectFrom('platform_server')
    .select('server_id')
    .where('server_id', '<>', 'other')
    .executeTakeFirst()
  await checkDatabase({ db, serverID: row?.server_id ?? '', alone: false }, own, log)
  return lines
}

test('the start says what an acknowledgement means, and nothing about connections while there is room', async () => {
  // The database of the tests does not wait for its disk.
  expect(await linesOf(24)).toEqual(['warn fsync is off: a power failure may lose what was acknowledged'])
})

test('servers that may open more connections than PostgreSQL gives are told so, with the numbers', async () => {
  const { maxConnections } = await readDatabase(world.db, false)
  expect(await linesOf(maxConnections)).toHaveLength(1)
  const facts = JSON.stringify({ databaseConnections: 30 })
  await world.db
    .insertInto('platform_server')
    .values({ server_id: 'other', seen_at: Date.now() + 60_000, facts })
    .execute()
  expect(await linesOf(maxConnections - 30)).toHaveLength(1)
  expect((await linesOf(maxConnections - 29))[1]).toBe(
    `warn the servers on this database may open ${maxConnections + 1} connections, and PostgreSQL gives ${maxConnections}: raise max_connections or lower DATABASE_CONNECTIONS`,
  )
})
