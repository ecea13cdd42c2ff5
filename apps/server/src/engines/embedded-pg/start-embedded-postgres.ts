// PostgreSQL from the npm package, started, adopted, watched and stopped by us. decisions.md 3 and 4.

import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import pg from 'pg'
import { TerminalError } from '#terminal.ts'
import { type Account, canEnter, pickAccount } from './account.ts'
import { addressOf, isWrongPassword } from './ensure-running.ts'
import { makeCluster } from './make-cluster.ts'
import { findNative } from './native.ts'
import { isPostmasterOf, readPidFile } from './pid-file.ts'
import type { Address } from './postmaster.ts'
import { admitProgram, ensureRoles, openAudit, programUrl, sealAudit, superuser } from './roles.ts'
import { supervise } from './supervise.ts'
import { type System, systemOf } from './system.ts'

/**
 * home holds cluster/ (PGDATA), password, socket/ and the log.
 * pointer is written once the cluster is made, when it could not be kept inside DATA_DIR.
 */
type Place = { home: string; account: Account | undefined; made: boolean; pointer: string | undefined }

// A home appears whole (see makeCluster), and its folder may be looked into by any user, unlike the cluster's.
const madeIn = (home: string) =>
  stat(join(home, 'cluster')).then(
    () => true,
    () => false,
  )

/** An existing cluster is always found again; only a new one is placed by who may enter DATA_DIR. */
async function choosePlace(dataDir: string, systemDir: string): Promise<Place> {
  await mkdir(dataDir, { recursive: true })
  const root = await realpath(dataDir)
  const inside = join(root, 'postgres')
  if (await madeIn(inside)) {
    const account = await pickAccount(join(inside, 'cluster'))
    if (await canEnter(root, account)) return { home: inside, account, made: true, pointer: undefined }
    throw new TerminalError(
      phrase('{inside} 里的数据库，它的所有者（{owner}）进不去：请检查上层文件夹', {
        inside,
        owner: String(account?.name),
      }),
    )
  }
  const pointer = join(root, 'postgres.location')
  const elsewhere = (await readFile(pointer, 'utf8').catch(() => '')).trim()
  if (elsewhere) {
    if (!(await madeIn(elsewhere))) {
      throw new TerminalError(
        phrase('{root} 的数据库应在 {elsewhere}（依据 {pointer}），但那里没有', { root, elsewhere, pointer }),
      )
    }
    return { home: elsewhere, account: await pickAccount(join(elsewhere, 'cluster')), made: true, pointer: undefined }
  }
  const account = await pickAccount(undefined)
  if (await canEnter(root, account)) return { home: inside, account, made: false, pointer: undefined }
  await mkdir(systemDir, { recursive: true })
  await chmod(systemDir, 0o711)
  return { home: await freeHome(root, systemDir), account, made: false, pointer }
}

/** A DATA_DIR that was deleted and made again starts afresh; the old cluster is left alone under its old name. */
async function freeHome(root: string, systemDir: string): Promise<string> {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 12)
  for (let n = 1; ; n++) {
    const home = join(systemDir, n === 1 ? hash : `${hash}-${n}`)
    if (!(await madeIn(home))) return home
  }
}

async function rememberPlace(place: Place): Promise<void> {
  if (place.pointer) await writeFile(place.pointer, `${place.home}\n`)
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  log: { info(message: Phrase): void; warn(message: Phrase): void }
  /** Loopback TCP instead of a socket; always so on Windows. */
  tcp?: boolean
  /** The ways of another system than this one, to try them here. */
  system?: System
  /** Further lines of postgresql.conf. */
  settings?: Record<string, string>
  /** Home of clusters and programs that the account of PostgreSQL could not reach below DATA_DIR or node_modules. */
  systemDir?: string
  /** Another server took the data folder while PostgreSQL was down. */
  onLost?: (error: Error) => void
}

export type EmbeddedPostgres = {
  /** As the program's own role, which has no rights beyond its database. */
  connectionString: string
  /** As superuser: for tests, which make databases and roles. */
  adminUrl: string
  /** Whether the program may change the operation log: only while migrations or a restore are at work. */
  audit: { open(): Promise<unknown>; seal(): Promise<unknown> }
  /** Folder of the database files. */
  where: string
  /** It was still running when we came. */
  adopted: boolean
  stop(): Promise<void>
}

const database = 'ithings'
const defaultSystemDir = '/var/lib/ithings-core'

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  const systemDir = options.systemDir ?? defaultSystemDir
  const place = await choosePlace(dataDir, systemDir)
  const { home, account } = place
  const native = await findNative(account, systemDir)
  if (!place.made) {
    log.info(phrase('正在 {home} 准备新的数据库', { home }))
    await makeCluster(home, native.initdb, account)
    await rememberPlace(place)
  }
  const password = await readPassword(home)
  const urlOf = (address: Address, name = 'postgres') => connectionUrl(address, password, name)
  const server = await supervise({
    cluster: {
      home,
      dir: join(home, 'cluster'),
      logPath: join(home, 'postgres.log'),
      account,
      native,
      system: options.system ?? systemOf(process.platform),
      settings: options.settings ?? {},
    },
    dataDir,
    tcp: options.tcp ?? false,
    urlOf: (address) => urlOf(address),
    answers: (address) => tryConnect(urlOf(address)),
    log,
    onLost: options.onLost,
  })
  const adminUrl = urlOf(server.address, database)
  try {
    await createDatabase(urlOf(server.address))
    await ensureRoles(adminUrl, password)
    const given = await admitProgram(adminUrl)
    if (given > 0) log.info(phrase('已把超级用户的 {given} 张表和其他对象交给程序的角色', { given }))
  } catch (error) {
    await server.stop()
    throw error
  }
  const started = phrase('PostgreSQL 已启动，它的文件在 {home}', { home })
  log.info(server.adopted ? phrase('PostgreSQL 仍在运行，已接管，它的文件在 {home}', { home }) : started)
  return {
    connectionString: programUrl(adminUrl),
    adminUrl,
    audit: { open: () => openAudit(adminUrl), seal: () => sealAudit(adminUrl) },
    where: home,
    adopted: server.adopted,
    stop: server.stop,
  }
}

const answersWithin = 30_000

/**
 * The PostgreSQL of a data folder as it is, for a program that works beside its server: not started, not owned, not
 * stopped. One that is about to answer is waited for; one that is about to end counts as stopped.
 */
export async function findEmbeddedPostgres(
  dataDir: string,
  systemDir = defaultSystemDir,
): Promise<'none' | 'stopped' | { connectionString: string }> {
  const { home, made } = await choosePlace(dataDir, systemDir)
  if (!made) return 'none'
  const dir = join(home, 'cluster')
  const deadline = Date.now() + answersWithin
  for (;;) {
    const found = await readPidFile(dir)
    if (!found || !(await isPostmasterOf(found.pid, dir))) return 'stopped'
    const adminUrl = connectionUrl(addressOf(found), await readPassword(home), database)
    const connectionString = programUrl(adminUrl)
    const refusal = await tryConnect(connectionString)
    if (!refusal) return { connectionString }
    // A server of an earlier version is at work, which has no role for the program yet.
    if (isWrongPassword(refusal) && !(await tryConnect(adminUrl))) return { connectionString: adminUrl }
    if (Date.now() > deadline)
      throw new TerminalError(phrase('{home} 里的 PostgreSQL 没有响应', { home }), { cause: refusal })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function readPassword(home: string): Promise<string> {
  try {
    return await readFile(join(home, 'password'), 'utf8')
  } catch (cause) {
    throw new TerminalError(phrase('无法读取 {path}：请用首次启动时的用户启动', { path: join(home, 'password') }), {
      cause,
    })
  }
}

function connectionUrl(address: Address, password: string, name: string): string {
  const login = `postgresql://${superuser}:${password}@`
  if (!('socketDir' in address)) return `${login}127.0.0.1:${address.port}/${name}`
  return `${login}/${name}?host=${encodeURIComponent(address.socketDir)}&port=${address.port}`
}

/** Undefined when connected, else why not. */
async function tryConnect(connectionString: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (!rowCount) await client.query(`create database ${database}`)
  } finally {
    await client.end()
  }
}
