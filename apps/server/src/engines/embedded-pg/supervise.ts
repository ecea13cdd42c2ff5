import { type Phrase, phrase } from '@ithings/contract/text.ts'
import pg from 'pg'
import { TerminalError, wordsOf } from '#terminal.ts'
import { ensureRunning } from './ensure-running.ts'
import { keepLogSmall } from './log-file.ts'
import { type Address, type Cluster, removeShortSocketDir, shutDown } from './postmaster.ts'

/** Another server works on the same data folder. */
class DataDirInUse extends TerminalError {
  override name = 'DataDirInUse'
}

// Advisory locks belong to one database: this one is always taken in "postgres".
const lock = '1230260590, 1'
const patience = 3000

/**
 * The connection that holds the lock of "our" server. PostgreSQL frees it the moment our process dies, however it
 * dies, so there is no lock file that could go stale. Its end also tells that PostgreSQL has gone.
 */
async function takeOwnership(connectionString: string, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 30_000,
    application_name: `ithings-core owner ${process.pid}`,
    keepAlive: true,
  })
  // Without a listener the loss of the connection would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await lockWithin(client, dataDir)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function lockWithin(client: pg.Client, dataDir: string): Promise<void> {
  // A server that was killed a moment ago may take an instant to lose its lock.
  const deadline = Date.now() + patience
  for (;;) {
    const { rows } = await client.query<{ ok: boolean }>(`select pg_try_advisory_lock(${lock}) as ok`)
    if (rows[0]?.ok) return
    if (Date.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and (l.classid::int, l.objid::int) = (${lock})`,
  )
  const holder = rows[0]?.application_name.replace('ithings-core owner', 'process') ?? 'unknown process'
  throw new DataDirInUse(
    phrase('另一台服务器（{holder}）正在使用数据文件夹 {dataDir}。请先停止它，或把 DATA_DIR 设为别的文件夹。', {
      holder,
      dataDir,
    }),
  )
}

export type Supervision = {
  cluster: Cluster
  dataDir: string
  tcp: boolean
  /** Address of the maintenance database. */
  urlOf(address: Address): string
  answers(address: Address): Promise<Error | undefined>
  log: { info(message: Phrase): void; warn(message: Phrase): void }
  onLost?: ((error: Error) => void) | undefined
}

export type Supervisor = { address: Address; adopted: boolean; stop(): Promise<void> }

/** Holds the server up and ours until stop(): decisions.md 4, a killed PostgreSQL is back within 10 s. */
export async function supervise(options: Supervision): Promise<Supervisor> {
  const { cluster, log } = options
  let stopping = false
  let lost = false
  let reviving: Promise<void> = Promise.resolve()

  /** Brings the server up (or finds it up) and makes it ours. */
  const establish = async (wanted: Address | undefined) => {
    const running = await ensureRunning(cluster, { ...options, wanted })
    const owner: pg.Client = await takeOwnership(options.urlOf(running.address), options.dataDir)
    owner.once('end', () => {
      if (!stopping) reviving = revive(running.address)
    })
    return { ...running, owner }
  }

  const revive = async (address: Address) => {
    log.warn(phrase('PostgreSQL 已退出，正在重新启动'))
    while (!stopping) {
      try {
        state = await establish(address)
        log.info(phrase('PostgreSQL 已恢复'))
        return
      } catch (error) {
        if (error instanceof DataDirInUse) {
          lost = true
          return options.onLost?.(error)
        }
        log.warn(phrase('PostgreSQL 没有启动：{why}', { why: wordsOf(error) }))
        await pause(500)
      }
    }
  }

  let state = await retry(() => establish(undefined))
  const endLogWatch = cluster.system.cutsOpenLog
    ? keepLogSmall(cluster.logPath, (error) => log.warn(phrase('无法截短日志：{why}', { why: String(error) })))
    : () => {}

  const stop = async () => {
    stopping = true
    endLogWatch()
    await reviving
    if (lost) return
    // The lock is held to the very end: a server that starts meanwhile waits for ours to be gone.
    await shutDown(cluster)
    await state.owner.end().catch(() => {})
    if ('socketDir' in state.address) await removeShortSocketDir(state.address.socketDir)
  }

  let stopped: Promise<void> | undefined
  return {
    address: state.address,
    adopted: state.adopted,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

// What a connection meets when another process is just stopping the server.
const cutOff = ['57P01', '57P02', '57P03', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT', 'EPIPE']

async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!cutOff.includes((error as { code?: string }).code ?? '') || tries === 5) throw error
      await pause(200)
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
