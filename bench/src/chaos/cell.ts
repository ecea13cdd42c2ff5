/**
 * A whole cell on this machine (scaling.md): three servers, a PostgreSQL with a standby that is waited for, NATS and
 * HAProxy, each a process of its own that can be killed, hung and started again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../../apps/server/src/testing/eventually.ts'
import { type NatsServer, startNats } from '../../../apps/server/src/testing/nats-server.ts'
import { limitFiles, openTwoDatabases, type TwoDatabases } from '../../../apps/server/src/testing/two-databases.ts'
import { type BenchPlatform, endProcess, startPlatform } from '../platform.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Lines, openLines, seenThrough } from './lines.ts'

export interface CellServer {
  origin: string
  hang(): void
  goOn(): void
  kill(): Promise<void>
  /** Connections of devices that it has, as it says itself. */
  devices(): Promise<number>
  /** In good order: it sends its devices to the others first. */
  stop(): Promise<void>
  /** @param env on top of its own */
  startAgain(env?: Record<string, string>): Promise<void>
  isReady(): Promise<boolean>
  /**
   * It can write to no file any more, or can again. A full disk needs a disk of its own, which only root may make; that
   * each write fails (EFBIG instead of ENOSPC) is anybody's to set, on Linux.
   */
  fillDisk(full: boolean): Promise<void>
}

export interface Cell {
  servers: CellServer[]
  nats: NatsServer
  databases: TwoDatabases
  balancer: Balancer
  lines: Lines
  allReady(): Promise<void>
  close(): Promise<void>
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  return answer?.ok === true
}

/** @returns NaN: it does not answer */
async function countDevices(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  const text = (await answer?.text()) ?? ''
  return Number(/^ithings_mqtt\{what="connections"\} (\d+)$/m.exec(text)?.[1])
}

async function startServer(env: Record<string, string>): Promise<CellServer & { mqttPort: number; httpPort: number }> {
  let platform: BenchPlatform = await startPlatform(env)
  const { origin, mqttPort } = platform
  const httpPort = Number(new URL(origin).port)
  const ports = { PORT: String(httpPort), MQTT_PORT: String(mqttPort) }
  return {
    ...{ origin, mqttPort, httpPort },
    hang: () => void platform.child.kill('SIGSTOP'),
    goOn: () => void platform.child.kill('SIGCONT'),
    kill: () => endProcess(platform.child, 'SIGKILL'),
    stop: () => endProcess(platform.child),
    async startAgain(more = {}) {
      await endProcess(platform.child, 'SIGKILL')
      platform = await startPlatform({ ...env, ...ports, ...more })
    },
    isReady: () => isReady(origin),
    devices: () => countDevices(origin),
    fillDisk: (full) => limitFiles(String(platform.child.pid), full ? '0' : 'unlimited'),
  }
}

/** That servers name one NATS in common is looked after by themselves; this one is away, and no line leads to it. */
const natsInCommon = 'nats://127.0.0.1:9'

export async function openCell(): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-cell-'))
  const closers: Array<() => Promise<unknown>> = [() => rm(folder, { recursive: true, force: true })]
  const lines = openLines()
  closers.push(() => lines.close())
  const databases = await openTwoDatabases((port) => lines.to('standby', port))
  closers.push(() => databases.close())
  await databases.waitForStandby()
  const nats = await startNats((close) => void closers.push(close))
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  const near = { DATABASE_URL: databases.url, NATS_URL: nats.url }
  const far = {
    DATABASE_URL: await lines.through('database', databases.url),
    NATS_URL: await lines.through('nats', nats.url),
  }
  for (const [i, { DATABASE_URL, NATS_URL }] of [near, near, far].entries()) {
    const server = await startServer({
      DATABASE_URL,
      NATS_URL: `${NATS_URL},${natsInCommon}`,
      DATA_DIR: join(folder, `server-${i}`),
      FILES_DIR: join(folder, 'files'),
      SECRET_KEY: '7'.repeat(64),
      MQTT_PROXY_PROTOCOL: 'on',
      TRUST_PROXY: '127.0.0.1',
      DRAIN_SECONDS: '30',
    })
    closers.push(() => server.kill())
    servers.push(server)
  }
  const seen = servers.map(({ mqttPort, httpPort }) => ({ mqttPort, httpPort }))
  for (const address of seen.slice(-1)) Object.assign(address, await seenThrough(lines, address))
  const balancer = await startBalancer(folder, seen)
  closers.push(() => balancer.kill())
  const front = `http://127.0.0.1:${balancer.httpPort}`
  const cell: Cell = {
    ...{ servers, nats, databases, balancer, lines },
    async allReady() {
      await eventually(async () => {
        const ready = await Promise.all([...servers, { isReady: () => isReady(front) }].map((one) => one.isReady()))
        if (ready.includes(false)) throw new Error(`servers and balancer are ready: ${ready.join(', ')}`)
      })
    },
    async close() {
      for (const close of closers.reverse()) await close()
    },
  }
  await cell.allReady()
  return cell
}
