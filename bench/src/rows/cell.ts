/** What a message costs when several servers share a PostgreSQL, and what packing costs there: scaling.md 5. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hourMs } from '@ithings/contract/durations.ts'
import pg from 'pg'
import { connect } from '../../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { packClosedHours } from '../../../apps/server/src/engines/pg-journal/pack.ts'
import { generate } from '../load/generate.ts'
import { type BenchPlatform, endProcess, makeStations, signIn, startPlatform, stationClient } from '../platform.ts'
import { databaseTime, postmasterOf, processTime } from '../processor-time.ts'
import { type Row, row } from '../row.ts'
import { appendAll, makeEntries, openJournal } from './journal.ts'

const quick = process.argv.includes('--quick')
const counts = [1, 2, 3]
const rate = 3_000
const devices = 600
const warmUpMs = quick ? 5_000 : 10_000
const measureMs = quick ? 10_000 : 30_000
const packedMessages = quick ? 100_000 : 500_000
const area = 'Cell'

interface Cost {
  servers: number
  database: number
  perSecond: number
  p99: number
}

interface Orders {
  platforms: BenchPlatform[]
  productID: string
  postmaster: string
}

/** The same rate, shared out evenly over the servers; microseconds a message. */
async function measureLoad({ platforms, productID, postmaster }: Orders): Promise<Cost> {
  const spent = { servers: 0, database: 0 }
  const share = devices / platforms.length
  const results = await Promise.all(
    platforms.map(({ mqttPort: port, child }, i) => {
      const clients = Array.from({ length: share }, (_, n) => stationClient(productID, i * share + n))
      return generate({ port, clients, rate: rate / platforms.length, warmUpMs, measureMs }, (phase) => {
        const sign = phase === 'begun' ? -1 : 1
        spent.servers += sign * processTime(child.pid ?? 0)
        // All begin and end together: one of them looks at what they share.
        if (i === 0) spent.database += sign * databaseTime(postmaster)
      })
    }),
  )
  const messages = results.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  return {
    servers: (spent.servers * 1000) / messages,
    database: (spent.database * 1000) / messages,
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  }
}

/** An hour of messages, packed by so many at the same time, each with a connection of its own. */
async function measurePacking(databaseUrl: string, postmaster: string): Promise<Row[]> {
  const rows: Row[] = []
  const first = Math.floor(Date.now() / hourMs) - 2 * counts.length
  const connection = connect(databaseUrl, () => {}, 4)
  const journal = await openJournal(connection, databaseUrl, first)
  try {
    const entry = makeEntries(journal)
    for (const [i, count] of counts.entries()) {
      const hour = first + 2 * i
      await appendAll(journal, entry, { messages: packedMessages, hour })
      await connection.pool.query('analyze journal')
      const packers = Array.from({ length: count }, () => connect(databaseUrl, () => {}, 1))
      // One connection for each: what has ended is no longer counted.
      const before = databaseTime(postmaster)
      const begun = performance.now()
      const packed = await Promise.all(
        packers.map(({ pool }) => packClosedHours(pool, (hour + 2) * hourMs + hourMs / 2)),
      )
      if (!packed.some(({ hours }) => hours > 0)) throw new Error('nothing was packed')
      const seconds = (performance.now() - begun) / 1000
      const cost = ((databaseTime(postmaster) - before) * 1000) / packedMessages
      for (const packer of packers) await packer.close()
      rows.push(
        row({
          area,
          what: `an hour packed by ${count}: processor time of the database ${cost.toFixed(1)} µs a message`,
          figure: packedMessages / seconds,
          unit: 'messages/s',
          reference: 25_000,
          higherIsBetter: true,
        }),
      )
    }
    return rows
  } finally {
    await journal.stop()
    await connection.close()
  }
}

export async function measureCell(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-cell-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const databaseUrl = postgres.connectionString
  const postmaster = postmasterOf(postgres.where)
  const platforms: BenchPlatform[] = []
  const costs: Cost[] = []
  try {
    let productID = ''
    for (const count of counts) {
      const own = { DATABASE_URL: databaseUrl, DATA_DIR: join(dataDir, `server-${count}`), SECRET_KEY: '7'.repeat(64) }
      platforms.push(await startPlatform(own))
      if (productID === '') {
        const database = new pg.Client({ connectionString: databaseUrl })
        await database.connect()
        productID = await makeStations(await signIn(platforms[0]?.origin ?? ''), database, devices)
        await database.end()
      }
      const cost = await measureLoad({ platforms, productID, postmaster })
      console.error(
        `  ${count} servers: ${cost.perSecond.toFixed(0)} msg/s, p99 ${cost.p99.toFixed(1)} ms, processor time a message: servers ${cost.servers.toFixed(1)}, database ${cost.database.toFixed(1)} µs`,
      )
      costs.push(cost)
    }
    const alone = costs[0]
    for (const { child } of platforms.splice(0)) await endProcess(child)
    const rows = costs.map(({ servers, database, perSecond }, i) =>
      row({
        area,
        what: `processor time of ${counts[i]} servers and the database a message at ${perSecond.toFixed(0)} msg/s: ${servers.toFixed(0)} + ${database.toFixed(0)} µs (goal: at most twice that of one)`,
        figure: servers + database,
        unit: 'µs',
        reference: ((alone?.servers ?? 0) + (alone?.database ?? 0)) * 2,
      }),
    )
    return [...rows, ...(await measurePacking(databaseUrl, postmaster))]
  } finally {
    for (const { child } of platforms) await endProcess(child)
    await postgres.stop()
    for (const dir of [postgres.where, dataDir]) await rm(dir, { recursive: true, force: true })
  }
}
