/**
 * A connection to the PostgreSQL that takes writes, for everybody who opens one: pool, journal, notices, migrations and
 * backups. node-postgres knows one host only; with several (database-hosts.ts) all of them are asked for each new
 * connection, so that after a fail-over the next one leads to the new primary. Those that are open are watched
 * (silent-connections.ts).
 */
import { phrase, say } from '@ithings/contract/text.ts'
import pg from 'pg'
import { TerminalError, wordsOf } from '#terminal.ts'
import { DatabaseAway } from './database-away.ts'
import { type DatabaseHost, databaseHosts } from './database-hosts.ts'
import { withName } from './prepared-statements.ts'
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
  (
    select coalesce(json_object_agg(pid, state is null or state not like 'idle%'
      or state_change > clock_timestamp() - interval '${silentMs} milliseconds'), '{}')
    from pg_stat_activity where pid = any ($1::integer[])) as at_work`
interface Writes {
  closed: boolean
  at_work: Record<number, boolean>
}

/** @returns the host, if it takes writes */
async function askHost(
  { name, connectionString }: DatabaseHost,
  { ssl }: pg.ClientConfig,
  backends: number[] = [],
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
    const { rows } = await client.query<Writes>(askWrites, [backends])
    const { closed = true, at_work: atWork = {} } = rows[0] ?? {}
    if (closed) throw new TerminalError(phrase('不接受写入（备库）'))
    const { host, port } = client
    return { host, port, atWork }
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
    throw new DatabaseAway(phrase('DATABASE_URL 里没有可写入的主机：{reasons}', { reasons }), { cause: error })
  }
}

/** By a statement: of a new connection's parameters PgBouncer refuses those that it does not follow. */
const limits = ['statement_timeout', 'lock_timeout'] as const

/** One of the hosts is there and talks, but will not answer: it has too many connections, or is about to start. */
const someRefuse = ({ cause }: Error): boolean =>
  (cause as AggregateError).errors.some((one: Error) => one.cause instanceof pg.DatabaseError)

async function findPrimaries(hosts: DatabaseHost[], config: pg.ClientConfig, backends: number[]): Promise<Primary[]> {
  const found: Primary[] = []
  const asked = hosts.map(async (host) => void found.push(await askHost(host, config, backends)))
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
    const ask = super.query.bind(this) as (...given: unknown[]) => unknown
    Object.assign(this, { query: (asked: unknown, ...rest: unknown[]) => ask(withName(asked), ...rest) })
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
    try {
      this.#watch(await this.#setLimits())
    } catch (error) {
      this.end().catch(() => undefined)
      throw error
    }
    return this
  }

  /** @returns the backend: what the protocol says of it at the start is the pooler's own number, if there is one */
  async #setLimits(): Promise<number> {
    const set = limits.flatMap((name) => (this.#config[name] ? `set ${name} = ${this.#config[name]}` : []))
    const text = [...set, 'select pg_backend_pid() as pid'].join('; ')
    const patienceMs = this.#config.connectionTimeoutMillis || firstOpenMs
    const result: pg.QueryResult | pg.QueryResult[] = await within(patienceMs, this.query<{ pid: number }>(text))
    const results = [result].flat()
    return results.at(-1)?.rows[0]?.pid ?? 0
  }

  #watch(backend: number): void {
    const { connectionString } = this.#config
    if (connectionString === undefined) return
    const hosts = this.#hosts ?? [{ name: '', connectionString }]
    const leave = watchConnection(connectionString, inside(this), backend, (backends) =>
      findPrimaries(hosts, this.#config, backends),
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
