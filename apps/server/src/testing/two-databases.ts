/** A PostgreSQL and a standby that follows it, of the embedded programs, each on a port of this machine. */
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, pickAccount, spawnIdentity } from '#engines/embedded-pg/account.ts'
import { findNative } from '#engines/embedded-pg/native.ts'
import { type Cluster, chooseAddress, type Launched, launch, shutDown } from '#engines/embedded-pg/postmaster.ts'
import { runProgram } from '#engines/embedded-pg/run-program.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { systemOf } from '#engines/embedded-pg/system.ts'
import { eventually } from './eventually.ts'
import { adminQuery } from './scratch-database.ts'

export interface TwoDatabases {
  /** Both hosts, the standby first. */
  url: string
  primaryUrl: string
  standbyUrl: string
  /** The primary ends without a farewell. */
  killPrimary(): void
  /** It stands still with all its processes, and its connections stay open. On Linux only. */
  hangPrimary(): Promise<void>
  /** The standby can write to no file any more, as on a full disk, and ends of it. On Linux only. */
  fillStandby(): Promise<void>
  /** There is room again, and somebody has started it. */
  startStandby(): Promise<void>
  close(): Promise<void>
}

const quiet = { info: () => {}, warn: () => {} }
const settings = { max_connections: '100', shared_buffers: '64MB', wal_keep_size: '256MB' }

/** The files of a first start, with an owner of everything. */
async function makeFirst(root: string, systemDir: string): Promise<string> {
  const first = await startEmbeddedPostgres({ dataDir: join(root, 'one'), systemDir, tcp: true, log: quiet })
  await adminQuery(first.adminUrl, `create role tester superuser login password 'tester'`)
  await adminQuery(first.adminUrl, 'create database cell owner tester')
  await first.stop()
  return first.where
}

async function begin(home: string, systemDir: string, more: Record<string, string>) {
  const dir = join(home, 'cluster')
  const account = await pickAccount(dir)
  const native = await findNative(account, systemDir)
  const system = systemOf(process.platform)
  const cluster: Cluster = {
    ...{ home, dir, account, native, system, logPath: join(home, 'postgres.log') },
    settings: { ...settings, ...more },
  }
  if (more.primary_conninfo !== undefined) {
    const mark = join(dir, 'standby.signal')
    await writeFile(mark, '')
    if (account) await chown(mark, account.uid, account.gid)
  }
  const { port } = await chooseAddress(cluster, true)
  const launched = await launch(cluster, { port })
  const url = `postgres://tester:tester@127.0.0.1:${port}/cell`
  await eventually(() => adminQuery(url, 'select 1'))
  return { cluster, port, launched, url }
}

/** Every write of a process fails, as far as it is to a file. */
export const limitFiles = (pid: string, limit: '0' | 'unlimited' = '0', account?: Account): Promise<void> =>
  runProgram('prlimit', ['--pid', pid, `--fsize=${limit}:`], { ...spawnIdentity(account), cwd: '/' })

/** With the first of its processes before the others: who comes after it is born as it is by then. */
async function eachProcess({ pid = 0 }: Launched, act: (pid: number) => Promise<void>): Promise<void> {
  await act(pid)
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const child of children.split(' ').filter(Boolean)) await act(Number(child)).catch(() => undefined)
}

export async function openTwoDatabases(): Promise<TwoDatabases> {
  const root = await mkdtemp(join(tmpdir(), 'ithings-pair-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(root, 0o755)
  const systemDir = join(root, 'system')
  const home = await makeFirst(root, systemDir)
  const copy = join(root, 'two')
  // Node's own copying does not keep the owner.
  await runProgram('cp', ['-a', home, copy], {})
  const one = await begin(home, systemDir, {})
  let hangs = false
  const follows = `host=127.0.0.1 port=${one.port} user=tester password=tester application_name=two`
  const two = await begin(copy, systemDir, { primary_conninfo: follows })
  return {
    url: `postgres://tester:tester@127.0.0.1:${two.port},127.0.0.1:${one.port}/cell?target_session_attrs=read-write`,
    primaryUrl: one.url,
    standbyUrl: two.url,
    killPrimary: () => void (one.launched.pid && process.kill(one.launched.pid, 'SIGQUIT')),
    async hangPrimary() {
      await eachProcess(one.launched, async (pid) => void process.kill(pid, 'SIGSTOP'))
      hangs = true
    },
    async fillStandby() {
      await eachProcess(two.launched, (pid) => limitFiles(String(pid), '0', two.cluster.account))
      await eventually(() => {
        if (!two.launched.failed()) throw new Error('a standby that can write nothing still runs')
      })
    },
    async startStandby() {
      two.launched = await launch(two.cluster, { port: two.port })
      await eventually(() => adminQuery(two.url, 'select 1'))
    },
    async close() {
      if (hangs) await eachProcess(one.launched, async (pid) => void process.kill(pid, 'SIGCONT'))
      for (const { cluster } of [two, one]) await shutDown(cluster)
      await rm(root, { recursive: true, force: true })
    },
  }
}
