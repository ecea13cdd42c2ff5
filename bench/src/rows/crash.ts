/** goals.md "Crash": kill -9 of server or PostgreSQL under load; acknowledged but missing and stored twice must be 0. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type MqttClient } from 'mqtt'
import pg from 'pg'
import { endProcess, makeStations, signIn, startPlatform, stationClient } from '../platform.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const kills = quick ? 4 : 50
const devices = 100
const perDeviceMs = 33
/** Between two blows everybody has reported this often again. */
const reportsBetween = 30
/** One more device has no clock: so many reports at a time, without timestamp, arrive in the same millisecond. */
const burst = 3

interface Reporter {
  name: string
  client: MqttClient
  /** The times of its reports, which are their tokens as well. */
  acknowledged: number[]
  /** Resolves when nothing that was sent waits for its acknowledgement any more. */
  stop(): Promise<void>
}

function startReporter(port: number, productID: string, number: number, hasClock = true): Reporter {
  const { clientID, userName, password, topic } = stationClient(productID, number)
  const client = connect(`mqtt://127.0.0.1:${port}`, {
    clientId: clientID,
    username: userName,
    password,
    clean: false,
    reconnectPeriod: 200,
  })
  client.on('error', () => undefined)
  const name = `d${number}`
  const acknowledged: number[] = []
  let last = Date.now()
  let underWay = 0
  const timer = setInterval(() => {
    if (!client.connected) return
    for (let i = 0; i < (hasClock ? 1 : burst); i++) send()
  }, perDeviceMs)
  const send = () => {
    last = Math.max(last + 1, Date.now())
    const time = last
    const params = { level: (time % 600) / 100 }
    const report = { method: 'report', clientToken: `${time}`, ...(hasClock && { timestamp: time }), params }
    underWay++
    client.publish(topic, JSON.stringify(report), { qos: 1 }, (error) => {
      underWay--
      if (!error) acknowledged.push(time)
    })
  }
  const stop = async () => {
    clearInterval(timer)
    await until(() => underWay === 0, `the last report of ${name} being acknowledged`)
    await client.endAsync()
  }
  return { name, client, acknowledged, stop }
}

async function openDatabase(dataDir: string): Promise<pg.Client> {
  const password = await readFile(join(dataDir, 'postgres/password'), 'utf8')
  const host = encodeURIComponent(join(dataDir, 'postgres/socket'))
  const client = new pg.Client({ connectionString: `postgresql://ithings:${password}@/ithings?host=${host}&port=5432` })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const databasePid = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0])

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen within a minute`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function measureCrash(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-crash-'))
  await chmod(dataDir, 0o711)
  let platform = await startPlatform({ DATA_DIR: dataDir })
  const ports = { PORT: new URL(platform.origin).port, MQTT_PORT: String(platform.mqttPort) }
  try {
    const first = await openDatabase(dataDir)
    const productID = await makeStations(await signIn(platform.origin), first, devices + 1)
    await first.end()
    const reporters = Array.from({ length: devices }, (_, i) => startReporter(platform.mqttPort, productID, i))
    const burster = startReporter(platform.mqttPort, productID, devices, false)
    const total = () => reporters.reduce((sum, one) => sum + one.acknowledged.length, 0)
    const begun = performance.now()
    const reportAgain = async () => {
      const before = total()
      await until(() => total() > before + reportsBetween * devices, 'reporting again')
    }
    for (let blow = 0; blow < kills; blow++) {
      await reportAgain()
      if (blow % 10 === 9) console.error(`  ${blow + 1} of ${kills} blows, ${total()} reports acknowledged`)
      const victim = (['server', 'database', 'both'] as const)[blow % 3]
      const pid = await databasePid(dataDir)
      if (victim !== 'database') await endProcess(platform.child, 'SIGKILL')
      if (victim !== 'server') process.kill(pid, 'SIGKILL')
      if (victim !== 'database') platform = await startPlatform({ DATA_DIR: dataDir, ...ports })
    }
    // A client that is told to end while it is cut off would wait for ever.
    await reportAgain()
    const seconds = (performance.now() - begun) / 1000
    await Promise.all([...reporters, burster].map((one) => one.stop()))
    const { missing, missingOfBursts, doubled } = await compare(dataDir, productID, reporters, burster)
    console.error(`  ${kills} blows in ${seconds.toFixed(0)} s, ${total()} reports acknowledged`)
    const area = 'Crash'
    return [
      row({
        area,
        what: `acknowledged but missing after ${kills} x kill -9`,
        figure: missing,
        unit: 'messages',
        reference: 0,
      }),
      row({
        area,
        what: 'the same of reports without timestamp, in bursts',
        figure: missingOfBursts,
        unit: 'messages',
        reference: 0,
      }),
      row({ area, what: 'stored twice, or two under one time', figure: doubled, unit: 'messages', reference: 0 }),
    ]
  } finally {
    await endProcess(platform.child)
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compare(dataDir: string, productID: string, reporters: Reporter[], burster: Reporter) {
  const database = await openDatabase(dataDir)
  const names = reporters.flatMap(({ name, acknowledged }) => acknowledged.map(() => name))
  const times = reporters.flatMap(({ acknowledged }) => acknowledged)
  const missing = await database.query<{ n: string }>(
    `select count(*) as n from unnest($1::text[], $2::bigint[]) as told (device_name, time)
     join device on device.product_id = $3 and device.device_name = told.device_name
     where not exists (select from journal where journal.device_id = device.device_id
       and journal.device_time = told.time and journal.adds)`,
    [names, times, productID],
  )
  const ofBursts = await database.query<{ n: string }>(
    `select count(distinct token) as n from journal join device using (device_id)
     where device.product_id = $1 and device_name = $2 and adds and token = any($3::text[])`,
    [productID, burster.name, burster.acknowledged.map(String)],
  )
  const doubled = await database.query<{ n: string }>(
    // Who states no time has the one that the server gave it.
    `select count(*) as n from (select from journal where product_id = $1 and adds
     group by device_id, case when device_time > 0 then device_time else at end having count(*) > 1) as twice`,
    [productID],
  )
  await database.end()
  return {
    missing: Number(missing.rows[0]?.n),
    missingOfBursts: burster.acknowledged.length - Number(ofBursts.rows[0]?.n),
    doubled: Number(doubled.rows[0]?.n),
  }
}
