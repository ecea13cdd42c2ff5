/**
 * goals.md "History" and "Disk": charts and pages among 70 million packed values, through the whole application. The
 * packs are made by SQL as the packer makes them; filling the journal first would take hours.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '@ithings/contract/durations.ts'
import { listPropertyLog } from '@ithings/contract/features/history.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { login } from '@ithings/contract/features/users.ts'
import { type App, buildApp } from '../../../apps/server/src/app/build-app.ts'
import { readConfig } from '../../../apps/server/src/app/config.ts'
import { makeLog } from '../../../apps/server/src/app/log.ts'
import { type Connection, connect } from '../../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import type { Session } from '../fleet.ts'
import { makeProcessorTime } from '../processor-time.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const password = 'Bench-2026'
const productID = 'P0000000001'
const properties = Array.from({ length: 10 }, (_, n) => `p${n}`)
const weekDevices = quick ? 230 : 2_300
const weekProperties = 3
const quarterDays = 90
const rounds = quick ? 20 : 40
const today = Math.floor(Date.now() / dayMs)
const minutesADay = 1_440

const model = {
  properties: properties.map((identifier) => ({
    identifier,
    name: identifier,
    mode: 'r',
    define: { type: 'float', min: '-1000', max: '1000', start: '0', step: '0.01', unit: '' },
  })),
  events: [],
  actions: [],
}

/** One value a minute with a daily curve and noise, two decimals, as sensors say them. */
const fillPacks = (devices: string, names: string, days: string) => `
  insert into history_day (device_id, property, kind, day, count, min, max, sum, first, last, times, nums)
  select device_id, property, 1, day, ${minutesADay}, 0, 50, 0, nums[1], nums[${minutesADay}],
    array(select m * 60000 + device_id % 60000 from generate_series(0, ${minutesADay - 1}) m)::integer[], nums
  from ${devices} device_id, unnest(${names}) property, ${days} day, lateral (
    select array(select round((20 + 8 * sin(m / 229.0) + random() + device_id % 7)::numeric, 2)::float8
      from generate_series(0, ${minutesADay - 1}) m where device_id > 0 and day > 0) as nums) drawn`

async function fill({ pool }: Connection): Promise<void> {
  const client = await pool.connect()
  await client.query('set statement_timeout = 0')
  try {
    await fillIn(client)
  } finally {
    client.release()
  }
}

async function fillIn(pool: Session): Promise<void> {
  await pool.query(`insert into device (product_id, device_name, secret)
    select '${productID}', 'd' || n, 'x' from generate_series(1, ${weekDevices + 1}) n`)
  const oldest = today - quarterDays
  for (let block = Math.floor(oldest / 30); block <= Math.floor(today / 30); block++) {
    await pool.query(`select history_make_part(${block})`)
  }
  const names = (count: number) => `array[${properties.slice(0, count).map((one) => `'${one}'`)}]`
  // In portions, as hours do it; one statement of 70 million values would be one long transaction.
  for (let first = 2; first <= weekDevices + 1; first += 100) {
    const devices = `generate_series(${first}, ${Math.min(first + 99, weekDevices + 1)})`
    await pool.query(fillPacks(devices, names(weekProperties), `generate_series(${today - 7}, ${today - 1})`))
  }
  await pool.query(fillPacks('generate_series(1, 1)', names(10), `generate_series(${oldest}, ${today - 1})`))
  await pool.query('vacuum (analyze) history_day')
}

const percentile95 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0

interface Call {
  what: string
  goal: number
  rounds: number
  body(round: number): object
  /** Rows that an answer must have, so that nothing is quick because it is empty. */
  rows: number
}

const week = { timeStart: (today - 7) * dayMs, timeEnd: today * dayMs }
const chartFuncs = ['avg', 'min', 'max', 'first', 'last', 'count']
const quarterHours = 15 * 60_000

const calls: Call[] = [
  {
    what: '7 days of one property at one value a minute, 672 buckets, 6 functions',
    goal: 30,
    rounds,
    rows: 672,
    body: (n) => ({
      deviceNames: [`d${2 + n * 5}`],
      dataID: 'p1',
      ...week,
      interval: quarterHours,
      argFuncs: chartFuncs,
      timeZone: 'UTC',
    }),
  },
  {
    what: '90 days of 10 properties, 1,080 buckets each, 6 functions',
    goal: 500,
    rounds: 5,
    rows: 10_800,
    body: () => ({
      deviceNames: ['d1'],
      dataIDs: properties,
      timeStart: (today - quarterDays) * dayMs,
      timeEnd: today * dayMs,
      interval: 2 * 3_600_000,
      argFuncs: chartFuncs,
      timeZone: 'UTC',
    }),
  },
  {
    what: 'raw page of 100 newest values',
    goal: 30,
    rounds,
    rows: 100,
    body: (n) => ({ deviceNames: [`d${4 + n * 5}`], dataID: 'p2', ...week, order: 1, page: { page: 1, size: 100 } }),
  },
  {
    what: 'raw page of 100 in the middle of 7 days',
    goal: 30,
    rounds,
    rows: 100,
    body: (n) => ({ deviceNames: [`d${5 + n * 5}`], dataID: 'p0', ...week, page: { page: 50, size: 100 } }),
  },
]

async function post(app: App, token: string, path: string, body: object) {
  const response = await app.http.inject({
    method: 'POST',
    url: path,
    headers: { 'iThings-token': token },
    payload: body,
  })
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.body.slice(0, 500)}`)
  return response.json() as { data: { list: unknown[]; token: { accessToken: string } } }
}

interface Run {
  app: App
  token: string
  /** How many values there are, in words. */
  values: string
  work: ReturnType<typeof makeProcessorTime>
}

const median = (figures: number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0

async function measureCall({ app, token, values, work }: Run, call: Call): Promise<Row> {
  const times: number[] = []
  const worked: number[] = []
  work.refresh()
  for (let round = -2; round < call.rounds; round++) {
    const [begun, before] = [performance.now(), work.now()]
    const { data } = await post(app, token, listPropertyLog.path, { productID, ...call.body(Math.abs(round)) })
    if (round >= 0) {
      times.push(performance.now() - begun)
      worked.push(work.now() - before)
    }
    if (data.list.length !== call.rows) throw new Error(`${call.what}: ${data.list.length} rows, not ${call.rows}`)
  }
  const figures = `p95 ${percentile95(times).toFixed(1)} ms, median ${median(times).toFixed(1)} ms`
  console.error(`  ${call.what}: ${figures}, processor time ${median(worked).toFixed(1)} ms`)
  const what = `${call.what}, among ${values} values, p95`
  return row({ area: 'History', what, figure: percentile95(times), unit: 'ms', reference: call.goal })
}

export async function measureHistory(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const env = { CAPTCHA: 'off', ADMIN_PASSWORD: password, DATA_DIR: dataDir, HOST: '127.0.0.1' }
  let app: App | undefined
  const connection = connect(postgres.connectionString, () => {}, 2)
  try {
    const databaseUrl = postgres.connectionString
    app = await buildApp({ config: readConfig(env), databaseUrl, log: makeLog('silent', false) })
    const account = { account: 'administrator', password, pwdType: 1, loginType: 'pwd' }
    const token = (await post(app, '', login.path, account)).data.token.accessToken
    await post(app, token, createProduct.path, { productID, productName: '历史' })
    await post(app, token, importTsl.path, { productID, tsl: JSON.stringify(model) })
    console.error('  filling in the history ...')
    await fill(connection)
    const { rows: sizes } = await connection.pool.query<{ count: number; bytes: number }>(
      `select (select sum(count) from history_day)::float8 as count,
        (select sum(pg_total_relation_size(relid)) from pg_partition_tree('history_day') where isleaf)::float8 as bytes`,
    )
    const { count, bytes } = sizes[0] ?? { count: 0, bytes: 0 }
    const values = `${(count / 1e6).toFixed(1)} million`
    const rows: Row[] = []
    const work = makeProcessorTime(join(postgres.where, 'cluster', 'postmaster.pid'))
    for (const call of calls) rows.push(await measureCall({ app, token, values, work }, call))
    rows.push(
      row({
        area: 'Disk',
        what: `packed history of ${values} values, with its index`,
        figure: bytes / count,
        unit: 'bytes a value',
        reference: 16,
      }),
    )
    console.error(
      `  load of the machine: ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}`,
    )
    return rows
  } finally {
    await app?.close()
    await connection.close()
    await postgres.stop()
    for (const dir of [postgres.where, dataDir]) await rm(dir, { recursive: true, force: true })
  }
}
