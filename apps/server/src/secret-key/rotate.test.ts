/** `npm run rotate-secret-key`, also when it is killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { readConfig } from '#app/config.ts'
import { connect } from '#db/connect.ts'
import { markOfKey } from '#db/sealed.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { openWorld } from '#testing/world.ts'
import { openKeyRing, watchKey } from './load-keys.ts'
import { rotateSecretKey } from './rotate-command.ts'
import { insertPlain, openValues, plainFacts, staleValues } from './testing/plain-values.ts'

const program = fileURLToPath(new URL('../main-rotate-secret-key.ts', import.meta.url))

let database: ScratchDatabase
let client: pg.Client
let dataDir: string

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  dataDir = await mkdtemp(join(tmpdir(), 'ithings-key-'))
})
afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const configOf = (env: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: database.url, DATA_DIR: dataDir, ...env })
/** Connections that were closed, or whose program was killed, are gone a moment later. */
const untilAlone = () =>
  expect
    .poll(async () => {
      const { rows } = await client.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
         where datname = current_database() and application_name like 'ithings-core%'`,
      )
      return rows
    })
    .toEqual([])
async function rotate(env: Record<string, string> = {}): Promise<string> {
  await untilAlone()
  const lines: string[] = []
  const { signal } = new AbortController()
  await rotateSecretKey({ config: configOf(env), say: (line) => void lines.push(line), signal })
  return lines.join('\n')
}
const keyIn = async (name: string) => (await readFile(join(dataDir, name), 'utf8')).trim()
const marks = async () => (await client.query<{ mark: string }>('select mark from secret_key order by id')).rows
const markOf = (hex: string) => ({ mark: markOfKey(Buffer.from(hex, 'hex')) })

/** As a server would see it that starts now. */
async function look(env: Record<string, string> = {}) {
  const { db, close } = connect(database.url, () => undefined, 1, await openKeyRing(database.url, configOf(env)))
  try {
    return { values: await openValues(db), stale: await staleValues(db) }
  } finally {
    await close()
  }
}

function start(): ChildProcess & { said(): string } {
  const env = { ...process.env, LC_ALL: 'C', DATABASE_URL: database.url, DATA_DIR: dataDir }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  return Object.assign(child, { said: () => text })
}
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('killed at any moment it loses nothing, and goes on where it was', async () => {
  await insertPlain(client, 1_100)
  const { facts } = plainFacts
  await look()
  const first = await keyIn('secret.key')

  await untilAlone()
  // As soon as there is a new key: whether the database knows of it is chance, and must not matter.
  const early = start()
  await expect.poll(() => early.said()).toContain('The new key is in')
  await kill(early)
  expect((await look()).values).toEqual(facts)
  const next = await keyIn('secret.key.next')

  // One value cannot be had, and what comes after it has to wait: half of one key, half of the other.
  const half = ['device.old_secret d1', 'device.secret d900']
  // Before it begins: within a transaction the list of connections stays as it was first seen.
  await untilAlone()
  await client.query('begin')
  await client.query(`select from device where device_name = 'd900' for update`)
  const halfway = start()
  await expect.poll(() => halfway.said()).toContain('Continuing')
  await expect.poll(async () => (await look()).stale).toEqual(half)
  await kill(halfway)
  await client.query('commit')
  expect(await look()).toEqual({ values: facts, stale: half })
  expect([await keyIn('secret.key'), await keyIn('secret.key.next')]).toEqual([first, next])

  expect(await rotate()).toMatch(
    /^Continuing the rotation .*\n2 secrets encrypted with the new key\nThe new key is in \S+secret\.key:/,
  )
  expect(await look()).toEqual({ values: facts, stale: [] })
  expect([await keyIn('secret.key'), await readdir(dataDir)]).toEqual([next, ['secret.key']])
  expect(await marks()).toEqual([markOf(next)])

  // The old key is forgotten, but the new one has not got its name yet.
  await rename(join(dataDir, 'secret.key'), join(dataDir, 'secret.key.next'))
  await writeFile(join(dataDir, 'secret.key'), first)
  expect(await look()).toEqual({ values: facts, stale: [] })
  expect([await keyIn('secret.key'), await readdir(dataDir)]).toEqual([next, ['secret.key']])

  // And once more, another one.
  expect(await rotate()).toContain('The new key is in')
  expect(await look()).toEqual({ values: facts, stale: [] })
  expect(await keyIn('secret.key')).not.toBe(next)
})

test('SECRET_KEY cannot be changed for the operator, who is told where the new key is', async () => {
  await insertPlain(client, 3)
  const env = { SECRET_KEY: Buffer.alloc(32, 3).toString('base64') }
  await look(env)
  expect(await rotate(env)).toContain(`SECRET_KEY still holds the old key: set it to the content of ${dataDir}`)
  await expect(look(env)).rejects.toThrow('SECRET_KEY is not that key')
  expect(await look({ SECRET_KEY: await keyIn('secret.key') })).toMatchObject({ values: plainFacts.facts, stale: [] })
})

test('while a server works on the database it is refused, and nothing has begun', async () => {
  const world = await openWorld({ databaseUrl: database.url })
  const env = { SECRET_KEY: Buffer.alloc(32, 7).toString('hex') }
  await expect(
    rotateSecretKey({ config: configOf(env), say: () => undefined, signal: new AbortController().signal }),
  ).rejects.toThrow('The database is in use: first stop every server')
  expect([await marks(), await readdir(dataDir)]).toEqual([[markOf(env.SECRET_KEY)], []])
  await world.close()
})

test('a server that lacks the key to come does not start, and is told to have the rotation finished', async () => {
  const env = { SECRET_KEY: Buffer.alloc(32, 7).toString('hex') }
  await insertPlain(client, 3)
  await look(env)
  await client.query(`insert into secret_key (mark) values ($1)`, [markOfKey(Buffer.alloc(32, 8))])
  await expect(look(env)).rejects.toThrow(/^The key of this database is being changed .* run npm run rotate-secret-key/)
})

test('a server that was cut off during a rotation is told when it is back', async () => {
  const keys = await openKeyRing(database.url, configOf())
  const { db, pool, close } = connect(database.url, () => undefined, 2, keys)
  const signal = makePgSignal(database.url, pool, () => undefined)
  await signal.start()
  const lost: string[] = []
  watchKey(db, signal, (error) => void lost.push(error.message))
  const cut = () =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'ithings-core signal'`,
    )
  await cut()
  await expect.poll(() => signal.connected).toBe(true)
  expect(lost).toEqual([])
  await client.query(`update secret_key set mark = $1`, [markOfKey(Buffer.alloc(32, 8))])
  // Whether the first cut was noticed by now or not: one after the change is enough.
  await cut()
  await expect.poll(() => lost).toContain('the key of the database was changed')
  await signal.stop()
  await close()
})
