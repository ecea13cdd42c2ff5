/** goals.md "Ingest", "PUBACK latency", "Memory" and "Overload": the platform against the bare corridor of the same run. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { generate } from '../load/generate.ts'
import { makeUsualRules } from '../load/scenes.ts'
import {
  type BenchPlatform,
  endProcess,
  makeStations,
  type Post,
  signIn,
  startPlatform,
  stationClient,
} from '../platform.ts'
import { postmasterOf, residentMegabytes } from '../processor-time.ts'
import { type Row, row } from '../row.ts'
import { describeLoad, measureRatio, ratioDevices } from './ingest-ratio.ts'

const quick = process.argv.includes('--quick')
/** In turn, so that the median counts. */
const rounds = 3
const turnMs = quick ? 8_000 : 30_000
const measureMs = quick ? 10_000 : 30_000
const warmUpMs = quick ? 5_000 : 10_000
/** goals.md "PUBACK latency": from 5,000 devices. */
const manyDevices = quick ? 2_000 : 5_000
const steadyRate = 3_000
/** goals.md "Overload": offered, whatever comes back. */
const overloadRate = 30_000
const overloadMs = quick ? 20_000 : 600_000
const restMs = 10_000

const clientsOf = (productID: string, count: number) =>
  Array.from({ length: count }, (_, i) => stationClient(productID, i))

/** The most memory of the server and the times of a console call while something else goes on. */
async function watching<T>(platform: BenchPlatform, post: Post, work: Promise<T>) {
  const memory: number[] = []
  const times: number[] = []
  let busy = false
  const timer = setInterval(async () => {
    if (busy) return
    busy = true
    const begun = performance.now()
    await post(listDevices.path, { page: { page: 1, size: 10 } }).catch(() => times.push(Number.POSITIVE_INFINITY))
    times.push(performance.now() - begun)
    memory.push(residentMegabytes(platform.child.pid ?? 0))
    busy = false
  }, 500)
  const result = await work
  clearInterval(timer)
  const sorted = times.toSorted((a, b) => a - b)
  const half = memory.length >> 1
  return {
    result,
    memory: Math.max(...memory),
    /** Of the second half of the time against the end of the first: flat is 1. */
    growth: Math.max(...memory.slice(half)) / Math.max(...memory.slice(half >> 1, half)),
    callP95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
  }
}

const rest = () => new Promise((resolve) => setTimeout(resolve, restMs))

async function measureRates(platform: BenchPlatform, productID: string) {
  const { mqttPort: port } = platform
  const post = await signIn(platform.origin)
  const many = clientsOf(productID, manyDevices)
  const connectMs = manyDevices * 2
  const steady = await watching(
    platform,
    post,
    generate({ port, clients: many, rate: steadyRate, warmUpMs: warmUpMs + connectMs, measureMs }),
  )
  console.error(`  steady: ${describeLoad(steady.result)}, at most ${steady.memory.toFixed(0)} MB`)
  await rest()
  const overload = await watching(
    platform,
    post,
    generate({ port, clients: many, rate: overloadRate, warmUpMs: connectMs, measureMs: overloadMs }),
  )
  console.error(
    `  overload: ${describeLoad(overload.result)}, at most ${overload.memory.toFixed(0)} MB, second half ${overload.growth.toFixed(2)} of the first`,
  )
  return { steady, overload }
}

/** 100 scenes and 20 alarms are on in all of it (goals.md "Ingest"). */
async function prepare(start: () => Promise<BenchPlatform>, database: pg.Client): Promise<string> {
  const platform = await start()
  const productID = await makeStations(await signIn(platform.origin), database, manyDevices)
  await makeUsualRules(database, productID)
  await endProcess(platform.child)
  return productID
}

type Ratio = Awaited<ReturnType<typeof measureRatio>>
type Rates = Awaited<ReturnType<typeof measureRates>>

function rowsOf({ bare, full }: Ratio, { steady, overload }: Rates): Row[] {
  const cost = (side: Ratio['bare']) => (side.server + side.database).toFixed(0)
  const seconds = overloadMs / 1000
  const lost = full.lost + steady.result.lost + overload.result.lost
  return [
    row({
      area: 'Ingest',
      what: `QoS 1 reports of 3 values, ${ratioDevices} devices, median of ${rounds} (goal: half of the bare corridor in turn, ${bare.perSecond.toFixed(0)} msg/s; processor time of server and database a message ${cost(full)} against ${cost(bare)} µs)`,
      figure: full.perSecond,
      unit: 'msg/s',
      reference: bare.perSecond * 0.5,
      higherIsBetter: true,
    }),
    row({
      area: 'Ingest',
      what: `PUBACK p99 at ${steadyRate} msg/s from ${manyDevices} devices`,
      figure: steady.result.p99,
      unit: 'ms',
      reference: 20,
    }),
    row({ area: 'Memory', what: 'server process there, at most', figure: steady.memory, unit: 'MB', reference: 500 }),
    row({
      area: 'Overload',
      what: `server process, ${overloadRate} msg/s offered for ${seconds} s: second half against the quarter before (at most ${overload.memory.toFixed(0)} MB)`,
      figure: overload.growth * 100,
      unit: '%',
      reference: 110,
    }),
    row({
      area: 'Overload',
      what: 'console call p95 meanwhile',
      figure: overload.callP95,
      unit: 'ms',
      reference: 1000,
    }),
    row({ area: 'Overload', what: 'connections lost in all of it', figure: lost, unit: 'connections', reference: 0 }),
  ]
}

export async function measureIngest(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-ingest-'))
  await chmod(dataDir, 0o711)
  const quiet = { info() {}, warn() {} }
  const postgres = await startEmbeddedPostgres({ dataDir, tcp: true, log: quiet })
  const databaseUrl = postgres.connectionString
  const database = new pg.Client({ connectionString: postgres.adminUrl })
  try {
    await database.connect()
    const start = () => startPlatform({ DATABASE_URL: databaseUrl, DATA_DIR: join(dataDir, 'platform') })
    const productID = await prepare(start, database)
    const postmaster = postmasterOf(postgres.where)
    const fast = await start()
    const ratio = await measureRatio({
      database,
      databaseUrl,
      postmaster,
      platform: fast,
      productID,
      rounds,
      warmUpMs,
      measureMs: turnMs,
    })
    await endProcess(fast.child)
    await rest()
    const slow = await start()
    const rates = await measureRates(slow, productID)
    await endProcess(slow.child)
    return rowsOf(ratio, rates)
  } finally {
    await database.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
