/** goals.md "Ingest", "PUBACK latency", "Memory" and "Overload": the platform against the bare corridor of the same run. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { generate, type LoadResult } from '../load/generate.ts'
import { makeUsualRules } from '../load/scenes.ts'
import {
  type BenchPlatform,
  endProcess,
  makeStations,
  type Post,
  residentMegabytes,
  root,
  signIn,
  startPlatform,
  stationClient,
} from '../platform.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const measureMs = quick ? 10_000 : 30_000
const warmUpMs = quick ? 5_000 : 10_000
/** Closed loop: enough connections and messages under way to fill every batch. */
const devices = 500
const window = 20
/** goals.md: from 5,000 devices. */
const manyDevices = quick ? 2_000 : 5_000
const steadyRate = 3_000
/** goals.md: offered, whatever comes back. */
const overloadRate = 30_000
const overloadMs = quick ? 20_000 : 600_000
const restMs = 10_000

const describe = ({ perSecond, p50, p95, p99, worst, heldBack }: LoadResult): string =>
  `${perSecond.toFixed(0)} msg/s, p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} worst ${worst.toFixed(1)} ms, held back ${heldBack}`

async function measureBare(databaseUrl: string): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/bare-corridor.ts'), databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let port = 0
  for await (const line of createInterface({ input: child.stdout })) {
    port = Number(line)
    break
  }
  const clients = Array.from({ length: devices }, (_, i) => ({
    clientID: `bare${i}`,
    userName: 'bare',
    password: 'bare',
    topic: `$thing/up/property/bare/d${i}`,
  }))
  const result = await generate({ port, clients, window, warmUpMs, measureMs })
  await endProcess(child)
  return result
}

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
    memory.push(await residentMegabytes(platform.child.pid ?? 0).catch(() => 0))
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

async function measureFull(platform: BenchPlatform, productID: string) {
  const clients = clientsOf(productID, devices)
  const full = await generate({ port: platform.mqttPort, clients, window, warmUpMs, measureMs })
  console.error(`  platform: ${describe(full)}`)
  return full
}

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
  console.error(`  steady: ${describe(steady.result)}, at most ${steady.memory.toFixed(0)} MB`)
  await rest()
  const overload = await watching(
    platform,
    post,
    generate({ port, clients: many, rate: overloadRate, warmUpMs: connectMs, measureMs: overloadMs }),
  )
  console.error(
    `  overload: ${describe(overload.result)}, at most ${overload.memory.toFixed(0)} MB, second half ${overload.growth.toFixed(2)} of the first`,
  )
  return { steady, overload }
}

/** 100 scenes and 20 alarms are on in all of it (goals.md "Ingest"). */
async function prepare(start: () => Promise<BenchPlatform>, databaseUrl: string): Promise<string> {
  const platform = await start()
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const productID = await makeStations(await signIn(platform.origin), database, manyDevices)
  await makeUsualRules(database, productID)
  await database.end()
  await endProcess(platform.child)
  return productID
}

export async function measureIngest(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-ingest-'))
  await chmod(dataDir, 0o711)
  const quiet = { info() {}, warn() {} }
  const database = await startEmbeddedPostgres({ dataDir, tcp: true, log: quiet })
  try {
    const bare = await measureBare(database.connectionString)
    console.error(`  bare corridor: ${describe(bare)}`)
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: join(dataDir, 'platform') }
    const start = () => startPlatform(env)
    const productID = await prepare(start, database.connectionString)
    const fast = await start()
    const full = await measureFull(fast, productID)
    await endProcess(fast.child)
    await rest()
    const slow = await start()
    const { steady, overload } = await measureRates(slow, productID)
    await endProcess(slow.child)
    const seconds = overloadMs / 1000
    return [
      row({
        area: 'Ingest',
        what: `QoS 1 reports of 3 values, ${devices} devices (goal: half of the bare corridor, ${bare.perSecond.toFixed(0)} msg/s)`,
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
    ]
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
