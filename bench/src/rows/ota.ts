/** Issue "Operations" part 6: pace, no second push, calls meanwhile, the halt of a bad firmware, memory of big packages. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { createFirmware, readFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import {
  analyseOtaTask,
  createOtaTask,
  listOtaTasks,
  type OtaStage,
  readOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { type OtaFleet, type PushSeen, startOtaFleet } from '../load/ota-fleet.ts'
import { downloadHash, type Place, uploadPackage } from '../load/packages.ts'
import { type BenchPlatform, endProcess, makeStations, openSession, type Post, startPlatform } from '../platform.ts'
import { residentMegabytes } from '../processor-time.ts'
import { type Row, row } from '../row.ts'

const area = 'Upgrade'
const quick = process.argv.includes('--quick')
const devices = quick ? 1_000 : 10_000
const perMinute = quick ? 3_000 : 6_000
const packageBytes = (quick ? 100 : 500) * 1024 * 1024
const warmUpBytes = 16 * 1024 * 1024
/** A first stage of a hundred devices. */
const stages: OtaStage[] = (quick ? [10, 50, 100] : [1, 10, 100]).map((percent) => ({
  percent,
  successPercent: 90,
  failPercent: 20,
}))
const firstStage = (devices * (stages[0]?.percent ?? 0)) / 100
const versions = { before: '1.0.0', good: '2.0.0', bad: '3.0.0' }
/** Devices of each ten that fail at the bad one. */
const failing = { [versions.bad]: 3 }
const upgradeMs = 2_000
const callEveryMs = 100

interface Run {
  platform: BenchPlatform
  place: Place
  post: Post
  productID: string
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function makeFirmware({ place, post, productID }: Run, version: string, bytes: number) {
  const file = await uploadPackage(place, `${version}.bin`, bytes)
  const made = await post(createFirmware.path, {
    name: `固件 ${version}`,
    productID,
    version,
    files: [{ ...file, name: 'main.bin' }],
  })
  return { firmwareID: made.firmwareID as number, sha256: file.sha256 }
}

/** The most that the server grew by while something went on. */
async function growthDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const before = residentMegabytes(pid)
  let most = before
  const timer = setInterval(async () => {
    most = Math.max(most, residentMegabytes(pid))
  }, 50)
  await work()
  clearInterval(timer)
  return Math.max(most, residentMegabytes(pid)) - before
}

async function measurePackage(run: Run): Promise<Row> {
  const { platform, post } = run
  const carry = async (version: string, bytes: number) => {
    const { firmwareID, sha256 } = await makeFirmware(run, version, bytes)
    const { files } = await post(readFirmware.path, { firmwareID })
    const { uri } = (files as Array<{ uri: string }>)[0] ?? { uri: '' }
    const came = await downloadHash(new URL(uri, platform.origin).href)
    if (came.sha256 !== sha256 || came.bytes !== bytes) throw new Error(`${version} came back as something else`)
  }
  await carry('0.0.1', warmUpBytes)
  const begun = performance.now()
  const grown = await growthDuring(platform.child.pid ?? 0, () => carry('0.0.2', packageBytes))
  const seconds = (performance.now() - begun) / 1000
  return row({
    area,
    what: `server process grew by, package of ${packageBytes / 1024 / 1024} MB up and down again (${seconds.toFixed(0)} s)`,
    figure: Math.max(0, grown),
    unit: 'MB',
    reference: 50,
  })
}

/** Pushes a minute as the slope of their count over time: where the first and the last one lie does not matter. */
function paceOf(pushes: PushSeen[]): number {
  const times = pushes.map(({ at }) => at).sort((a, b) => a - b)
  const middle = (times.length - 1) / 2
  const mean = times.reduce((sum, at) => sum + at, 0) / times.length
  let both = 0
  let spread = 0
  times.forEach((at, i) => {
    both += (at - mean) * (i - middle)
    spread += (at - mean) ** 2
  })
  return (both / spread) * 60_000
}

interface Task {
  taskID: number
  taskUid: string
}

async function startTask({ post }: Run, firmwareID: number, more: { stages?: OtaStage[] } = {}): Promise<Task> {
  const body = { firmwareID, type: 1, upgradeType: 1, maximumPerMinute: perMinute, timeoutInMinutes: 10, ...more }
  return (await post(createOtaTask.path, body)) as unknown as Task
}

/** What people look at, again and again, until the work is over: the list, and what the detail of a task asks for. */
async function callsDuring({ post }: Run, { taskID, taskUid }: Task, over: () => Promise<boolean>) {
  const page = { page: 1, size: 20 }
  const calls = {
    list: [listOtaTasks.path, { page }],
    detail: [readOtaTask.path, { taskID }],
    counts: [analyseOtaTask.path, { taskUid }],
    devices: [listOtaDevices.path, { taskUid, page }],
    'devices that wait': [listOtaDevices.path, { taskUid, status: 101, page }],
  } as const
  const took: Record<string, number[]> = {}
  while (!(await over())) {
    for (const [name, [path, body]] of Object.entries(calls)) {
      const begun = performance.now()
      await post(path, body)
      took[name] = [...(took[name] ?? []), performance.now() - begun]
      await wait(callEveryMs)
    }
  }
  for (const [name, times] of Object.entries(took)) console.error(`  ${name}: p95 ${p95(times).toFixed(1)} ms`)
  const { list = [], ...detail } = took
  return { list, detail: Object.values(detail).flat() }
}

const p95 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0

/** Fails when it is not over long after it should be. */
function untilOver({ post }: Run, taskID: number, done: (task: Record<string, unknown>) => boolean) {
  const patience = performance.now() + (devices / perMinute) * 60_000 + 120_000
  return async () => {
    const task = await post(readOtaTask.path, { taskID })
    if (performance.now() > patience) throw new Error(`the task is not over: ${JSON.stringify(task)}`)
    return done(task)
  }
}

async function measurePace(run: Run, fleet: OtaFleet): Promise<Row[]> {
  const { firmwareID } = await makeFirmware(run, versions.good, 64 * 1024)
  const task = await startTask(run, firmwareID)
  const over = untilOver(run, task.taskID, ({ status }) => status === OtaTaskStatus.done)
  const took = await callsDuring(run, task, over)
  const pushes = await fleet.pushes(versions.good)
  const reached = new Set(pushes.map(({ device }) => device)).size
  const pace = paceOf(pushes)
  console.error(`  ${pushes.length} pushes to ${reached} devices at ${pace.toFixed(1)} a minute`)
  return [
    row({
      area,
      what: `pace of ${perMinute} a minute over ${devices} devices: off by`,
      figure: Math.abs(pace / perMinute - 1) * 100,
      unit: '%',
      reference: 1,
    }),
    row({ area, what: 'devices pushed twice', figure: pushes.length - reached, unit: '', reference: 0 }),
    row({ area, what: 'devices not reached', figure: devices - reached, unit: '', reference: 0 }),
    ...Object.entries(took).map(([name, times]) =>
      row({
        area,
        what: `task ${name} meanwhile, p95 of ${times.length}`,
        figure: p95(times),
        unit: 'ms',
        reference: 100,
      }),
    ),
  ]
}

async function measureHalt(run: Run, fleet: OtaFleet): Promise<Row> {
  const { firmwareID } = await makeFirmware(run, versions.bad, 64 * 1024)
  const task = await startTask(run, firmwareID, { stages })
  const halted = untilOver(
    run,
    task.taskID,
    ({ paused, status }) => paused === 1 || (status !== OtaTaskStatus.running && status !== OtaTaskStatus.waiting),
  )
  while (!(await halted())) await wait(callEveryMs)
  const { paused, haltReason } = await run.post(readOtaTask.path, { taskID: task.taskID })
  console.error(`  halted: ${haltReason}`)
  // What was on its way when it halted would come now.
  await wait(upgradeMs * 2)
  const pushes = await fleet.pushes(versions.bad)
  return row({
    area,
    what: `devices that a firmware failing on 30 % reached before it was halted (first stage: ${firstStage})`,
    figure: paused === 1 && haltReason !== '' ? pushes.length : Number.POSITIVE_INFINITY,
    unit: '',
    reference: firstStage,
  })
}

export async function measureOta(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-ota-'))
  await chmod(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, tcp: true, log: { info() {}, warn() {} } })
  const database = new pg.Client({ connectionString: server.connectionString })
  let platform: BenchPlatform | undefined
  let fleet: OtaFleet | undefined
  try {
    await database.connect()
    platform = await startPlatform({ DATABASE_URL: server.connectionString, DATA_DIR: join(dataDir, 'platform') })
    const { post, token } = await openSession(platform.origin)
    const productID = await makeStations(post, database, devices)
    const run: Run = { platform, post, productID, place: { origin: platform.origin, token } }
    const memory = await measurePackage(run)
    const { mqttPort: port } = platform
    fleet = await startOtaFleet({ port, productID, devices, version: versions.before, failing, upgradeMs })
    return [...(await measurePace(run, fleet)), await measureHalt(run, fleet), memory]
  } finally {
    await fleet?.stop()
    if (platform) await endProcess(platform.child)
    await database.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
