/**
 * A whole cell on this machine (scaling.md): three servers, a PostgreSQL with a standby that is waited for, NATS and
 * HAProxy, each a process of its own that can be killed, hung and started again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../../apps/server/src/testing/eventually.ts'
import { type NatsServer, startNats } from '../../../apps/server/src/testing/nats-server.ts'
import { adminQuery } from '../../../apps/server/src/testing/scratch-database.ts'
import { openSilentLine, type SilentLine } from '../../../apps/server/src/testing/silent-line.ts'
import { limitFiles, openTwoDatabases, type TwoDatabases } from '../../../apps/server/src/testing/two-databases.ts'
import { type BenchPlatform, endProcess, startPlatform } from '../platform.ts'
import { type Balancer, startBalancer } from './balancer.ts'

export interface CellServer {
  origin: string
  hang(): void
  goOn(): void
  kill(): Promise<void>
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
  /** Between the last server and the databases. */
  lines: SilentLine[]
  allReady(): Promise<void>
  close(): Promise<void>
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
  return answer?.ok === true
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
    fillDisk: (full) => limitFiles(String(platform.child.pid), full ? '0' : 'unlimited'),
  }
}

/** The last server reaches the databases by lines that can fall silent. */
async function throughLines(url: string): Promise<{ url: string; lines: SilentLine[] }> {
  const lines: SilentLine[] = []
  let changed = url
  for (const [, port] of url.matchAll(/127\.0\.0\.1:(\d+)/g)) {
    const line = await openSilentLine(Number(port))
    lines.push(line)
    changed = changed.replace(`127.0.0.1:${port}`, `127.0.0.1:${line.port}`)
  }
  return { url: changed, lines }
}

export async function openCell(): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-cell-'))
  const closers: Array<() => Promise<unknown>> = [() => rm(folder, { recursive: true, force: true })]
  const databases = await openTwoDatabases()
  closers.push(() => databases.close())
  await adminQuery(databases.primaryUrl, `alter system set synchronous_standby_names = 'two'`)
  await adminQuery(databases.primaryUrl, 'select pg_reload_conf()')
  const nats = await startNats((close) => void closers.push(close))
  const { url: lastUrl, lines } = await throughLines(databases.url)
  closers.push(...lines.map((line) => () => line.close()))
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  for (const [i, url] of [databases.url, databases.url, lastUrl].entries()) {
    const server = await startServer({
      DATABASE_URL: url,
      DATA_DIR: join(folder, `server-${i}`),
      FILES_DIR: join(folder, 'files'),
      SECRET_KEY: '7'.repeat(64),
      NATS_URL: nats.url,
      MQTT_PROXY_PROTOCOL: 'on',
      TRUST_PROXY: '127.0.0.1',
      DRAIN_SECONDS: '3',
    })
    closers.push(() => server.kill())
    servers.push(server)
  }
  const balancer = await startBalancer(folder, servers)
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
