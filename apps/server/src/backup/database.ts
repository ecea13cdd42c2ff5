/** What a database of the platform consists of, by its own catalogue: no list of tables to keep up to date here. */
import type pg from 'pg'
import { DatabaseClient } from '#ports/database-client.ts'
import type { Header, TableInfo } from './format.ts'

/** The partitions lie in `parts` (migration 0005). The queue's own schema is left out: it makes itself at start. */
const ours = `('public', 'parts')`
const ofExtension = (catalogue: string) =>
  `exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = c.oid and d.deptype = 'e')`

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const tableRef = ({ schema, name }: { schema: string; name: string }): string =>
  `${quote(schema)}.${quote(name)}`

/** All tables with rows of their own; generated columns are made again by the database. */
export async function listTables(client: pg.Client): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo>(
    `select n.nspname as schema, c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ${ours} and c.relkind = 'r' and not ${ofExtension('pg_class')}
     order by n.nspname desc, c.relname`,
  )
  return rows
}

/** Sequences do not take part in snapshots: read after the snapshot they are never behind its rows. */
export async function readSequences(client: pg.Client): Promise<Header['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and not ${ofExtension('pg_class')} order by 1`,
  )
  const sequences: Header['sequences'] = []
  for (const { name } of rows) {
    const value = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from public.${quote(name)}`,
    )
    for (const { last, called } of value.rows) sequences.push({ name, last, called })
  }
  return sequences
}

/** undefined: no database of this platform. */
export async function readMigrations(client: pg.Client): Promise<Header['migrations'] | undefined> {
  const there = await client.query(`select from pg_class c where c.relname = 'schema_migration'
    and c.relnamespace = 'public'::regnamespace`)
  if (there.rowCount === 0) return undefined
  const { rows } = await client.query(
    `select version, file, to_jsonb(m) ->> 'checksum' as checksum from public.schema_migration m order by version`,
  )
  return rows
}

/** Everything that migrations made goes; extensions and foreign schemas stay. Inside the caller's transaction. */
export async function wipe(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists parts cascade')
  await client.query('drop schema if exists pgboss cascade')
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop table if exists public.%I cascade', c.relname) as statement from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not ${ofExtension('pg_class')}
     union all
     select format('drop sequence if exists public.%I cascade', c.relname) from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and not ${ofExtension('pg_class')}
     union all
     select format('drop routine if exists %s cascade', c.oid::regprocedure) from pg_proc c
     where c.pronamespace = 'public'::regnamespace and not ${ofExtension('pg_proc')}`,
  )
  for (const { statement } of rows) await client.query(statement)
}

const losses = new WeakMap<pg.Client, Error>()

/** What ended the connection between two statements; those that follow only say that it is not there. */
export const lossOf = (client: pg.Client): Error | undefined => losses.get(client)

/** One connection without time limits, with texts of values that any PostgreSQL reads back as the same values. */
export async function connectPlain(connectionString: string): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString,
    application_name: 'ithings-core backup',
    connectionTimeoutMillis: 10_000,
  })
  // The statement that runs tells its caller; without a listener the process would end.
  client.once('error', (error) => losses.set(client, error)).on('error', () => undefined)
  await client.connect()
  const settings = {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: '30s',
    client_encoding: 'UTF8',
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'postgres',
    extra_float_digits: '1',
    bytea_output: 'hex',
  }
  for (const [name, value] of Object.entries(settings))
    await client.query('select set_config($1, $2, false)', [name, value])
  return client
}
