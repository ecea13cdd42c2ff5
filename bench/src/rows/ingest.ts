/** goals.md "Ingest", "PUBACK latency" and "Memory": the whole platform against the bare corridor in the same run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { clientIDOf, passwordOf, SignMethod, userNameOf } from '@ithings/contract/device/credentials.ts'
import { createProduct } from '@ithings/contract/features/products/info.ts'
import { importTsl } from '@ithings/contract/features/products/schema.ts'
import { login } from '@ithings/contract/features/users.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import type { LoadOrders, LoadResult } from '../load/mqtt-load.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const measureMs = quick ? 10_000 : 30_000
const warmUpMs = quick ? 3_000 : 10_000
/** Closed loop: enough connections and messages under way to fill every batch. */
const devices = 500
const window = 20
/** goals.md: from 5,000 devices. */
const manyDevices = quick ? 2_000 : 5_000
const steadyRate = 3_000
const password = 'Bench-2026'
const root = fileURLToPath(new URL('../../..', import.meta.url))
const secret = Buffer.alloc(20, 7).toString('base64')

const tsl = JSON.stringify({
  properties: [
    {
      identifier: 'level',
      name: '液位',
      mode: 'r',
      define: { type: 'float', min: '0', max: '6', step: '0.01', unit: 'm' },
    },
    {
      identifier: 'flow',
      name: '流量',
      mode: 'r',
      define: { type: 'float', min: '0', max: '1000', step: '0.1', unit: 'm³/h' },
    },
    { identifier: 'pump_on', name: '水泵', mode: 'rw', define: { type: 'bool', mapping: { 0: '停', 1: '开' } } },
  ],
})

async function generate(orders: LoadOrders): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/mqtt-load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(orders))
  const said = await text(child.stdout)
  if (said === '') throw new Error('the load generator failed')
  return JSON.parse(said) as LoadResult
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (!child.stdout) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const found = pattern.exec(line)?.[1]
    if (found) {
      child.stdout.resume()
      return found
    }
  }
  throw new Error(`nothing matched ${pattern}`)
}

async function measureBare(databaseUrl: string): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/bare-corridor.ts'), databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = Number(await firstMatch(child, /^(\d+)$/))
  const clients = Array.from({ length: devices }, (_, i) => ({
    clientID: `bare${i}`,
    userName: 'bare',
    password: 'bare',
    topic: `$thing/up/property/bare/d${i}`,
  }))
  const result = await generate({ port, clients, window, warmUpMs, measureMs })
  await end(child)
  return result
}

interface Running {
  child: ChildProcess
  mqttPort: number
  productID: string
}

/** The program itself, on the database of this run, with as many devices as the largest row needs. */
async function startPlatform(databaseUrl: string, dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [join(root, 'apps/server/src/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      MQTT_PORT: '0',
      CAPTCHA: 'off',
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('no output')
  let printed = ''
  const ready = /ready:\s+(\S+)\/front[\s\S]*mqtt:\/\/\S+:(\d+)/
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (ready.test(printed)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`the platform ended with ${code}: ${printed}`)))
  })
  const [, origin = '', port = ''] = ready.exec(printed) ?? []
  const productID = await makeProduct(origin)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into device (product_id, device_name, secret) select $1, 'd' || i, $2 from generate_series(0, $3 - 1) as i`,
    [productID, secret, manyDevices],
  )
  await client.end()
  return { child, mqttPort: Number(port), productID }
}

async function makeProduct(origin: string): Promise<string> {
  let token = ''
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'iThings-token': token },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { code: number; msg: string; data: Record<string, unknown> }
    if (answer.code !== 200) throw new Error(`${path}: ${answer.msg}`)
    return answer.data
  }
  const signedIn = await post(login.path, { account: 'administrator', password, pwdType: 1, loginType: 'pwd' })
  token = (signedIn.token as { accessToken: string }).accessToken
  const { productID } = await post(createProduct.path, { productName: '泵站' })
  await post(importTsl.path, { productID, tsl })
  return productID as string
}

const clientsOf = (productID: string, count: number): LoadOrders['clients'] =>
  Array.from({ length: count }, (_, i) => {
    const deviceName = `d${i}`
    const clientID = clientIDOf({ productID, deviceName })
    const userName = userNameOf(clientID, 'BENCH', Math.floor(Date.now() / 1000) + 86_400)
    const signed = passwordOf(userName, secret, SignMethod.sha256)
    return { clientID, userName, password: signed, topic: `$thing/up/property/${productID}/${deviceName}` }
  })

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

async function measurePlatform({ child, mqttPort, productID }: Running) {
  const full = await generate({
    port: mqttPort,
    clients: clientsOf(productID, devices),
    window,
    warmUpMs,
    measureMs,
  })
  const steady = generate({
    port: mqttPort,
    clients: clientsOf(productID, manyDevices),
    rate: steadyRate,
    warmUpMs: warmUpMs + manyDevices / 2,
    measureMs,
  })
  let memory = 0
  const watch = setInterval(() => {
    residentMegabytes(child.pid ?? 0).then(
      (now) => {
        memory = Math.max(memory, now)
      },
      () => undefined,
    )
  }, 500)
  const result = await steady
  clearInterval(watch)
  return { full, steady: result, memory }
}

export async function measureIngest(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-ingest-'))
  await chmod(dataDir, 0o711)
  const quiet = { info() {}, warn() {} }
  const database = await startEmbeddedPostgres({ dataDir, tcp: true, log: quiet })
  try {
    const bare = await measureBare(database.connectionString)
    console.error(`  bare corridor: ${bare.perSecond.toFixed(0)} msg/s, p99 ${bare.p99.toFixed(1)} ms`)
    const running = await startPlatform(database.connectionString, join(dataDir, 'platform'))
    const { full, steady, memory } = await measurePlatform(running)
    await end(running.child)
    console.error(
      `  platform: ${full.perSecond.toFixed(0)} msg/s, p50 ${full.p50.toFixed(1)} p99 ${full.p99.toFixed(1)} ms`,
    )
    console.error(
      `  steady: ${steady.perSecond.toFixed(0)} msg/s, p50 ${steady.p50.toFixed(1)} p95 ${steady.p95.toFixed(1)} p99 ${steady.p99.toFixed(1)} worst ${steady.worst.toFixed(1)} ms, held back ${steady.heldBack}`,
    )
    const area = 'Ingest'
    return [
      row({
        area,
        what: `QoS 1 reports of 3 values, ${devices} devices (0.5 of the bare corridor, ${bare.perSecond.toFixed(0)} msg/s)`,
        figure: full.perSecond,
        unit: 'msg/s',
        reference: bare.perSecond * 0.5,
        higherIsBetter: true,
      }),
      row({
        area,
        what: `PUBACK p99 at ${steadyRate} msg/s from ${manyDevices} devices`,
        figure: steady.p99,
        unit: 'ms',
        reference: 20,
      }),
      row({ area: 'Memory', what: `server process there, at most`, figure: memory, unit: 'MB', reference: 500 }),
    ]
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
