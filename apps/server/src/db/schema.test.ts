import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { readTableTypes } from '#testing/table-types.ts'

let database: ScratchDatabase
let client: pg.Client

beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const typescriptOf: Record<string, string> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  text: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  jsonb: 'Json',
  'timestamp with time zone': 'Date',
  _int4: 'number[]',
  _int8: 'string[]',
  _text: 'string[]',
  _float8: 'number[]',
  uuid: 'string',
  xid8: 'string',
  real: 'number',
}

interface ColumnRow {
  table_name: string
  column_name: string
  data_type: string
  udt_name: string
  is_nullable: string
  column_default: string | null
  is_identity: string
  is_generated: string
}

async function realColumns() {
  const { rows } = await client.query<ColumnRow>(
    `select table_name, column_name, data_type, udt_name, is_nullable, column_default, is_identity, is_generated
     from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migration'`,
  )
  const tables: Record<string, Record<string, unknown>> = {}
  for (const row of rows) {
    const table = tables[row.table_name] ?? {}
    tables[row.table_name] = table
    table[row.column_name] = {
      base: typescriptOf[row.data_type === 'ARRAY' ? row.udt_name : row.data_type] ?? `unknown ${row.data_type}`,
      nullable: row.is_nullable === 'YES',
      generated: row.column_default !== null || row.is_identity === 'YES' || row.is_generated === 'ALWAYS',
    }
  }
  return tables
}

test('the row types are exactly the columns of the migrated database', async () => {
  expect(await readTableTypes()).toEqual(await realColumns())
})

test('the reader of row types sees every column', async () => {
  const types = await readTableTypes()
  expect(Object.keys(types).length).toBeGreaterThan(10)
  expect(types.app_user?.last_login_at).toEqual({ base: 'Date', nullable: true, generated: false })
  expect(types.operation_log?.id).toEqual({ base: 'number', nullable: false, generated: true })
})
