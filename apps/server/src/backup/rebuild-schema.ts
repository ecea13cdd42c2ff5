/** An empty database with the schema of a backup, ready to be filled, inside the caller's transaction. */
import { phrase } from '@ithings/contract/text.ts'
import type pg from 'pg'
import { listMigrations, type Migration, migrationTable, noteMigration } from '#db/migrate.ts'
import { listTables, quote, tableRef } from './database.ts'
import { BackupError, damaged, type Header, type TableInfo } from './format.ts'

/** Which migrations the backup has, and which follow. A backup whose schema this program cannot make is refused. */
export async function planMigrations(header: Header): Promise<{ had: Migration[]; due: Migration[] }> {
  const known = await listMigrations()
  const checksums = new Map(known.map(({ file, checksum }) => [file, checksum]))
  const { program } = header
  for (const { file } of header.migrations) {
    if (checksums.has(file)) continue
    const values = { program, file }
    throw new BackupError(phrase('备份由本程序的更新版本生成（{program}，迁移 {file}）：请用那个版本恢复', values))
  }
  for (const { file, checksum } of header.migrations) {
    if (!checksum || checksum === checksums.get(file)) continue
    const values = { program, file }
    throw new BackupError(phrase('备份由本程序的另一个版本生成（{program}，迁移 {file}）：请用那个版本恢复', values))
  }
  const had = new Set(header.migrations.map(({ file }) => file))
  return { had: known.filter(({ file }) => had.has(file)), due: known.filter(({ file }) => !had.has(file)) }
}

export async function applyMigrations(client: pg.Client, migrations: Migration[], note: boolean): Promise<void> {
  for (const migration of migrations) {
    await client.query(migration.text)
    // Each has its own transaction otherwise: what it deferred is checked before the next one changes tables.
    await client.query('set constraints all immediate')
    if (note) await noteMigration(client, migration)
  }
}

/** The schema makes its own partitions (migration 0005), so that they are as if the server had made them. */
async function makePartitions(client: pg.Client, tables: TableInfo[]): Promise<void> {
  for (const { schema, name } of tables) {
    if (schema !== 'parts') continue
    const journal = /^journal_(\d+)_(\d+)$/.exec(name)
    const history = /^history_(\d+)$/.exec(name)
    if (journal) await client.query('select journal_make_day($1::smallint, $2::integer)', [journal[1], journal[2]])
    else if (history) await client.query('select history_make_part($1::integer)', [history[1]])
    else throw damaged(phrase('其中有未知种类的分区：{name}', { name }))
  }
}

const refOf = (table: { schema: string; name: string }) => `${table.schema}.${table.name}`

/** What migrations fill by themselves (roles, menus, settings) goes: the backup has it as people left it. */
async function emptyAll(client: pg.Client, tables: TableInfo[]): Promise<void> {
  await client.query(`truncate ${tables.map(tableRef).join(', ')}`)
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

export interface Prepared {
  tables: Map<string, TableInfo>
  /** Everything that was put aside for loading comes back and, of foreign keys, is checked over all rows. */
  seal(): Promise<void>
}

/**
 * Triggers stay off while rows come in, because what they would derive (counts, search texts) comes in too. Foreign
 * keys go and come back, which checks them once instead of row by row and needs no order of tables. Both need no more
 * than being the owner.
 */
export async function prepareSchema(client: pg.Client, header: Header, had: Migration[]): Promise<Prepared> {
  await client.query(migrationTable)
  await applyMigrations(client, had, false)
  await makePartitions(client, header.tables)
  const tables = await listTables(client)
  const { rows: keys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  )
  for (const key of keys) await client.query(`alter table ${key.table} drop constraint ${quote(key.name)}`)
  const { rows: triggered } = await client.query<{ table: string }>(
    `select distinct tgrelid::regclass::text as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`)
  await emptyAll(client, tables)

  const known = new Map(tables.map((table) => [refOf(table), table]))
  for (const table of header.tables) {
    if (!known.has(refOf(table)))
      throw new BackupError(phrase('备份里的表 {table} 不在它的结构中', { table: refOf(table) }))
  }
  return {
    tables: known,
    async seal() {
      for (const { table } of triggered) await client.query(`alter table ${table} enable trigger user`)
      for (const { table, name, definition } of keys) {
        await client.query(`alter table ${table} add constraint ${quote(name)} ${definition}`)
      }
      for (const { name, last, called } of header.sequences) {
        await client.query('select setval($1::regclass, $2::bigint, $3)', [`public.${quote(name)}`, last, called])
      }
    },
  }
}
