/** Numbered SQL migrations, applied once, in order, each in its own transaction, under one lock for all servers. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { phrase } from '@ithings/contract/text.ts'
import type pg from 'pg'
import { DatabaseClient } from '#ports/database-client.ts'
import { TerminalError, wordsOf } from '#terminal.ts'
import { requireOwnSession } from './own-session.ts'
import { type Applied, oldestOf, refuseNewer, refuseOldServers } from './rolling-upgrade.ts'

export const migrationsDir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Held while the schema changes: by migrations, and by a restore. */
export const migrationLock = 7_201_101
const oldestServer = 150_000

export class OldPostgresError extends TerminalError {}
export class EditedMigrationError extends TerminalError {}

export interface Migration {
  version: number
  file: string
  text: string
  checksum: string
  /** The oldest program that may run beside it, named by the newest migration that program knows. */
  oldest: number
}

/** A checkout on Windows may have other line ends; the statements are the same. */
const checksumOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')

export async function listMigrations(dir = migrationsDir): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(`${dir}/${file}`, 'utf8')
      const version = Number(file.slice(0, 4))
      return { version, file, text, checksum: checksumOf(text), oldest: oldestOf(text) ?? version }
    }),
  )
}

/** Made by the program itself: the first migration is noted in it already. */
export const migrationTable = `create table if not exists schema_migration (
  version integer primary key, file text not null, applied_at timestamptz not null default now(), checksum text, oldest integer)`

export async function noteMigration(client: pg.Client, migration: Migration): Promise<void> {
  const { version, file, checksum, oldest } = migration
  await client.query('insert into schema_migration (version, file, checksum, oldest) values ($1, $2, $3, $4)', [
    version,
    file,
    checksum,
    oldest,
  ])
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < oldestServer) {
    const version = String(rows[0]?.version)
    throw new OldPostgresError(phrase('需要 PostgreSQL 15 或更新的版本，服务器是 {version}', { version }))
  }
}

/** What was applied, by version. An earlier version of the program kept less about it. */
async function readApplied(client: pg.Client): Promise<Map<number, Applied>> {
  await client.query(migrationTable)
  const { rows, fields } = await client.query<Partial<Applied> & { version: number }>('select * from schema_migration')
  // Only what is missing: the statement waits for everybody who reads the table, and a backup does so for long.
  for (const [column, type] of [
    ['checksum', 'text'],
    ['oldest', 'integer'],
  ])
    if (!fields.some(({ name }) => name === column))
      await client.query(`alter table schema_migration add column ${column} ${type}`)
  return new Map(
    rows.map(({ version, checksum, oldest }) => [version, { checksum: checksum ?? null, oldest: oldest ?? version }]),
  )
}

/** What was applied before checksums were kept is taken for what the files are now. */
async function takeChecksums(client: pg.Client, applied: Map<number, Applied>, known: Migration[]): Promise<void> {
  for (const { version, checksum } of known) {
    if (applied.get(version)?.checksum !== null) continue
    await client.query('update schema_migration set checksum = $2 where version = $1', [version, checksum])
  }
}

function refuseEdited(applied: Map<number, Applied>, known: Migration[]): void {
  const edited = known.filter(({ version, checksum }) => (applied.get(version)?.checksum ?? checksum) !== checksum)
  if (edited.length === 0) return
  const files = edited.map(({ file }) => file).join(', ')
  throw new EditedMigrationError(
    phrase('数据库是用内容不同的 {files} 建立的：请恢复发布时的文件，把改动写成新的迁移', { files }),
  )
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await noteMigration(client, migration)
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    const { file } = migration
    throw new TerminalError(phrase('迁移 {file} 失败：{why}', { file, why: wordsOf(cause) }), { cause })
  }
}

export interface Migrated {
  /** The files that were applied now. */
  applied: string[]
  /** The newest migration that this program knows. */
  own: number
  /** A newer version of the program, beside which this one may run, has been here. */
  isNewer: boolean
}

/** `before` is called when something is due. */
export async function migrate(
  connectionString: string,
  dir = migrationsDir,
  before: () => Promise<unknown> = async () => {},
): Promise<Migrated> {
  const client = new DatabaseClient({ connectionString, application_name: 'ithings-core migrate' })
  await client.connect()
  try {
    await requireSupportedServer(client)
    await requireOwnSession(client, connectionString)
    // Held until the connection closes: a second server waits here and then finds nothing to do.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const known = await listMigrations(dir)
    const applied = await readApplied(client)
    const own = known.at(-1)?.version ?? 0
    const isNewer = refuseNewer(applied, own)
    refuseEdited(applied, known)
    await takeChecksums(client, applied, known)
    const due = known.filter((migration) => !applied.has(migration.version))
    await refuseOldServers(client, due)
    if (due.length > 0) await before()
    for (const migration of due) await apply(client, migration)
    return { applied: due.map((migration) => migration.file), own, isNewer }
  } finally {
    await client.end()
  }
}
