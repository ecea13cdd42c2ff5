/** goals.md "Crash": kill -9 of server or PostgreSQL under load; acknowledged but missing and stored twice must be 0. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { compare, startReporter, until } from '../load/reporter.ts'
import { endProcess, makeStations, signIn, startPlatform } from '../platform.ts'
import { type Row, row } from '../row.ts'

const quick = process.argv.includes('--quick')
const kills = quick ? 4 : 50
const devices = 100
/** Between two blows everybody has reported this often again. */
const reportsBetween = 30

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
    const burster = startReporter(platform.mqttPort, productID, devices, { hasClock: false })
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
    const database = await openDatabase(dataDir)
    const { missing, missingOfBursts, doubled } = await compare(database, productID, reporters, burster)
    await database.end()
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
