/** Numbered SQL migrations, applied once, in order, each in its own transaction, under one lock for all servers. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { DatabaseClient } from '#ports/database-client.ts'

export const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Held while the schema changes: by migrations, and by a restore. */
export const migrationLock = 7_201_101
const oldestServer = 150_000

export class NewerDatabaseError extends Error {}
export class OldPostgresError extends Error {}
export class EditedMigrationError extends Error {}

export interface Migration {
  version: number
  file: string
  text: string
  checksum: string
}

/** A checkout on Windows may have other line ends; the statements are the same. */
const checksumOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

export async function listMigrations(dir = migrationsDir): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(`${dir}/${file}`, 'utf8')
      return { version: Number(file.slice(0, 4)), file, text, checksum: checksumOf(text) }
    }),
  )
}

/** Made by the program itself: the first migration is noted in it already. */
export const migrationTable = `create table if not exists schema_migration (
  version integer primary key, file text not null, applied_at timestamptz not null default now(), checksum text)`

export async function noteMigration(client: pg.Client, { version, file, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migration (version, file, checksum) values ($1, $2, $3)', [
    version,
    file,
    checksum,
  ])
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < oldestServer) {
    throw new OldPostgresError(`PostgreSQL 15 or newer is needed, the server is ${rows[0]?.version}`)
  }
}

/** The checksums of what was applied, by version; null: an earlier version of the program kept none. */
async function readApplied(client: pg.Client): Promise<Map<number, string | null>> {
  await client.query(migrationTable)
  const { rows, fields } = await client.query<{ version: number; checksum?: string }>('select * from schema_migration')
  // Only when it is missing: the statement waits for everybody who reads the table, and a backup does so for long.
  if (!fields.some(({ name }) => name === 'checksum'))
    await client.query('alter table schema_migration add column checksum text')
  return new Map(rows.map(({ version, checksum }) => [version, checksum ?? null]))
}

/** What was applied before checksums were kept is taken for what the files are now. */
async function takeChecksums(
  client: pg.Client,
  applied: Map<number, string | null>,
  known: Migration[],
): Promise<void> {
  for (const { version, checksum } of known) {
    if (applied.get(version) !== null) continue
    await client.query('update schema_migration set checksum = $2 where version = $1', [version, checksum])
  }
}

function refuseEdited(applied: Map<number, string | null>, known: Migration[]): void {
  const edited = known.filter(({ version, checksum }) => (applied.get(version) ?? checksum) !== checksum)
  if (edited.length === 0) return
  const files = edited.map(({ file }) => file).join(', ')
  throw new EditedMigrationError(
    `the database was made with another text of ${files}: put the file back as it was released, and write the change as a new migration`,
  )
}

function refuseNewer(applied: Map<number, string | null>, known: Migration[]): void {
  const newest = known.at(-1)?.version ?? 0
  const newer = [...applied.keys()].filter((version) => version > newest)
  if (newer.length > 0) {
    throw new NewerDatabaseError(
      `the database was made by a newer version of this program (migration ${Math.max(...newer)}, this program knows up to ${newest}); start that version instead`,
    )
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await noteMigration(client, migration)
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
  const client = new DatabaseClient({ connectionString, application_name: 'ithings-core migrate' })
  await client.connect()
  try {
    await requireSupportedServer(client)
    // Held until the connection closes: a second server waits here and then finds nothing to do.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const known = await listMigrations(dir)
    const applied = await readApplied(client)
    refuseNewer(applied, known)
    refuseEdited(applied, known)
    await takeChecksums(client, applied, known)
    const due = known.filter((migration) => !applied.has(migration.version))
    if (due.length > 0) await before()
    for (const migration of due) await apply(client, migration)
    return due.map((migration) => migration.file)
  } finally {
    await client.end()
  }
}
