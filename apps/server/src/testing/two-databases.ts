/** A PostgreSQL and a standby that follows it, of the embedded programs, each on a port of this machine. */
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Account, pickAccount, spawnIdentity } from '#engines/embedded-pg/account.ts'
import { findNative } from '#engines/embedded-pg/native.ts'
import { type Cluster, chooseAddress, type Launched, launch, shutDown } from '#engines/embedded-pg/postmaster.ts'
import { runProgram } from '#engines/embedded-pg/run-program.ts'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { systemOf } from '#engines/embedded-pg/system.ts'
import { eventually } from './eventually.ts'
import { adminQuery } from './scratch-database.ts'

export interface TwoDatabases {
  /** Both hosts, the standby of the beginning first. */
  url: string
  /** As it is now: which was promoted is the primary. */
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** From now on a commit waits for the standby. */
  waitForStandby(): Promise<void>
  /** It ends without a farewell: by SIGQUIT it still closes its connections itself, by SIGKILL nobody does. */
  killPrimary(signal?: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** It stands still with all its processes, and its connections stay open. On Linux only. */
  hangPrimary(): Promise<void>
  /** The standby is the primary. What was the primary is not touched. */
  promote(): Promise<void>
  /** What was the primary is ended, whatever state it is in, and follows the new one with a copy of its files. */
  followAgain(): Promise<void>
  /** The standby can write to no file any more, as on a full disk, and ends of it. On Linux only. */
  fillStandby(): Promise<void>
  /** There is room again, and somebody has started it. */
  startStandby(): Promise<void>
  close(): Promise<void>
}

interface Instance {
  /** As a standby it is known to the primary by this. */
  name: 'one' | 'two'
  cluster: Cluster
  port: number
  url: string
  launched: Launched
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

async function writeOwned({ dir, account }: Cluster, name: string, text: string): Promise<void> {
  await writeFile(join(dir, name), text)
  if (account) await chown(join(dir, name), account.uid, account.gid)
}

async function start(cluster: Cluster, port: number): Promise<Launched> {
  if (cluster.settings.primary_conninfo !== undefined) await writeOwned(cluster, 'standby.signal', '')
  return launch(cluster, { port })
}

async function begin(name: Instance['name'], home: string, systemDir: string, more = {}): Promise<Instance> {
  const dir = join(home, 'cluster')
  const account = await pickAccount(dir)
  const native = await findNative(account, systemDir)
  const system = systemOf(process.platform)
  const cluster: Cluster = {
    ...{ home, dir, account, native, system, logPath: join(home, 'postgres.log') },
    settings: { ...settings, ...more },
  }
  const { port } = await chooseAddress(cluster, true)
  const launched = await start(cluster, port)
  const url = `postgres://tester:tester@127.0.0.1:${port}/cell`
  await eventually(() => adminQuery(url, 'select 1'))
  return { name, cluster, port, launched, url }
}

/** Every write of a process fails, as far as it is to a file. */
export const limitFiles = (pid: string, limit: '0' | 'unlimited' = '0', account?: Account): Promise<void> =>
  runProgram('prlimit', ['--pid', pid, `--fsize=${limit}:`], { ...spawnIdentity(account), cwd: '/' })

const childrenOf = async (pid: number): Promise<number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** On Linux; elsewhere to the first of its processes alone. */
async function signalAll({ launched }: Instance, signal: NodeJS.Signals): Promise<void> {
  const { pid } = launched
  if (pid === undefined || launched.failed()) return
  // So that it starts no other one meanwhile.
  send(pid, 'SIGSTOP')
  for (const one of [pid, ...(await childrenOf(pid))]) send(one, signal)
  if (signal !== 'SIGSTOP') send(pid, 'SIGCONT')
}

/** The files of a database that goes on working: what changes meanwhile is in its log, which the copy follows from here on. */
async function copyRunning(from: Instance, to: Instance): Promise<void> {
  const client = new pg.Client({ connectionString: from.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('copy', fast => true)`)
    const { dir } = to.cluster
    // The folder itself stays: by it PostgreSQL finds the shared memory that a killed one has left, and clears it away.
    for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true })
    // Files that go meanwhile are an error to `cp` and none to PostgreSQL. Node's own copying does not keep the owner.
    await runProgram('cp', ['-a', `${from.cluster.dir}/.`, dir], {}).catch(() => undefined)
    for (const name of await readdir(join(dir, 'pg_wal'))) await rm(join(dir, 'pg_wal', name), { recursive: true })
    await rm(join(dir, 'postmaster.pid'))
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeOwned(to.cluster, 'backup_label', rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

async function isFollowed(primary: Instance, by: Instance): Promise<boolean> {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  const which = `select from pg_stat_replication where application_name = $1 and state = 'streaming'`
  const { rowCount } = await client.query(which, [by.name]).finally(() => client.end())
  return rowCount === 1
}

/** @param between the port at which a standby reaches the primary that listens on this one */
export async function openTwoDatabases(between = async (port: number) => port): Promise<TwoDatabases> {
  const root = await mkdtemp(join(tmpdir(), 'ithings-pair-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(root, 0o755)
  const systemDir = join(root, 'system')
  const home = await makeFirst(root, systemDir)
  const copy = join(root, 'two')
  // Node's own copying does not keep the owner.
  await runProgram('cp', ['-a', home, copy], {})
  const follow = async (port: number, name: Instance['name']) => ({
    primary_conninfo: `host=127.0.0.1 port=${await between(port)} user=tester password=tester application_name=${name}`,
  })
  const one = await begin('one', home, systemDir)
  const two = await begin('two', copy, systemDir, await follow(one.port, 'two'))
  let [primary, standby] = [one, two]
  const waitForStandby = async () => {
    await eventually(async () => {
      if (!(await isFollowed(primary, standby))) throw new Error('the standby does not follow')
    })
    await adminQuery(primary.url, `alter system set synchronous_standby_names = '${standby.name}'`)
    await adminQuery(primary.url, 'select pg_reload_conf()')
  }
  return {
    url: `postgres://tester:tester@127.0.0.1:${two.port},127.0.0.1:${one.port}/cell?target_session_attrs=read-write`,
    get primaryUrl() {
      return primary.url
    },
    get standbyUrl() {
      return standby.url
    },
    waitForStandby,
    killPrimary: (signal = 'SIGQUIT') => signalAll(primary, signal),
    hangPrimary: () => signalAll(primary, 'SIGSTOP'),
    async promote() {
      await adminQuery(standby.url, 'select pg_promote()')
      ;[primary, standby] = [standby, primary]
    },
    async followAgain() {
      await signalAll(standby, 'SIGKILL')
      await eventually(() => {
        if (!standby.launched.failed()) throw new Error('what was the primary still runs')
      })
      await copyRunning(primary, standby)
      Object.assign(standby.cluster.settings, await follow(primary.port, standby.name))
      standby.launched = await start(standby.cluster, standby.port)
      await waitForStandby()
    },
    async fillStandby() {
      const { launched, cluster } = standby
      const { pid = 0 } = launched
      const limit = (one: number) => limitFiles(String(one), '0', cluster.account)
      // The first of its processes before the others: who comes after it is born with the limit.
      await limit(pid)
      for (const child of await childrenOf(pid)) await limit(child).catch(() => undefined)
      await eventually(() => {
        if (!launched.failed()) throw new Error('a standby that can write nothing still runs')
      })
    },
    async startStandby() {
      standby.launched = await start(standby.cluster, standby.port)
      await eventually(() => adminQuery(standby.url, 'select 1'))
    },
    async close() {
      for (const one of [standby, primary]) {
        // A hung one cannot end.
        await signalAll(one, 'SIGCONT')
        await shutDown(one.cluster)
      }
      await rm(root, { recursive: true, force: true })
    },
  }
}
