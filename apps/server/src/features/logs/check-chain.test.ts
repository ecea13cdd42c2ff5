import { createRole } from '@ithings/contract/features/roles.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Connection, connect } from '#db/connect.ts'
import type { FinishedCall } from '#http/operation-log-hook.ts'
import { systemClock } from '#ports/clock.ts'
import { inEnglish } from '#terminal.ts'
import { makeTestBackground } from '#testing/background.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { checkChain } from './check-chain.ts'
import { makeOperationLog } from './operation-log.ts'
import { appendEntries } from './testing/append-entries.ts'

let database: ScratchDatabase
let connection: Connection
let admin: pg.Client
const open = () => connect(database.url, () => undefined, 2)

beforeEach(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  connection = open()
  // Who owns the database itself, past all rights and triggers.
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  await admin.query('set session_replication_role = replica')
})
afterEach(async () => {
  await admin.end()
  await connection.close()
  await database.drop()
})

const quiet = () => undefined
const check = async (noted?: { id: number; hash: Buffer }) => {
  const report = await checkChain(connection.db, quiet, noted)
  return { ...report, broken: report.broken && inEnglish(report.broken) }
}
const fill = (count: number, created_at = new Date()) =>
  appendEntries(
    connection.db,
    Array.from({ length: count }, (_, n) => ({
      msg: `第 ${n} 条 "\\\n\u0001\u007f\u2028 😀`,
      req: `{"n":${n}}`,
      created_at,
    })),
  )

describe('the walk along the chain', () => {
  test('finds what was written unbroken, whatever characters it holds', async () => {
    expect(await check()).toMatchObject({ entries: 0, broken: undefined })
    await fill(10)
    await fill(2_500)
    expect(await check()).toMatchObject({ entries: 2_510, first: 1, head: { id: 2_510 }, broken: undefined })
  })

  test('finds an entry that was changed', async () => {
    await fill(5)
    await admin.query(`update operation_log set resp = '{"code":1}' where id = 3`)
    expect(await check()).toMatchObject({ entries: 2, broken: 'Entry 3 was changed' })
  })

  test('finds an entry that was changed together with its hash', async () => {
    await fill(5)
    await admin.query(`update operation_log o set user_name = 'other',
      hash = sha256((select hash from operation_log where id = 2) || 'anything') where id = 3`)
    expect((await check()).broken).toBe('Entry 3 was changed')
  })

  test('finds entries that were removed of the middle, of the beginning and of the end', async () => {
    await fill(9)
    await admin.query('begin; delete from operation_log where id in (4, 5)')
    await admin.query('commit')
    expect((await check()).broken).toBe('Entries 4 to 5 were removed')
    await admin.query('delete from operation_log where id = 1')
    expect((await check()).broken).toBe('Entry 1 was removed')
  })

  test('finds a tail that was cut off, also when entries followed', async () => {
    await fill(4)
    await admin.query('delete from operation_log where id >= 3')
    expect((await check()).broken).toBe('Entries 3 to 4 were removed at the end')
    await fill(2)
    expect((await check()).broken).toBe('Entries 3 to 4 were removed')
    await admin.query('delete from operation_log')
    expect((await check()).broken).toBe('Entries 1 to 6 were removed at the end')
  })

  test('finds an entry that was inserted', async () => {
    await fill(3)
    const copy = (id: number) =>
      admin.query(`insert into operation_log select ${id}, user_id, 'nobody', oper_name, business_type, uri, ip_addr, location,
        req, resp, code, msg, duration_ms, request_id, created_at, hash from operation_log where id = 3`)
    await copy(4)
    expect((await check()).broken).toBe('Entry 4 was inserted')
    await admin.query('delete from operation_log where id = 4')
    await copy(0)
    await admin.query('update operation_log_chain set anchor_id = -1')
    expect((await check()).broken).toBe('Entry 0 was inserted')
  })

  test('finds by a hash that was noted that the whole chain was written anew', async () => {
    await fill(3)
    const { head } = await check()
    expect(await check(head)).toMatchObject({ broken: undefined })
    await admin.query('delete from operation_log')
    await admin.query(`update operation_log_chain set head_id = 0, head_hash = ''`)
    await fill(2)
    expect(await check()).toMatchObject({ entries: 2, broken: undefined })
    expect((await check(head)).broken).toBe('Entry 3, which was noted, was removed')
    await fill(2)
    expect((await check(head)).broken).toBe('Entry 3 is not the one that was noted')
  })
})

describe('retention', () => {
  const day = 86_400_000
  const drop = async (before: Date, most = 100) =>
    (await sql<{ n: number }>`select operation_log_drop(${before}, ${most}) as n`.execute(connection.db)).rows[0]?.n

  test('keeps what the rest begins with, in several steps and to the last entry', async () => {
    for (const days of [40, 30, 20, 10]) await fill(3, new Date(Date.now() - days * day))
    expect(await drop(new Date(Date.now() - 25 * day), 4)).toBe(4)
    expect(await drop(new Date(Date.now() - 25 * day), 4)).toBe(2)
    expect(await check()).toMatchObject({ entries: 6, first: 7, broken: undefined })
    expect(await drop(new Date(Date.now() - 2 * day))).toBe(6)
    expect(await check()).toMatchObject({ entries: 0, broken: undefined })
    await fill(1)
    expect(await check()).toMatchObject({ entries: 1, first: 13, broken: undefined })
  })

  test('never takes what is younger than a day, nor what lies behind something younger', async () => {
    await fill(1, new Date(Date.now() - 3 * day))
    await fill(1, new Date(Date.now() - day / 2))
    await fill(1, new Date(Date.now() - 3 * day))
    expect(await drop(new Date(Date.now() + 1000 * day))).toBe(1)
    expect(await check()).toMatchObject({ entries: 2, first: 2, broken: undefined })
  })

  test('is not held up for ever by an entry that a wrong clock dated ahead', async () => {
    await fill(1, new Date(Date.now() + 9_000 * day))
    await fill(1, new Date(Date.now() - 3 * day))
    expect(await drop(new Date(Date.now() - 2 * day))).toBe(2)
  })
})

const call: FinishedCall = {
  user: { userID: 1, userName: 'administrator', role: 1, sid: '', language: 'zh' },
  endpoint: createRole,
  ip: '203.0.113.9',
  body: {},
  answer: '{}',
  code: 200,
  msg: 'success',
  durationMs: 1,
  requestID: 'r',
}
const parts = { clock: systemClock, log: pino({ level: 'silent' }), background: makeTestBackground(systemClock) }
const openLog = (db: Connection['db']) => makeOperationLog({ db, metrics: new Registry(), ...parts })

test('two servers that write at once make one chain', async () => {
  const other = open()
  try {
    const logs = [connection.db, other.db].map(openLog)
    for (let n = 0; n < 700; n++) for (const log of logs) log.record({ ...call, requestID: `r${n}` })
    await Promise.all(logs.map((log) => log.flush()))
    expect(await check()).toMatchObject({ entries: 1_400, head: { id: 1_400 }, broken: undefined })
  } finally {
    await other.close()
  }
})

test('what cannot be written waits and is written later', async () => {
  const log = openLog(connection.db)
  await admin.query('alter function operation_log_append(jsonb) rename to operation_log_away')
  log.record(call)
  expect(await log.flush()).toBe(false)
  await admin.query('alter function operation_log_away(jsonb) rename to operation_log_append')
  log.record(call)
  await log.stop()
  expect(await check()).toMatchObject({ entries: 2, broken: undefined })
})

test('the role of the program may add and read, and nothing else', async () => {
  await fill(2)
  for (const statement of [
    `update operation_log set msg = 'x'`,
    'delete from operation_log',
    'truncate operation_log',
    'drop table operation_log',
    'alter table operation_log disable trigger user',
    'insert into operation_log select * from operation_log',
    `update operation_log_chain set head_id = 0`,
    'drop function operation_log_append',
    `create or replace function operation_log_refuse() returns trigger language plpgsql as 'begin return null; end'`,
    'set role ithings_audit',
    'set session_replication_role = replica',
  ]) {
    await expect(
      sql.raw(`set operation_log.dropping = 'on'; ${statement}`).execute(connection.db),
      statement,
    ).rejects.toMatchObject({ code: '42501' })
  }
  const { rows } =
    await connection.pool.query(`select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
    from pg_roles where rolname = current_user`)
  expect(rows.map((row) => Object.values(row))).toEqual([[false, false, false, false, false]])
  expect(await check()).toMatchObject({ entries: 2, broken: undefined })
})
