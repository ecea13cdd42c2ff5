import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { adminQuery, makeScratchDatabase, uniqueName } from '#testing/scratch-database.ts'
import { checkChain } from './check-chain.ts'
import { appendEntries } from './testing/append-entries.ts'

test('with the statements of deployment.md a role that owned everything may only add and read', async () => {
  const guide = await readFile(new URL('../../../../../docs/deployment.md', import.meta.url), 'utf8')
  const server = inject('databaseUrl')
  const [role, auditor] = [uniqueName('role'), uniqueName('audit')]
  const { rows } = await asAdmin(server, 'select current_user as name')
  const database = await makeScratchDatabase(server)
  onTestFinished(async () => {
    await database.drop()
    await adminQuery(server, `drop role if exists ${role}; drop role if exists ${auditor}`)
  })
  await adminQuery(
    server,
    `create role ${role} login password 'plain'; alter database ${database.name} owner to ${role}`,
  )
  const url = database.adminUrl.replace(/\/\/[^@]*@/, `//${role}:plain@`)
  await migrate(url)

  const english = await readFile(new URL('../../../../../docs/en/deployment.md', import.meta.url), 'utf8')
  expect(english.match(/```sql\n[\s\S]*?```/)?.[0]).toBe(guide.match(/```sql\n[\s\S]*?```/)?.[0])
  const statements = (/```sql\n(create role ithings_audit[\s\S]*?)```/.exec(guide)?.[1] ?? '')
    .replaceAll('ithings_audit', auditor)
    .replaceAll('database ithings', `database ${database.name}`)
    .replaceAll(/to ithings;/g, `to ${role};`)
    .replaceAll('to postgres;', `to ${rows[0]?.name};`)
  await adminQuery(database.adminUrl, statements)

  const { db, close } = connect(url, () => undefined, 1)
  try {
    await appendEntries(db, [{ created_at: new Date(0) }, { created_at: new Date() }])
    for (const act of ['delete from', 'truncate', 'drop table']) {
      await expect(adminQuery(url, `${act} operation_log`), act).rejects.toMatchObject({ code: '42501' })
    }
    expect((await asAdmin(url, 'select operation_log_drop(now(), 10) as n')).rows).toEqual([{ n: 1 }])
    expect(await checkChain(db, () => undefined)).toMatchObject({ entries: 1, first: 2, broken: undefined })
  } finally {
    await close()
  }
})

async function asAdmin(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
