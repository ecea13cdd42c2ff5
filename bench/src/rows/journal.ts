/** decisions.md 5: what the journal takes in, what a message costs on disk, and how quickly closed hours are packed. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hourMs } from '@ithings/contract/durations.ts'
import { Registry } from 'prom-client'
import { type Connection, connect } from '../../../apps/server/src/db/connect.ts'
import { migrate } from '../../../apps/server/src/db/migrate.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { ensurePackState, packClosedHours } from '../../../apps/server/src/engines/pg-journal/pack.ts'
import { makePgJournal, type PgJournal } from '../../../apps/server/src/engines/pg-journal/pg-journal.ts'
import { type JournalEntry, JournalKind } from '../../../apps/server/src/ports/journal.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const messages = quick ? 300_000 : 1_500_000
const devices = 5_000
const valuesAMessage = 3
/** As many as a few thousand connections have under way. */
const underWay = 2_000
const steadySeconds = quick ? 5 : 20
const steadyRate = 3_000
const productID = 'P0000000001'
/** The past, so that the hour is closed when it is packed. */
const hour = Math.floor(Date.now() / hourMs) - 2

export function makeEntries(journal: PgJournal) {
  let made = 0
  return (at: number): JournalEntry => {
    const n = made++
    const deviceID = 1 + (n % devices)
    const values = { temperature: 20 + (n % 100) / 10, humidity: n % 100, power: ((n * 137) % 1_000) / 10 }
    return {
      deviceID,
      productID,
      deviceName: `d${deviceID}`,
      logDays: 7,
      at,
      seq: journal.nextSeq(),
      kind: JournalKind.property,
      up: true,
      topic: `$thing/up/property/${productID}/d${deviceID}`,
      method: 'report',
      token: `t${1_000_000_000 + n}`,
      code: 200,
      msg: '',
      deviceTime: at,
      content: JSON.stringify(values),
      dataID: '',
      latency: 100,
      values,
    }
  }
}

/** Closed loop: the next message when one is stored. The times spread over the hour that is packed afterwards. */
export async function appendAll(
  journal: PgJournal,
  entry: (at: number) => JournalEntry,
  { messages, hour }: { messages: number; hour: number },
): Promise<number> {
  let sent = 0
  const begun = performance.now()
  const caller = async () => {
    while (sent < messages) {
      const at = hour * hourMs + Math.floor((sent++ / messages) * hourMs)
      await journal.append(entry(at))
    }
  }
  await Promise.all(Array.from({ length: underWay }, caller))
  return (messages / (performance.now() - begun)) * 1000
}

/** Open loop at a steady rate: how long one message waits for its commit. */
async function appendSteadily(journal: PgJournal, entry: (at: number) => JournalEntry): Promise<number> {
  const times: number[] = []
  const stored: Promise<unknown>[] = []
  const begun = performance.now()
  while (performance.now() - begun < steadySeconds * 1000) {
    const due = ((performance.now() - begun) / 1000) * steadyRate
    while (stored.length < due) {
      const sentAt = performance.now()
      stored.push(journal.append(entry(Date.now())).then(() => times.push(performance.now() - sentAt)))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(stored)
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

async function bytesAValue({ pool }: Connection): Promise<number> {
  const { rows } = await pool.query<{ bytes: number; count: number }>(
    `select (select sum(pg_total_relation_size(relid)) from pg_partition_tree('journal') where isleaf)::float8 as bytes,
       (select count(*) from journal)::float8 as count`,
  )
  return (rows[0]?.bytes ?? 0) / ((rows[0]?.count ?? 1) * valuesAMessage)
}

/** A journal and the devices that its entries are of; nothing before the hour is packed. */
export async function openJournal({ pool }: Connection, databaseUrl: string, hour: number): Promise<PgJournal> {
  await pool.query(`insert into product (product_id, product_name, device_type, secret) values ($1, 'p', 1, 'x')`, [
    productID,
  ])
  await pool.query(
    `insert into device (product_id, device_name, secret) select $1, 'd' || n, 'x' from generate_series(1, ${devices}) n`,
    [productID],
  )
  await ensurePackState(pool, hour * hourMs)
  // A platform that has run on this database has begun with the hour in which it was started.
  await pool.query('update pack_state set hour = $1', [hour])
  const log = { warn: (context: object, text: string) => console.error(text, context) }
  const journal = makePgJournal({ databaseUrl, nodeNumber: 1, log, metrics: new Registry() })
  await journal.start()
  return journal
}

async function measureAll(connection: Connection, databaseUrl: string): Promise<Row[]> {
  const { pool } = connection
  const journal = await openJournal(connection, databaseUrl, hour)
  const entry = makeEntries(journal)
  const rate = await appendAll(journal, entry, { messages, hour })
  const disk = await bytesAValue(connection)
  const p99 = await appendSteadily(journal, entry)
  await journal.stop()
  await pool.query('analyze journal')
  const begun = performance.now()
  await packClosedHours(pool, Date.now())
  const packed = ((messages * valuesAMessage) / (performance.now() - begun)) * 1000
  const area = 'Journal'
  return [
    row({
      area,
      what: `append of ${messages} messages, each after its commit`,
      figure: rate,
      unit: 'messages/s',
      reference: 25_000,
      higherIsBetter: true,
    }),
    row({ area, what: `append at ${steadyRate} messages/s, p99`, figure: p99, unit: 'ms', reference: 20 }),
    row({ area, what: 'disk before packing, with indexes', figure: disk, unit: 'bytes a value', reference: 60 }),
    // goals.md "Ingest": 60,000 values/s is what the whole platform is to take in.
    row({
      area,
      what: 'packing of a closed hour',
      figure: packed,
      unit: 'values/s',
      reference: 60_000,
      higherIsBetter: true,
    }),
  ]
}

export async function measureJournal(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const databaseUrl = postgres.connectionString
  const connection = connect(databaseUrl, () => {}, 4)
  try {
    await migrate(databaseUrl)
    const rows = await measureAll(connection, databaseUrl)
    console.error(
      `  load of the machine: ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}`,
    )
    return rows
  } finally {
    await connection.close()
    await postgres.stop()
    for (const dir of [postgres.where, dataDir]) await rm(dir, { recursive: true, force: true })
  }
}
