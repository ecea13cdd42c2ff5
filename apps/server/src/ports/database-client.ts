/**
 * A connection to the PostgreSQL that takes writes, for everybody who opens one: pool, journal, notices, migrations and
 * backups. node-postgres knows one host only; with several (database-hosts.ts) all of them are asked for each new
 * connection, so that after a fail-over the next one leads to the new primary. Those that are open are watched
 * (silent-connections.ts).
 */
import { phrase, say } from '@ithings/contract/text.ts'
import pg from 'pg'
import { TerminalError, wordsOf } from '#terminal.ts'
import { type DatabaseHost, databaseHosts } from './database-hosts.ts'
import { type OpenClient, type Primary, silentMs, watchConnection } from './silent-connections.ts'
import { within } from './within.ts'

/** A machine that does much else while the platform starts is slow, not broken. */
export const firstOpenMs = 60_000

/** A host that is away without a word must not keep the one that answers. */
const askMs = 5_000
/** For hosts that may be as good as the first that answers. */
const othersMs = 2_000
const readOnlyCode = '25006'

/** What node-postgres has but does not tell TypeScript. */
interface Inside extends OpenClient {
  connection: OpenClient['connection'] & {
    on(event: 'errorMessage', listener: (message: { code?: string }) => void): void
    on(event: 'readyForQuery', listener: (message: { status?: string }) => void): void
  }
}
const inside = (client: pg.Client): Inside => client as unknown as Inside

/** A backend that has been idle for long has sent its answer long ago, or was never asked. */
const askWrites = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as closed,
  pg_backend_pid() as own, (
    select coalesce(json_object_agg(pid, state is null or state not like 'idle%'
      or state_change > clock_timestamp() - interval '${silentMs} milliseconds'), '{}')
    from pg_stat_activity where pid = any ($1::integer[])) as backends`
interface Writes {
  closed: boolean
  own: number
  backends: Record<number, boolean>
}

/** @returns the host, if it takes writes */
async function askHost(
  { name, connectionString }: DatabaseHost,
  { ssl }: pg.ClientConfig,
  processIDs: number[] = [],
): Promise<Primary> {
  const client = new pg.Client({
    ...{
      connectionString,
      connectionTimeoutMillis: askMs,
      query_timeout: askMs,
      application_name: 'ithings-core host',
    },
    ...(ssl !== undefined && { ssl }),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Writes>(askWrites, [processIDs])
    const { closed = true, own, backends } = rows[0] ?? {}
    if (closed) throw new TerminalError(phrase('不接受写入（备库）'))
    const { host, port, processID } = inside(client)
    // A pooler gives numbers of its own.
    return { host, port, backends: own === processID ? backends : undefined }
  } catch (cause) {
    throw new TerminalError(phrase('{name}：{why}', { name, why: wordsOf(cause) }), { cause })
  } finally {
    client.end().catch(() => undefined)
  }
}

async function firstOf<T>(asked: Array<Promise<T>>): Promise<T> {
  try {
    return await Promise.any(asked)
  } catch (error) {
    const { errors } = error as AggregateError
    const reasons = () => errors.map((one: unknown) => say(wordsOf(one))).join('; ')
    throw new TerminalError(phrase('DATABASE_URL 里没有可写入的主机：{reasons}', { reasons }), { cause: error })
  }
}

/** By a statement: of a new connection's parameters PgBouncer refuses those that it does not follow. */
const limits = ['statement_timeout', 'lock_timeout'] as const

/** One of the hosts is there and talks, but will not answer: it has too many connections, or is about to start. */
const someRefuse = ({ cause }: Error): boolean =>
  (cause as AggregateError).errors.some((one: Error) => one.cause instanceof pg.DatabaseError)

async function findPrimaries(hosts: DatabaseHost[], config: pg.ClientConfig, processIDs: number[]): Promise<Primary[]> {
  const found: Primary[] = []
  const asked = hosts.map(async (host) => void found.push(await askHost(host, config, processIDs)))
  try {
    await firstOf(asked)
    await within(othersMs, Promise.allSettled(asked), () => undefined)
  } catch (error) {
    if (!someRefuse(error as Error)) throw error
  }
  return found
}

export class DatabaseClient extends pg.Client {
  readonly #config: pg.ClientConfig
  readonly #hosts: DatabaseHost[] | undefined

  constructor(config: pg.ClientConfig = {}) {
    const hosts = databaseHosts(config.connectionString ?? '')
    super({
      ...config,
      ...(hosts && { connectionString: hosts[0]?.connectionString }),
      statement_timeout: 0,
      lock_timeout: 0,
    })
    this.#config = config
    this.#hosts = hosts
    this.#leaveWhenReadOnly()
  }

  /** What was a primary may have become something else without ending the connection: then nobody writes by it any more. */
  #leaveWhenReadOnly(): void {
    let readOnly = false
    const { connection } = inside(this)
    connection.on('errorMessage', ({ code }) => {
      readOnly ||= code === readOnlyCode
    })
    connection.on('readyForQuery', ({ status }) => {
      // After whoever asked has the answer, and after the end of his transaction.
      if (readOnly && status === 'I') process.nextTick(() => this.end().catch(() => undefined))
    })
  }

  async #open(): Promise<pg.Client> {
    // Where it goes is read by `connect` alone.
    if (this.#hosts) {
      const { host, port } = await firstOf(this.#hosts.map((host) => askHost(host, this.#config)))
      Object.assign(this, { host, port })
    }
    await super.connect()
    this.#watch()
    try {
      await this.#setLimits()
    } catch (error) {
      this.end().catch(() => undefined)
      throw error
    }
    return this
  }

  async #setLimits(): Promise<void> {
    const text = limits.flatMap((name) => (this.#config[name] ? `set ${name} = ${this.#config[name]}` : [])).join('; ')
    if (text !== '') await this.query(text)
  }

  #watch(): void {
    const { connectionString } = this.#config
    if (connectionString === undefined) return
    const hosts = this.#hosts ?? [{ name: '', connectionString }]
    const leave = watchConnection(connectionString, inside(this), (processIDs) =>
      findPrimaries(hosts, this.#config, processIDs),
    )
    this.once('end', leave)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const opened = this.#open()
    if (!callback) return opened
    opened.then(() => callback(undefined as unknown as Error), callback)
    return undefined
  }
}
