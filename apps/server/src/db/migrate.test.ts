import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { checkChain } from '#features/logs/check-chain.ts'
import { appendEntries } from '#features/logs/testing/append-entries.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { connect } from './connect.ts'
import { EditedMigrationError, listMigrations, migrate, migrationsDir } from './migrate.ts'
import { NewerDatabaseError } from './rolling-upgrade.ts'

let database: ScratchDatabase
let dir: string

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'))
  dir = await mkdtemp(join(tmpdir(), 'ithings-migrations-'))
  await cp(migrationsDir, dir, { recursive: true })
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

test('an empty database gets every migration once, in order', async () => {
  const known = (await listMigrations(dir)).map((migration) => migration.file)
  expect((await migrate(database.url, dir)).applied).toEqual(known)
  expect(await migrate(database.url, dir)).toEqual({ applied: [], own: known.length, isNewer: false })
  const rows = await query<{ file: string }>('select file from schema_migration order by version')
  expect(rows.map((row) => row.file)).toEqual(known)
})

test('several servers starting at once apply each migration once', async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, dir)))
  const known = (await listMigrations(dir)).length
  expect(applied.flatMap((one) => one.applied)).toHaveLength(known)
})

test('a database newer than the program is refused with a clear message', async () => {
  await writeFile(join(dir, '9999_future.sql'), 'create table future (id integer)')
  await migrate(database.url, dir)
  await rm(join(dir, '9999_future.sql'))
  const refusal = await migrate(database.url, dir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(NewerDatabaseError)
  expect((refusal as Error).message).toMatch(/newer version.*needs migration 9999/)
})

test('a migration that was changed after it was applied is refused by name, and nothing is applied', async () => {
  await migrate(database.url, dir)
  const edited = join(dir, '0002_jobs_files.sql')
  await writeFile(edited, `${await readFile(edited, 'utf8')}\n-- later`)
  await writeFile(join(dir, '9997_next.sql'), 'create table next (id integer)')
  const refusal = await migrate(database.url, dir).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(EditedMigrationError)
  expect((refusal as Error).message).toMatch(
    /another text of 0002_jobs_files\.sql: restore the released file.*new migration$/,
  )
  expect(await query(`select 1 from information_schema.tables where table_name = 'next'`)).toEqual([])
})

test('line ends of another system are no change', async () => {
  await migrate(database.url, dir)
  for (const { file, text } of await listMigrations(dir)) {
    expect(text).not.toContain('\r')
    await writeFile(join(dir, file), text.replaceAll('\n', '\r\n'))
  }
  await expect(migrate(database.url, dir)).resolves.toMatchObject({ applied: [] })
})

test('a database of an earlier version takes the checksums of the files at its first start', async () => {
  await migrate(database.url, dir)
  await query('alter table schema_migration drop column checksum')
  const edited = join(dir, '0002_jobs_files.sql')
  await writeFile(edited, `${await readFile(edited, 'utf8')}\n-- as it was released`)
  await expect(migrate(database.url, dir)).resolves.toMatchObject({ applied: [] })
  const kept = await query<{ checksum: string }>('select checksum from schema_migration order by version')
  expect(kept.map((row) => row.checksum)).toEqual((await listMigrations(dir)).map(({ checksum }) => checksum))
  await cp(migrationsDir, dir, { recursive: true })
  await expect(migrate(database.url, dir)).rejects.toThrow(EditedMigrationError)
})

test('a failing migration leaves nothing of itself behind and names its file', async () => {
  await migrate(database.url, dir)
  await writeFile(join(dir, '9998_half.sql'), 'create table half (id integer); select no_such_function();')
  await expect(migrate(database.url, dir)).rejects.toThrow(/9998_half\.sql.*no_such_function/)
  expect(await query(`select 1 from information_schema.tables where table_name = 'half'`)).toEqual([])
  expect(await query('select 1 from schema_migration where version = 9998')).toEqual([])
})

test('migration files are numbered without gaps or repeats', async () => {
  const versions = (await listMigrations()).map((migration) => migration.version)
  expect(versions).toEqual(versions.map((_, index) => index + 1))
})

test('seeded roles are 1 admin, 2 supplier, 3 user (spec 3)', async () => {
  await migrate(database.url, dir)
  const rows = await query<{ id: string; name: string; built_in: boolean }>(
    'select id, name, built_in from role order by id',
  )
  expect(rows.map((row) => [Number(row.id), row.name, row.built_in])).toEqual([
    [1, 'admin', true],
    [2, '供应商', true],
    [3, 'user', true],
  ])
})

test('seeded menu paths are routes of the specification or of our additions', async () => {
  await migrate(database.url, dir)
  const spec = await readFile(new URL('../../../../docs/spec.md', import.meta.url), 'utf8')
  const rows = await query<{ path: string }>(`select path from menu where type = 2`)
  const added = [
    '/systemMangers/setting/index',
    '/systemMangers/job/index',
    '/systemMangers/apiKey/index',
    '/systemMangers/plan/index',
    '/systemMangers/cluster/index',
    '/alarmMangers/notify/index',
    '/operationsMonitorings/report/index',
    '/ruleEngine/forward/index',
    '/systemMangers/signOn/index',
  ]
  for (const { path } of rows) expect(spec.includes(`| ${path} |`) || added.includes(path), path).toBe(true)
})

test('channel_keys: who may change a channel may read it whole, and old deliveries keep the host alone', async () => {
  const known = await listMigrations(dir)
  const from = known.findIndex(({ file }) => file.endsWith('_channel_keys.sql'))
  for (const { file } of known.slice(from)) await rm(join(dir, file))
  await migrate(database.url, dir)
  const base = '/api/v1/things/rule/notify/channel'
  await query(`insert into role_api (role_id, route, method) values (2, '${base}/update', 2), (3, '${base}/index', 2)`)
  await query(`insert into notify_delivery (type, settings, target, title, content, source, created_at, next_at) values
    ('webhook', '{}', 'https://a.example:8443/hooks/key', '', '', 'test', 1, 0),
    ('webhook', '{}', 'https://b.example', '', '', 'test', 2, 0),
    ('email', '{}', 'c@example.com', '', '', 'test', 3, 0)`)
  await migrate(database.url)
  const held = await query<{ role_id: string }>(`select role_id from role_api where route = '${base}/read'`)
  expect(held.map((row) => Number(row.role_id))).toEqual([2])
  const sent = await query<{ target: string }>('select target from notify_delivery order by created_at')
  expect(sent.map((row) => row.target)).toEqual(['https://a.example:8443', 'https://b.example', 'c@example.com'])
})

test('operation_log_chain: entries of an earlier version are chained, and the owner cannot change them by mistake', async () => {
  const known = await listMigrations(dir)
  const from = known.findIndex(({ file }) => file.endsWith('_operation_log_chain.sql'))
  for (const { file } of known.slice(from)) await rm(join(dir, file))
  await migrate(database.url, dir)
  await query(`insert into operation_log (user_id, user_name, oper_name, business_type, uri, ip_addr, location, req, resp,
    code, msg, duration_ms, request_id, created_at)
    select 1, 'old', '新增', 1, '/x', '', '', '{"n":' || n || '}', '{}', 200, '', 1, 'old', now() from generate_series(1, 50) n`)
  await query('delete from operation_log where id in (1, 20, 50)')
  await migrate(database.url)
  const { db, close } = connect(database.url, () => undefined, 1)
  try {
    expect(await checkChain(db, () => undefined)).toMatchObject({ entries: 47, first: 2, broken: undefined })
    await appendEntries(db, [{}, {}])
    const report = await checkChain(db, () => undefined)
    expect(report).toMatchObject({ entries: 49, head: { id: 51 }, broken: undefined })
  } finally {
    await close()
  }
  for (const statement of ['delete from', 'truncate', 'update'])
    await expect(query(`${statement} operation_log${statement === 'update' ? ' set id = 0' : ''}`)).rejects.toThrow(
      'the operation log is append-only',
    )
  expect(await query(`select operation_log_drop(now(), 100) as dropped`)).toEqual([{ dropped: 0 }])
})

test('job_lease: the old queue goes when all that waits in it is a job that waits', async () => {
  const known = await listMigrations(dir)
  const from = known.findIndex(({ file }) => file.endsWith('_job_lease.sql'))
  for (const { file } of known.slice(from)) await rm(join(dir, file))
  await migrate(database.url, dir)
  await query(`insert into job (job_id, kind, title, status, input, deadline_at) values
    ('waits', 'k', '', 1, '{}', now()), ('runs', 'k', '', 2, '{}', now())`)
  await query(`create schema pgboss; create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed');
    create table pgboss.queue (name text); insert into pgboss.queue values ('job');
    create table pgboss.job (name text, data jsonb, state pgboss.job_state); insert into pgboss.job values
      ('job', '{"jobID": "waits"}', 'created'), ('job', '{"jobID": "over"}', 'completed')`)
  const held = await readFile(join(migrationsDir, known[from]?.file ?? ''), 'utf8')
  const dropOld = held.slice(held.indexOf('do $$'))
  const isThere = async () => (await query(`select 1 from pg_namespace where nspname = 'pgboss'`)).length === 1
  const keeping = [
    `insert into pgboss.job values ('job', '{"jobID": "runs"}', 'active')`,
    `insert into pgboss.job values ('job', '{"jobID": "nowhere"}', 'retry')`,
    `insert into pgboss.queue values ('of somebody else')`,
  ]
  for (const statement of keeping) {
    await query(`begin; ${statement}; ${dropOld} do $$ begin
      if to_regclass('pgboss.job') is null then raise 'it is gone'; end if; end $$; rollback`)
  }
  expect(await isThere()).toBe(true)
  await migrate(database.url)
  expect(await isThere()).toBe(false)
  const rows = await query<{ job_id: string; free: boolean }>(
    'select job_id, next_at <= now() as free from job order by job_id',
  )
  expect(rows).toEqual([
    { job_id: 'runs', free: false },
    { job_id: 'waits', free: true },
  ])
})

test('config_version_by_product: versions count for each product, and what refers to them follows', async () => {
  const known = await listMigrations(dir)
  const from = known.findIndex(({ file }) => file.endsWith('_config_version_by_product.sql'))
  for (const { file } of known.slice(from)) await rm(join(dir, file))
  await migrate(database.url, dir)
  await query(
    `insert into product (product_id, product_name, secret) values ('product0001', '一', ''), ('product0002', '二', '')`,
  )
  await query(`insert into remote_config (product_id, content, restored_from) values
    ('product0001', '{"a":1}', 0), ('product0002', '{"b":1}', 0), ('product0001', '{"a":2}', 0), ('product0002', '{"b":2}', 2), ('product0001', '{"a":3}', 1)`)
  await query(`insert into device (device_id, product_id, device_name, secret) overriding system value
    values (7, 'product0002', 'd', '')`)
  await query('insert into device_config (device_id, config_id, delivered_at) values (7, 4, 1)')
  await query(
    `insert into rollout (kind, owner_id, product_id, topic, per_minute, start_at, created_at) values
    ('config', 5, 'product0001', '', 1, 0, 0), ('config', 99, 'product0001', '', 1, 0, 0), ('task', 5, 'product0001', '', 1, 0, 0)`,
  )
  await query(`insert into device_task (name, task_type, product_id, schedule, plan) values
    ('a', 1, 'product0002', 1, '{"configID":4}'), ('b', 1, 'product0002', 1, '{"configID":99}'), ('c', 1, 'product0002', 1, '{"configID":null}')`)
  await migrate(database.url)
  const versions = await query<{ product_id: string; id: number; content: string; restored_from: number }>(
    'select product_id, id, content, restored_from from remote_config order by product_id, id',
  )
  expect(versions.map((row) => [row.product_id, row.id, row.content, row.restored_from])).toEqual([
    ['product0001', 1, '{"a":1}', 0],
    ['product0001', 2, '{"a":2}', 0],
    ['product0001', 3, '{"a":3}', 1],
    ['product0002', 1, '{"b":1}', 0],
    ['product0002', 2, '{"b":2}', 1],
  ])
  expect(await query('select config_id from device_config')).toEqual([{ config_id: 2 }])
  expect(await query('select kind, owner_id from rollout order by run_id')).toEqual([
    { kind: 'config', owner_id: 3 },
    { kind: 'config', owner_id: 0 },
    { kind: 'task', owner_id: 5 },
  ])
  const plans = await query<{ plan: unknown }>('select plan from device_task order by name')
  expect(plans.map(({ plan }) => plan)).toEqual([{ configID: 2 }, { configID: -1 }, { configID: null }])
})
