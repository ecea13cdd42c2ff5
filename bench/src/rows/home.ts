/**
 * The large screen (goals.md "Large screen"): every call among a million devices, with a week of figures, alarms and
 * presence behind it.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import {
  readFirstSteps,
  readHomeAttention,
  readHomeMap,
  readHomeSummary,
  readHomeTrend,
} from '@ithings/contract/features/home.ts'
import { searchAll } from '@ithings/contract/features/search.ts'
import { login } from '@ithings/contract/features/users.ts'
import { type App, buildApp } from '../../../apps/server/src/app/build-app.ts'
import { readConfig } from '../../../apps/server/src/app/config.ts'
import { makeLog } from '../../../apps/server/src/app/log.ts'
import { connect } from '../../../apps/server/src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { fillFleet, type Session } from '../fleet.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const size = quick
  ? { devices: 100_000, products: 200, groups: 100, members: 30_000 }
  : { devices: 1_000_000, products: 200, groups: 300, members: 300_000 }
const rounds = quick ? 20 : 40
const openAlarms = size.devices / 50
const password = 'Bench-2026'
const goalMs = 100

interface Call {
  what: string
  endpoint: Endpoint
  body: unknown
}

const map = (what: string, box: number[], zoom: number, productID = ''): Call => ({
  what: `map: ${what}`,
  endpoint: readHomeMap,
  body: { box, zoom, productID },
})
const largest = '00000000001'

const calls: Call[] = [
  { what: 'summary', endpoint: readHomeSummary, body: {} },
  ...(['online', 'message', 'alarm'] as const).flatMap((kind) =>
    [24, 168].map((hours) => ({ what: `trend: ${kind}, ${hours} h`, endpoint: readHomeTrend, body: { kind, hours } })),
  ),
  map('the world', [-180, -90, 180, 90], 1),
  map('China', [73, 18, 135, 54], 4),
  map('the east', [114, 28, 122, 34], 7),
  map('around Shanghai', [120, 30, 122, 31.5], 10),
  map('Shanghai', [121.2, 31, 121.7, 31.3], 12),
  map('a quarter', [121.4, 31.2, 121.5, 31.27], 14),
  map('China, the largest product', [73, 18, 135, 54], 4, largest),
  map('Shanghai, the largest product', [121.2, 31, 121.7, 31.3], 12, largest),
  { what: 'attention', endpoint: readHomeAttention, body: {} },
  { what: 'attention: 200 long offline', endpoint: readHomeAttention, body: { kind: 'offline', limit: 200 } },
  { what: 'first steps', endpoint: readFirstSteps, body: {} },
  // A letter, beginnings, insides, whole names, numbers alone, aliases, nothing at all.
  ...[
    'p',
    'pump',
    'shanghai',
    'lamp-urumqi-00',
    '0001234',
    '12',
    'q9',
    '泵12',
    'ng-00',
    '北京',
    '号站水泵12',
    '7',
    'zzz',
    '没有',
  ].map((keyword) => ({ what: `search: ${keyword}`, endpoint: searchAll, body: { keyword } })),
]

/** Nine days of figures, open alarms on the map, and a log of them: as the server would have left it. */
async function fillWeek(client: Session): Promise<void> {
  const minute = `(floor(extract(epoch from now()) / 60)::bigint - n) * 60000`
  await client.query(`insert into home_sample select ${minute}, ${size.devices}, ${size.devices} / 2 + n % 977, 1000, 1000
    from generate_series(1, 12960) n on conflict do nothing`)
  await client.query(`insert into home_message select ${minute}, 24000 + n % 977 from generate_series(1, 12960) n
    on conflict (at) do nothing`)
  await client.query(`insert into alarm (name, level) select '告警' || n, n from generate_series(1, 5) n`)
  await client.query(`insert into alarm_record (alarm_id, trigger_type, product_id, device_name, scene_id, scene_name, level,
      deal_state, first_alarm, last_alarm, count, total_count, created_at)
    select alarm.id, 1, product_id, device_name, 1, '场景', alarm.level, 2, at, at, 1 + device_id % 97, 1 + device_id % 97, at
    from (select *, (extract(epoch from now()) * 1000)::bigint - device_id * 400 as at from device
      where device_id % ${size.devices / openAlarms} = 0) device join alarm on alarm.level = 1 + device_id % 5`)
  await client.query(`insert into alarm_log (alarm_record_id, scene_id, scene_name, level, product_id, device_name, run_id,
      created_at)
    select id, 1, '场景', level, product_id, device_name, n, last_alarm - n * 30000000
    from alarm_record cross join generate_series(0, 19) n`)
  // Nobody has looked at this fleet yet: who is offline has been since the last sign-in.
  await client.query('update home_work set at = 0, took = 0, seen = 0, found = 0')
  await client.query('vacuum (analyze)')
}

const percentile95 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0

async function post(app: App, token: string, { path }: Endpoint, body: unknown): Promise<Record<string, unknown>> {
  const response = await app.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', 'iThings-token': token },
    payload: JSON.stringify(body),
  })
  if (response.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${response.body}`)
  return (response.json() as { data: Record<string, unknown> }).data
}

/** Kinds take turns, so that none finds its own pages still warm. */
async function measureCalls(app: App, token: string): Promise<Row[]> {
  const took = new Map<string, number[]>(calls.map(({ what }) => [what, []]))
  for (let round = -2; round < rounds; round++) {
    for (const { what, endpoint, body } of calls) {
      const begun = performance.now()
      await post(app, token, endpoint, body)
      if (round >= 0) took.get(what)?.push(performance.now() - begun)
    }
  }
  return [...took].map(([what, times]) =>
    row({
      area: 'Large screen',
      what: `${what}, ${size.devices} devices, p95`,
      figure: percentile95(times),
      unit: 'ms',
      reference: goalMs,
    }),
  )
}

async function untilLooked(session: Session): Promise<number> {
  for (const until = Date.now() + 120_000; Date.now() < until; ) {
    const { rows } = await session.query(
      `select name, took, found from home_work where name in ('map', 'away') and found > 0`,
    )
    const work = rows as Array<{ name: string; took: number; found: number }>
    if (work.length === 2) return work.find(({ name }) => name === 'map')?.took ?? 0
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the map was not made')
}

export async function measureHome(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: () => {} } })
  const env = { CAPTCHA: 'off', ADMIN_PASSWORD: password, DATA_DIR: dataDir, HOST: '127.0.0.1' }
  const config = readConfig({ ...env, PORT: '0', MQTT_PORT: '0', MQTTS_PORT: '0' })
  const open = () => buildApp({ config, databaseUrl: postgres.connectionString, log: makeLog('silent', false) })
  let app: App | undefined
  try {
    // For the tables; the fleet comes while nobody works on it.
    await (await open()).close()
    const connection = connect(postgres.connectionString, () => {}, 1)
    const client = await connection.pool.connect()
    console.error(`  filling in ${size.devices} devices and a week of figures ...`)
    await fillFleet(client, size)
    await fillWeek(client)
    app = await open()
    const lookMs = await untilLooked(client)
    client.release()
    await connection.close()
    console.error(`  the first look at all devices for the map took ${lookMs} ms`)
    const signedIn = await post(app, '', login, { account: 'administrator', password, pwdType: 1, loginType: 'pwd' })
    return await measureCalls(app, (signedIn.token as { accessToken: string }).accessToken)
  } finally {
    await app?.close()
    await postgres.stop()
    for (const dir of [postgres.where, dataDir]) await rm(dir, { recursive: true, force: true })
  }
}
