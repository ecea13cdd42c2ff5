/** A scratch database with one product and some devices, and the parts of the journal on it. */
import type pg from 'pg'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { connect } from '#db/connect.ts'
import type { JournalEntry } from '#ports/journal.ts'
import { JournalKind } from '#ports/journal.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { makePgJournal, type PgJournal } from '../pg-journal.ts'

export const testProduct = '25dmqhW3TQa'

export interface JournalRoom {
  url: string
  name: string
  pool: pg.Pool
  journal: PgJournal
  metrics: Registry
  log: { info(): void; warn(): void }
  entry(fields?: Partial<JournalEntry>): JournalEntry
  /** An accepted report of properties. */
  report(deviceID: number, values: Record<string, unknown>, at: number, deviceTime?: number): JournalEntry
  rows(where?: string): Promise<Array<Record<string, unknown>>>
  close(): Promise<void>
}

export async function openJournalRoom({ devices = 4, nodeNumber = 1 } = {}): Promise<JournalRoom> {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  const connection = connect(database.url, () => undefined, 10)
  const { pool } = connection
  const metrics = new Registry()
  const log = { info: () => undefined, warn: () => undefined }
  await pool.query(`insert into product (product_id, product_name, device_type, secret) values ($1, '测试', 1, 'x')`, [
    testProduct,
  ])
  await pool.query(
    `insert into device (product_id, device_name, secret) select $1, 'd' || n, 'x' from generate_series(1, $2::int) n`,
    [testProduct, devices],
  )
  const journal = makePgJournal({ databaseUrl: database.url, nodeNumber, log, metrics })
  await journal.start()

  const entry = (fields: Partial<JournalEntry> = {}): JournalEntry => {
    const deviceID = fields.deviceID ?? 1
    return {
      deviceID,
      productID: testProduct,
      deviceName: `d${deviceID}`,
      logDays: 7,
      at: Date.now(),
      seq: journal.nextSeq(),
      kind: JournalKind.property,
      up: true,
      topic: `$thing/up/property/${testProduct}/d${deviceID}`,
      method: 'report',
      token: 'token-1',
      code: 200,
      msg: '',
      deviceTime: 0,
      content: '{"a":1}',
      dataID: '',
      latency: 120,
      values: undefined,
      ...fields,
    }
  }
  return {
    url: database.url,
    name: database.name,
    pool,
    journal,
    metrics,
    log,
    entry,
    report: (deviceID, values, at, deviceTime = 0) =>
      entry({ deviceID, values, content: JSON.stringify(values), at, deviceTime }),
    rows: async (where = 'true') => (await pool.query(`select * from journal where ${where} order by at, seq`)).rows,
    async close() {
      await journal.stop()
      await connection.close()
      await database.drop()
    },
  }
}

/** Ends the connections of the lanes, as a database that restarts does. */
export const cutLanes = (room: JournalRoom) =>
  room.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'ithings journal%'`,
  )
