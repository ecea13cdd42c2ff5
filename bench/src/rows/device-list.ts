/** goals.md "Lists": any filter, sort and page among a million devices, counts, pickers, and the CSV import. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { importDevices } from '@ithings/contract/features/devices/bulk.ts'
import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import { listBindCandidates } from '@ithings/contract/features/gateways.ts'
import { listGroupDevices, listGroups } from '@ithings/contract/features/groups.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { login } from '@ithings/contract/features/users.ts'
import { type App, buildApp } from '../../../apps/server/src/app/build-app.ts'
import { readConfig } from '../../../apps/server/src/app/config.ts'
import { makeLog } from '../../../apps/server/src/app/log.ts'
import { connect } from '../../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { type FleetSize, fillFleet } from '../fleet.ts'
import { makeProcessorTime } from '../processor-time.ts'
import { type Row, row } from '../row.ts'
import { countCalls, type KindOfCall, listCalls, pickerCalls, treeCalls } from './device-calls.ts'

const quick = process.argv.includes('--quick')
const size: FleetSize = quick
  ? { devices: 100_000, products: 200, groups: 100, members: 30_000 }
  : { devices: 1_000_000, products: 200, groups: 300, members: 300_000 }
const rounds = quick ? 10 : 30
const importRows = 10_000
const password = 'Bench-2026'

const endpoints: Record<KindOfCall['endpoint'], Endpoint> = {
  list: listDevices,
  count: countDevices,
  candidates: listBindCandidates,
  groups: listGroups,
  groupDevices: listGroupDevices,
  products: listProducts,
}

interface Run {
  app: App
  token: string
  work: ProcessorTime
}

const percentile95 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0

async function post(app: App, token: string, path: string, body: unknown): Promise<number> {
  const begun = performance.now()
  const response = await app.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', 'iThings-token': token },
    payload: JSON.stringify(body),
  })
  const took = performance.now() - begun
  if (response.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${response.body}`)
  return took
}

async function signIn(app: App): Promise<string> {
  const response = await app.http.inject({
    method: 'POST',
    url: login.path,
    payload: { account: 'administrator', password, pwdType: 1, loginType: 'pwd' },
  })
  return (response.json() as { data: { token: { accessToken: string } } }).data.token.accessToken
}

interface Measured {
  took: number[]
  work: number[]
}
type ProcessorTime = ReturnType<typeof makeProcessorTime>

/** Kinds take turns, so that none of them finds its own pages still warm. Each is printed, all together are the row. */
async function measureCalls(run: Run, calls: KindOfCall[], goal: number, area: string): Promise<Row> {
  const measured = new Map<string, Measured>(calls.map((call) => [call.what, { took: [], work: [] }]))
  for (let round = -2; round < rounds; round++) {
    run.work.refresh()
    for (const call of calls) {
      const before = run.work.now()
      const took = await post(run.app, run.token, endpoints[call.endpoint].path, call.body(Math.abs(round), size))
      if (round < 0) continue
      measured.get(call.what)?.took.push(took)
      measured.get(call.what)?.work.push(run.work.now() - before)
    }
  }
  for (const [what, { took, work }] of measured) {
    const figures = `p95 ${percentile95(took).toFixed(1)} ms, processor time p95 ${percentile95(work).toFixed(1)} ms`
    console.error(`  ${area} | ${what.padEnd(50)} | ${figures}`)
  }
  return row({
    area,
    what: `${calls.length} kinds of calls among ${size.devices} devices, p95 of all`,
    figure: percentile95([...measured.values()].flatMap(({ took }) => took)),
    unit: 'ms',
    reference: goal,
  })
}

async function measureImport(app: App, token: string): Promise<Row> {
  const lines = Array.from(
    { length: importRows },
    (_, n) =>
      `产品${1 + (n % 7)},import-${n},新站${n}号水泵,,信息,line:${n % 40};region:武汉,"114.3${n},30.5",人民路 ${n} 号,`,
  )
  const boundary = 'bench-form'
  const file = `产品名称*,设备名称*,设备别名,设备秘钥,日志级别,设备标签,设备位置,详细地址,提示\r\n${lines.join('\r\n')}`
  const begun = performance.now()
  const response = await app.http.inject({
    method: 'POST',
    url: importDevices.path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'iThings-token': token },
    payload: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${file}\r\n--${boundary}--\r\n`,
  })
  const seconds = (performance.now() - begun) / 1000
  const { data } = response.json() as { data: { success: number } }
  if (data.success !== importRows) throw new Error(`only ${data.success} rows were imported`)
  return row({ area: 'Import', what: `CSV of ${importRows} rows`, figure: seconds, unit: 's', reference: 10 })
}

export async function measureDeviceList(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const env = { CAPTCHA: 'off', ADMIN_PASSWORD: password, DATA_DIR: dataDir, HOST: '127.0.0.1' }
  const config = readConfig({ ...env, PORT: '0', MQTT_PORT: '0', MQTTS_PORT: '0' })
  let app: App | undefined
  try {
    app = await buildApp({ config, databaseUrl: postgres.connectionString, log: makeLog('silent', false) })
    const connection = connect(postgres.connectionString, () => {}, 1)
    const client = await connection.pool.connect()
    console.error(`  filling in ${size.devices} devices ...`)
    await fillFleet(client, size)
    client.release()
    await connection.close()
    const token = await signIn(app)
    const run = { app, token, work: makeProcessorTime(join(postgres.where, 'cluster', 'postmaster.pid')) }
    const rows = [
      await measureCalls(run, listCalls, 50, 'Lists'),
      await measureCalls(run, countCalls, 100, 'Counts'),
      await measureCalls(run, pickerCalls, 50, 'Pickers'),
      await measureCalls(run, treeCalls, 200, 'Group tree'),
      await measureImport(app, token),
    ]
    console.error(
      `  load of the machine: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    )
    return rows
  } finally {
    await app?.close()
    await postgres.stop()
    for (const dir of [postgres.where, dataDir]) await rm(dir, { recursive: true, force: true })
  }
}
