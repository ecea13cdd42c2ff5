/** Numbered SQL migrations, applied once, in order, each in its own transaction, under one lock for all servers. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Held while the schema changes: by migrations, and by a restore. */
export const migrationLock = 7_201_101
const oldestServer = 150_000

export class NewerDatabaseError extends Error {}
export class OldPostgresError extends Error {}

interface Migration {
  version: number
  file: string
}

export async function listMigrations(dir = migrationsDir): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return files.map((file) => ({ version: Number(file.slice(0, 4)), file }))
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < oldestServer) {
    throw new OldPostgresError(`PostgreSQL 15 or newer is needed, the server is ${rows[0]?.version}`)
  }
}

async function appliedVersions(client: pg.Client): Promise<Set<number>> {
  await client.query(
    `create table if not exists schema_migration (
       version integer primary key, file text not null, applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ version: number }>('select version from schema_migration')
  return new Set(rows.map((row) => row.version))
}

function refuseNewer(applied: Set<number>, known: Migration[]): void {
  const newest = known.at(-1)?.version ?? 0
  const newer = [...applied].filter((version) => version > newest)
  if (newer.length > 0) {
    throw new NewerDatabaseError(
      `the database was made by a newer version of this program (migration ${Math.max(...newer)}, this program knows up to ${newest}); start that version instead`,
    )
  }
}

async function apply(client: pg.Client, migration: Migration, dir: string): Promise<void> {
  const text = await readFile(`${dir}/${migration.file}`, 'utf8')
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into schema_migration (version, file) values ($1, $2)', [
      migration.version,
      migration.file,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`migration ${migration.file} failed: ${(cause as Error).message}`, { cause })
  }
}

/** `before` is called when something is due. Returns the files that were applied now. */
export async function migrate(
  connectionString: string,
  dir = migrationsDir,
  before: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: 'ithings-core migrate' })
  await client.connect()
  try {
    await requireSupportedServer(client)
    // Held until the connection closes: a second server waits here and then finds nothing to do.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const known = await listMigrations(dir)
    const applied = await appliedVersions(client)
    refuseNewer(applied, known)
    const due = known.filter((migration) => !applied.has(migration.version))
    if (due.length > 0) await before()
    for (const migration of due) await apply(client, migration, dir)
    return due.map((migration) => migration.file)
  } finally {
    await client.end()
  }
}
