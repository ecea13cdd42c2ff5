import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, type FileHandle, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { cutLog } from './log-file.ts'
import type { Native } from './native.ts'
import { isPostmasterOf, readPidFile } from './pid-file.ts'
import { programOptions, runProgram } from './run-program.ts'
import type { System } from './system.ts'

const megabyte = 1024 * 1024

/** postgresql.conf, written at every start, so that new defaults reach old clusters. ALTER SYSTEM still wins over it. */
function settingsText(extra: Record<string, string>): string {
  const settings: Record<string, string> = {
    // decisions.md 4.1: acknowledged means stored
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    // Memory is taken as pages are used: a small fleet does not pay for it, a million devices need it (goals.md "Lists").
    shared_buffers: `${Math.min(1024, Math.max(128, Math.floor(totalmem() / megabyte / 8)))}MB`,
    // Pages that are not in there are in the system's cache: handing such reads to other processes costs more than reading.
    io_method: 'sync',
    effective_cache_size: `${Math.max(256, Math.floor(totalmem() / megabyte / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    // With two cores a parallel query only takes the second core away from the message corridor.
    max_parallel_workers_per_gather: availableParallelism() > 4 ? '2' : '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_min_messages: 'warning',
    lc_messages: 'C',
    ...extra,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  return `# Written by the server at every start. For settings of your own use ALTER SYSTEM.\n${lines.join('\n')}\n`
}

/** Where clients reach the server: a folder with a socket, or loopback TCP (Windows, and when asked for). */
export type Address = { socketDir: string; port: number } | { port: number }

export type Cluster = {
  home: string
  dir: string
  logPath: string
  account: Account | undefined
  native: Native
  system: System
  settings: Record<string, string>
}

// Recovery after a crash replays at most about 1 GB of log; far less than this even on a slow disk.
export const startPatience = 5 * 60_000
const socketPort = 5432
// The shortest limit of the supported systems (macOS: 104 bytes with the closing zero).
const longestSocketPath = 103
const shortSocketPrefix = '/tmp/ithings-core-pg-'

export async function chooseAddress(cluster: Cluster, tcp: boolean): Promise<Address> {
  if (tcp || !cluster.system.hasSocket) return { port: await freePort() }
  const inHome = join(cluster.home, 'socket')
  const socketDir = fits(inHome) ? inHome : await mkdtemp(shortSocketPrefix)
  await mkdir(socketDir, { recursive: true, mode: 0o700 })
  await chmod(socketDir, 0o700)
  if (cluster.account) await chown(socketDir, cluster.account.uid, cluster.account.gid)
  return { socketDir, port: socketPort }
}

const fits = (dir: string) => Buffer.byteLength(join(dir, `.s.PGSQL.${socketPort}`)) <= longestSocketPath

/** Short-path socket folders are made anew for each start; the one a dead server used goes. */
export async function removeShortSocketDir(socketDir: string): Promise<void> {
  if (socketDir.startsWith(shortSocketPrefix) && dirname(socketDir) === '/tmp') {
    await rm(socketDir, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The process that was started: the server, or what starts it. */
export type Launched = { pid: number | undefined; failed(): boolean }

/** However our process ends, nothing but stop() ends the server, so that the next start can adopt it. */
export async function launch(cluster: Cluster, address: Address): Promise<Launched> {
  const conf = join(cluster.dir, 'postgresql.conf')
  await writeFile(conf, settingsText({ ...cluster.system.settings, ...cluster.settings }), { mode: 0o600 })
  if (cluster.account) await chown(conf, cluster.account.uid, cluster.account.gid)
  await cutLog(cluster.logPath)
  const log = await open(cluster.logPath, 'a', 0o600)
  try {
    if (cluster.account) await log.chown(cluster.account.uid, cluster.account.gid)
    if (cluster.system.starter === 'postgres') return await startServer(cluster, address, log)
  } finally {
    await log.close()
  }
  return startByPgCtl(cluster, address)
}

/** As a session of its own, which Ctrl-C does not reach, with its output in a file. */
async function startServer(cluster: Cluster, address: Address, log: FileHandle): Promise<Launched> {
  const { postgres } = cluster.native
  const child = spawn(postgres, ['-D', cluster.dir, ...addressFlags(address)], {
    ...programOptions(postgres, cluster.account),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.unref()
  await once(child, 'spawn')
  return { pid: child.pid, failed: () => child.exitCode !== null || child.signalCode !== null }
}

/**
 * No file or pipe of ours is handed down: only so does Windows give it a hidden console of its own, which Ctrl-C does not
 * reach and which all server processes share. A process without any would open a window for each of them.
 */
async function startByPgCtl(cluster: Cluster, address: Address): Promise<Launched> {
  const { pgCtl } = cluster.native
  const child = spawn(pgCtl, pgCtlStart(cluster, address), {
    ...programOptions(pgCtl, cluster.account),
    stdio: 'ignore',
  })
  child.unref()
  await once(child, 'spawn')
  // Its good end means that the server runs.
  return { pid: child.pid, failed: () => (child.exitCode ?? 0) !== 0 || child.signalCode !== null }
}

/** It waits as long as we do. The options go through a shell: no value has a blank in it. */
export function pgCtlStart({ dir, logPath }: Pick<Cluster, 'dir' | 'logPath'>, address: Address): string[] {
  const waits = ['-w', '-t', String(startPatience / 1000)]
  return ['start', '-D', dir, '-l', logPath, ...waits, '-o', addressFlags(address).join(' ')]
}

function addressFlags(address: Address): string[] {
  const settings =
    'socketDir' in address
      ? { listen_addresses: '', unix_socket_directories: `"${address.socketDir.replaceAll('"', '""')}"` }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const all = { ...settings, port: String(address.port), unix_socket_permissions: '0700' }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Fast shutdown: clients are cut off, everything is written, and the call returns when the server is gone. */
export async function shutDown(cluster: Cluster): Promise<void> {
  // The write-ahead log makes an immediate stop safe, only the next start takes longer.
  const ways: [mode: string, seconds: number][] = [
    ['fast', 60],
    ['immediate', 20],
  ]
  for (const [mode, seconds] of ways) {
    if (!(await isRunning(cluster))) return
    const args = ['stop', '-D', cluster.dir, '-m', mode, '-w', '-t', String(seconds)]
    const { pgCtl } = cluster.native
    try {
      return await runProgram(pgCtl, args, programOptions(pgCtl, cluster.account))
    } catch (error) {
      // It may have died by itself meanwhile, which is what we wanted.
      if (mode === 'immediate' && (await isRunning(cluster))) throw error
    }
  }
}

async function isRunning(cluster: Cluster): Promise<boolean> {
  const found = await readPidFile(cluster.dir)
  return found !== undefined && (await isPostmasterOf(found.pid, cluster.dir))
}
