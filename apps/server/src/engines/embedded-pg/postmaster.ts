import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Account, spawnIdentity } from './account.ts'
import { cutLog } from './log-file.ts'
import type { Native } from './native.ts'
import { isPostmasterOf, readPidFile } from './pid-file.ts'
import { childEnvironment, runProgram } from './run-program.ts'
import { settingsText } from './settings.ts'

/** Where clients reach the server: a folder with a socket, or loopback TCP (Windows, and when asked for). */
export type Address = { socketDir: string; port: number } | { port: number }

export type Cluster = {
  home: string
  dir: string
  logPath: string
  account: Account | undefined
  native: Native
  settings: Record<string, string>
}

const socketPort = 5432
// The shortest limit of the supported systems (macOS: 104 bytes with the closing zero).
const longestSocketPath = 103
const shortSocketPrefix = '/tmp/ithings-core-pg-'

export async function chooseAddress(cluster: Cluster, tcp: boolean): Promise<Address> {
  if (tcp || process.platform === 'win32') return { port: await freePort() }
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

/**
 * The server is a session of its own, with its output in a file: Ctrl-C or a kill of our process does not reach it,
 * so that nothing but stop() ends it and the next start can adopt it.
 */
export async function launch(cluster: Cluster, address: Address): Promise<ChildProcess> {
  const conf = join(cluster.dir, 'postgresql.conf')
  await writeFile(conf, settingsText(cluster.settings), { mode: 0o600 })
  if (cluster.account) await chown(conf, cluster.account.uid, cluster.account.gid)
  await cutLog(cluster.logPath)
  const log = await open(cluster.logPath, 'a', 0o600)
  try {
    const child = spawn(cluster.native.postgres, ['-D', cluster.dir, ...addressFlags(address)], {
      ...spawnIdentity(cluster.account),
      cwd: '/',
      env: childEnvironment,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    return child
  } finally {
    await log.close()
  }
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
    const options = { ...spawnIdentity(cluster.account), cwd: '/', env: childEnvironment }
    try {
      return await runProgram(cluster.native.pgCtl, args, options)
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
