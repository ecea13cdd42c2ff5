import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createRole } from '@ithings/contract/features/roles.ts'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { runCommand } from '#backup/command.ts'
import { makeFolder } from '#backup/testing/backup-room.ts'
import { connect } from '#db/connect.ts'
import { listMigrations, migrate, migrationsDir } from '#db/migrate.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { appendEntries } from '#features/logs/testing/append-entries.ts'
import { adminQuery, makeScratchDatabase } from '#testing/scratch-database.ts'
import { testConfig } from '#testing/test-config.ts'
import { auditCheck } from './audit-check.ts'
import { buildApp } from './build-app.ts'

async function check(config: { databaseUrl?: string; dataDir: string }, ...args: string[]) {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const code = await auditCheck({ args, config: { databaseUrl: undefined, ...config }, say, complain: say })
  return [code, ...lines.filter((line) => !line.startsWith('PostgreSQL'))]
}

const quiet = { info: () => undefined, warn: () => undefined }

test('the command says what it found and ends with 1 when the chain is broken', async () => {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  onTestFinished(() => database.drop())
  const place = { databaseUrl: database.url, dataDir: '' }
  expect(await check(place)).toEqual([0, 'No entries'])
  const { db, close } = connect(database.url, () => undefined, 1)
  await appendEntries(db, [{}, {}, {}])
  await close()
  const [code, found, hint] = await check(place)
  expect([code, found]).toEqual([0, '3 entries, unbroken from 1 to 3'])
  const noted = /-- (3:[0-9a-f]{64})$/.exec(String(hint))?.[1] ?? ''
  expect(await check(place, noted)).toEqual([code, found, hint])
  expect(await check(place, `2${noted.slice(1)}`)).toEqual([
    1,
    'Broken: Entry 2 is not the one that was noted (1 entry before it is as it was written)',
  ])
  await adminQuery(database.adminUrl, `set session_replication_role = replica; delete from operation_log where id = 2`)
  expect(await check(place)).toEqual([1, 'Broken: Entry 2 was removed (1 entry before it is as it was written)'])
  for (const args of [['x'], [noted, noted]]) expect((await check(place, ...args))[0]).toBe(2)
})

/** A folder as the version before left it: its tables and two entries, all of the superuser, and no other role. */
async function layOldFolder(dataDir: string, folder: string): Promise<void> {
  const old = join(folder, 'migrations')
  await cp(migrationsDir, old, { recursive: true })
  const known = await listMigrations()
  const from = known.findIndex(({ file }) => file.endsWith('_operation_log_chain.sql'))
  for (const { file } of known.slice(from)) await rm(join(old, file))
  const server = await startEmbeddedPostgres({ dataDir, log: quiet })
  await migrate(server.adminUrl, old)
  await adminQuery(
    server.adminUrl,
    `insert into operation_log (user_id, user_name, oper_name, business_type, uri, ip_addr, location, req, resp, code, msg,
       duration_ms, request_id, created_at) select 1, 'old', '新增', 1, '/x', '', '', '{}', '{}', 200, '', 1, 'old', now()
       from generate_series(1, 3);
     delete from operation_log where id = 2;
     drop owned by ithings_app; drop role ithings_app; drop role ithings_audit`,
  )
  await server.stop()
}

test('an old data folder comes up with its log chained and out of reach, also after a restore', async () => {
  const folder = await makeFolder()
  const dataDir = join(folder, 'data')
  await layOldFolder(dataDir, folder)
  const config = testConfig(join(folder, 'files'), { dataDir })

  /** As `npm start` does; one call that is logged, and what the program's role may not do. */
  const runOnce = async () => {
    const server = await startEmbeddedPostgres({ dataDir, log: quiet })
    try {
      const { connectionString: databaseUrl, audit } = server
      const app = await buildApp({ config, databaseUrl, audit, log: pino({ level: 'silent' }) })
      const user = { userID: 1, userName: 'administrator', role: 1, sid: '', language: 'zh' as const }
      const call = { user, endpoint: createRole, ip: '', body: {}, answer: '{}', code: 200, msg: '', durationMs: 1 }
      app.operationLog.record({ ...call, requestID: 'new' })
      await app.operationLog.flush()
      await expect(adminQuery(databaseUrl, 'delete from operation_log')).rejects.toMatchObject({ code: '42501' })
      await expect(adminQuery(databaseUrl, 'drop table operation_log')).rejects.toMatchObject({ code: '42501' })
      // Beside the server that runs.
      const found = await check({ dataDir })
      await app.close()
      return found
    } finally {
      await server.stop()
    }
  }
  const command = (...args: string[]) => {
    const { signal } = new AbortController()
    return runCommand({ args, config, folder, say: () => undefined, complain: () => undefined, signal })
  }

  expect((await runOnce()).slice(0, 2)).toEqual([0, '3 entries, unbroken from 1 to 4'])
  expect(await command('backup', 'kept')).toBe(0)
  expect((await runOnce()).slice(0, 2)).toEqual([0, '4 entries, unbroken from 1 to 5'])
  expect(await command('restore', 'kept', '--force')).toBe(0)
  expect((await check({ dataDir })).slice(0, 2)).toEqual([0, '3 entries, unbroken from 1 to 4'])
  expect((await runOnce()).slice(0, 2)).toEqual([0, '4 entries, unbroken from 1 to 5'])
})
