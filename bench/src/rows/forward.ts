/** Forwarding (docs/architecture.md "Forwarding"): how fast a backlog is sent, what rules cost ingest, how late messages are. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createForward, deleteForward, updateForward } from '@ithings/contract/features/forwarding/rules.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { generate, type OnPhase } from '../load/generate.ts'
import { median } from '../machine.ts'
import { endProcess, makeStations, type Post, root, signIn, startPlatform, stationClient } from '../platform.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const devices = 500
const backlog = quick ? 200_000 : 1_000_000
const rounds = 3
const warmUpMs = quick ? 3_000 : 10_000
const measureMs = quick ? 8_000 : 30_000
const steadyRate = 3_000
const ruleCount = 5

interface Seen {
  count: number
  lags: number[]
}

/** Asked by lines, answers by lines. */
async function startTaker(): Promise<{ child: ChildProcess; url: string; forget(): void; ask(): Promise<Seen> }> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/forward-taker.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  const port = await next()
  return {
    child,
    url: `http://127.0.0.1:${port}/`,
    forget: () => void child.stdin.write('forget\n'),
    async ask() {
      child.stdin.write('ask\n')
      return JSON.parse(await next()) as Seen
    },
  }
}
type Taker = Awaited<ReturnType<typeof startTaker>>

const makeRule = async (post: Post, { url }: Taker, status = 1): Promise<number> => {
  const target = { type: 'webhook', url, batch: 1_000 }
  const rule = { name: `bench ${Math.random()}`, sources: ['property'], status, target }
  return (await post(createForward.path, rule)).id as number
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a target that was away for long finds: rows written while the rule was paused. */
async function measureBacklog(post: Post, database: pg.Client, taker: Taker): Promise<number> {
  const id = await makeRule(post, taker, 2)
  for (let from = 0; from < backlog; from += 1_000) {
    await database.query(
      `insert into journal (at, seq, device_id, device_time, code, latency, log_days, kind, up, adds, product_id, topic,
         method, token, msg, data_id, content)
       select $1::bigint + i / 1000, 1000000000000 + i, d.device_id, 0, 200, 0, 7, 3, true, true, d.product_id, '', 'report', '', '', '',
         '{"level": 1.25, "flow": 30.5, "pump_on": true}'
       from generate_series($2::int, $2::int + 999) i join device d on d.device_name = 'd' || (i % ${devices})`,
      [Date.now(), from],
    )
  }
  taker.forget()
  await post(updateForward.path, { id, status: 1 })
  let [seen, first] = [0, 0]
  while (seen < backlog) {
    await pause(20)
    seen = (await taker.ask()).count
    if (seen > 0) first ||= performance.now()
  }
  await post(deleteForward.path, { id })
  return (backlog / (performance.now() - first)) * 1000
}

type Load = (rate?: number, onPhase?: OnPhase) => ReturnType<typeof generate>

async function measureCost(load: Load, post: Post, taker: Taker) {
  const [without, withRules]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    without.push((await load()).perSecond)
    const ids = await Promise.all(Array.from({ length: ruleCount }, () => makeRule(post, taker)))
    withRules.push((await load()).perSecond)
    for (const id of ids) await post(deleteForward.path, { id })
    console.error(
      `  ingest ${without.at(-1)?.toFixed(0)} msg/s, with ${ruleCount} rules ${withRules.at(-1)?.toFixed(0)}`,
    )
  }
  return { without: median(without), withRules: median(withRules) }
}

/** Once the devices have signed in: what their coming costs is another figure. */
async function measureLag(load: Load, post: Post, taker: Taker) {
  const id = await makeRule(post, taker)
  const { perSecond } = await load(steadyRate, (phase) => phase === 'begun' && taker.forget())
  await pause(2_000)
  const { lags } = await taker.ask()
  await post(deleteForward.path, { id })
  const sorted = lags.toSorted((a, b) => a - b)
  return { perSecond, p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY }
}

export async function measureForward(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-forward-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, tcp: true, log: { info() {}, warn() {} } })
  const database = new pg.Client({ connectionString: postgres.adminUrl })
  const taker = await startTaker()
  await database.connect()
  const platform = await startPlatform({
    DATABASE_URL: postgres.connectionString,
    DATA_DIR: join(dataDir, 'platform'),
    WEBHOOK_ALLOW: '127.0.0.0/8',
  })
  try {
    const post = await signIn(platform.origin)
    const productID = await makeStations(post, database, devices)
    const clients = Array.from({ length: devices }, (_, i) => stationClient(productID, i))
    const load: Load = (rate, onPhase) =>
      generate(
        {
          ...{ port: platform.mqttPort, clients, warmUpMs, measureMs },
          ...(rate === undefined ? { window: 20 } : { rate }),
        },
        onPhase,
      )
    const perSecond = await measureBacklog(post, database, taker)
    const { without, withRules } = await measureCost(load, post, taker)
    const lag = await measureLag(load, post, taker)
    const what = `one rule with a backlog of ${backlog} messages to a local webhook, 1,000 in a request`
    const cost = `ingest with ${ruleCount} such rules, median of ${rounds} (without: ${without.toFixed(0)} msg/s)`
    const late = `lag p99 of the oldest in a request at ${lag.perSecond.toFixed(0)} msg/s`
    const higherIsBetter = true
    return [
      row({ area: 'Forwarding', what, figure: perSecond, unit: 'msg/s', reference: 20_000, higherIsBetter }),
      row({
        area: 'Forwarding',
        what: cost,
        figure: withRules,
        unit: 'msg/s',
        reference: without * 0.85,
        higherIsBetter,
      }),
      row({ area: 'Forwarding', what: late, figure: lag.p99, unit: 'ms', reference: 500 }),
    ]
  } finally {
    await endProcess(platform.child)
    await endProcess(taker.child)
    await database.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
