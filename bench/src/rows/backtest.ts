/**
 * Issue "Numbers": a backtest replays at least 200,000 values a second, through the whole application: the job, the
 * packed history, the engine of live scenes. The packs are made by SQL as the packer makes them.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dayMs } from '@ithings/contract/durations.ts'
import { JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { type BacktestReport, startBacktest } from '@ithings/contract/features/scenes/trial.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { login } from '@ithings/contract/features/users.ts'
import { type App, buildApp } from '../../../apps/server/src/app/build-app.ts'
import { readConfig } from '../../../apps/server/src/app/config.ts'
import { makeLog } from '../../../apps/server/src/app/log.ts'
import { connect } from '../../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import type { Session } from '../fleet.ts'
import { makeProcessorTime } from '../processor-time.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const password = 'Bench-2026'
const productID = 'P0000000001'
const devices = quick ? 150 : 1_000
const days = 7
const minutesADay = 1_440
const today = Math.floor(Date.now() / dayMs)
const goal = 200_000

const model = {
  properties: ['temp', 'level'].map((identifier) => ({
    identifier,
    name: identifier,
    mode: 'r',
    define: { type: 'float', min: '-1000', max: '1000', start: '0', step: '0.01', unit: '' },
  })),
  events: [],
  actions: [],
}

/** One value a minute with a daily curve and noise; each device at its own moment of the minute. */
const fillPacks = (first: number, last: number) => `
  insert into history_day (device_id, property, kind, day, count, min, max, sum, first, last, times, nums)
  select device_id, property, 1, day, ${minutesADay}, 0, 50, 0, nums[1], nums[${minutesADay}],
    array(select m * 60000 + device_id * 7 % 60000 from generate_series(0, ${minutesADay - 1}) m)::integer[], nums
  from generate_series(${first}, ${last}) device_id, unnest(array['temp', 'level']) property,
    generate_series(${today - days}, ${today - 1}) day, lateral (
    select array(select round((20 + 8 * sin(m / 229.0) + random() + device_id % 7)::numeric, 2)::float8
      from generate_series(0, ${minutesADay - 1}) m where device_id > 0 and day > 0) as nums) drawn`

async function fill(client: Session): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query(`insert into device (product_id, device_name, secret)
    select '${productID}', 'd' || n, 'x' from generate_series(1, ${devices}) n`)
  for (let block = Math.floor((today - days) / 30); block <= Math.floor(today / 30); block++) {
    await client.query(`select history_make_part(${block})`)
  }
  for (let first = 1; first <= devices; first += 100) {
    await client.query(fillPacks(first, Math.min(first + 99, devices)))
  }
  await client.query('vacuum (analyze) history_day')
}

async function post<T>(app: App, token: string, path: string, body: object): Promise<T> {
  const response = await app.http.inject({
    method: 'POST',
    url: path,
    headers: { 'iThings-token': token },
    payload: body,
  })
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.body.slice(0, 500)}`)
  return (response.json() as { data: T }).data
}

const hot = (value: string, more: object = {}) =>
  JSON.stringify({
    device: [
      {
        productID,
        selector: 'all',
        operator: 'reportProperty',
        operationSchema: { dataID: ['temp'], termType: 'gt', values: [value], ...more },
      },
    ],
  })
const keep = { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } }
const level = {
  columnType: 'property',
  columnSchema: { productID, deviceName: '', dataID: ['level'], termType: 'gt', values: '25' },
}
const office = {
  columnType: 'sysTime',
  columnTime: { type: 'range', start: '09:00', end: '18:00', weekdays: [1, 2, 3, 4, 5] },
}

const scenes = [
  { what: 'a threshold that must last 5 minutes', trigger: hot('33', keep), when: [], values: 1 },
  { what: 'a threshold, a second property and working hours', trigger: hot('30'), when: [level, office], values: 2 },
]

async function measureOne(app: App, token: string, { what, trigger, when, values }: (typeof scenes)[number]) {
  const { jobID } = await post<{ jobID: string }>(app, token, startBacktest.path, {
    scene: { name: what, triggerType: 'device', trigger, when: JSON.stringify(when), then: '[]' },
    timeStart: (today - days) * dayMs,
    timeEnd: today * dayMs,
  })
  let job = await post<{ status: number; result: string; error: string }>(app, token, readJob.path, { jobID })
  while (job.status === JobStatus.waiting || job.status === JobStatus.running) {
    await wait(100)
    job = await post(app, token, readJob.path, { jobID })
  }
  if (job.status !== JobStatus.done) throw new Error(`${what}: ${job.error}`)
  const report = JSON.parse(job.result) as BacktestReport
  const expected = devices * days * minutesADay * values
  if (report.scanned !== expected) throw new Error(`${what}: ${report.scanned} values, not ${expected}`)
  if (report.total === 0) throw new Error(`${what}: nothing fired`)
  return report
}

export async function measureBacktest(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const env = {
    CAPTCHA: 'off',
    ADMIN_PASSWORD: password,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    MQTT_PORT: '0',
  }
  let app: App | undefined
  const connection = connect(postgres.connectionString, () => {}, 2)
  try {
    app = await buildApp({
      config: readConfig(env),
      databaseUrl: postgres.connectionString,
      log: makeLog('silent', false),
    })
    const account = { account: 'administrator', password, pwdType: 1, loginType: 'pwd' }
    const { token } = await post<{ token: { accessToken: string } }>(app, '', login.path, account)
    await post(app, token.accessToken, createProduct.path, { productID, productName: '回测' })
    await post(app, token.accessToken, importTsl.path, { productID, tsl: JSON.stringify(model) })
    console.error('  filling in the history ...')
    const client = await connection.pool.connect()
    await fill(client)
    client.release()
    const rows: Row[] = []
    const work = makeProcessorTime(join(postgres.where, 'cluster', 'postmaster.pid'))
    for (const scene of scenes) {
      work.refresh()
      const before = work.now()
      const { scanned, seconds, total } = await measureOne(app, token.accessToken, scene)
      const worked = (work.now() - before) / 1000
      console.error(
        `  ${scene.what}: ${scanned} values in ${seconds} s, ${total} firings, processor time ${worked.toFixed(1)} s, memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
      )
      rows.push(
        row({
          area: 'Backtest',
          what: `${scene.what}, ${devices} devices, ${days} days, ${(scanned / 1e6).toFixed(1)} million values`,
          figure: scanned / seconds,
          unit: 'values/s',
          reference: goal,
          higherIsBetter: true,
        }),
      )
    }
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
