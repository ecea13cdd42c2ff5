import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { makeBackground } from '#background/background.ts'
import { systemClock } from '#ports/clock.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { connect } from './connect.ts'
import { listMigrations, migrate, migrationsDir } from './migrate.ts'
import { NewerDatabaseError, OldServersError, oldestOf, watchSchema } from './rolling-upgrade.ts'

let database: ScratchDatabase
/** The migrations of a program that is newer than this one. */
let dir: string
let own: number

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'))
  dir = await mkdtemp(join(tmpdir(), 'ithings-migrations-'))
  await cp(migrationsDir, dir, { recursive: true })
  own = (await listMigrations()).at(-1)?.version ?? 0
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

const number = (version: number) => String(version).padStart(4, '0')
const write = (version: number, oldest: number, text = 'select 1;') =>
  writeFile(
    join(dir, `${number(version)}_newer.sql`),
    `-- Programs that know ${number(oldest)} may run beside this.\n${text}`,
  )

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

const seen = (name: string, facts: object, secondsAgo = 0) =>
  query(`insert into platform_server (server_id, seen_at, facts) values ('${name}',
    (extract(epoch from clock_timestamp()) * 1000)::bigint - ${secondsAgo * 1000}, '${JSON.stringify(facts)}')`)

test('every migration from 0036 on says beside which programs it may be applied', async () => {
  for (const { version, file, text } of await listMigrations()) {
    if (version < 36) continue
    expect(oldestOf(text), `${file}: "-- Programs that know NNNN may run beside this."`).toBeDefined()
    expect(oldestOf(text), file).toBeLessThanOrEqual(version)
  }
})

test('a program may start on a database that a newer one has only added to, and changes nothing there', async () => {
  await write(own + 1, own, 'create table added (id integer);')
  await migrate(database.url, dir)
  expect(await migrate(database.url)).toEqual({ applied: [], own, isNewer: true })
})

test('a program that a later migration does not bear is refused by the number it would need', async () => {
  await write(own + 1, own)
  await write(own + 2, own + 1)
  await migrate(database.url, dir)
  const refusal = await migrate(database.url).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(NewerDatabaseError)
  expect((refusal as Error).message).toContain(`it needs migration ${own + 1}, this program knows up to ${own}`)
})

test('what a living server works with is not taken away: the upgrade is refused and names it', async () => {
  await migrate(database.url)
  await write(own + 1, own + 1, 'create table half (id integer);')
  await seen('one', { name: 'machine-7', version: '1.0.0', schema: own })
  const refusal = await migrate(database.url, dir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OldServersError)
  expect((refusal as Error).message).toContain(
    `${number(own + 1)}_newer.sql cannot be applied while server machine-7 of version 1.0.0 is at work`,
  )
  await expect(query('select from half')).rejects.toThrow('does not exist')
  // One of a version that did not tell is older still.
  await query(`update platform_server set facts = '{}'`)
  await expect(migrate(database.url, dir)).rejects.toThrow('it knows migrations up to 35')
  // It has gone, or is a server that knows enough.
  await query('update platform_server set seen_at = seen_at - 60000')
  await seen('two', { schema: own + 1 })
  expect((await migrate(database.url, dir)).applied).toEqual([`${number(own + 1)}_newer.sql`])
})

test('a server that was passed by says so and works no longer; one that may run on does', async () => {
  const log = pino({ level: 'silent' })
  const { db, close } = connect(database.url, () => undefined, 1)
  const background = makeBackground({ clock: systemClock, log, metrics: new Registry() })
  const lost: string[] = []
  const look = () => watchSchema({ db, background }, own, (error) => void lost.push(error.message))
  try {
    await write(own + 1, own)
    await migrate(database.url, dir)
    // It ends after the first look.
    await look()()
    expect(lost).toEqual([])
    await write(own + 2, own + 2)
    await migrate(database.url, dir)
    await look()()
    expect(lost).toEqual([expect.stringContaining(`it needs migration ${own + 2}`)])
  } finally {
    await close()
  }
})
