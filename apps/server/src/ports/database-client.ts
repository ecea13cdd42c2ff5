/**
 * A connection to the PostgreSQL that takes writes, for everybody who opens one: pool, journal, notices, migrations and
 * backups. node-postgres knows one host only; with several (database-hosts.ts) all of them are asked for each new
 * connection, so that after a fail-over the next one leads to the new primary.
 */
import { phrase, say } from '@ithings/contract/text.ts'
import pg from 'pg'
import { TerminalError, wordsOf } from '#terminal.ts'
import { type DatabaseHost, databaseHosts } from './database-hosts.ts'

/** A machine that does much else while the platform starts is slow, not broken. */
export const firstOpenMs = 60_000

/** A host that is away without a word must not keep the one that answers. */
const askMs = 5_000
const readOnlyCode = '25006'

/** What node-postgres has but does not tell TypeScript. */
interface Inside {
  host: string
  port: number
  connection: {
    on(event: 'errorMessage', listener: (message: { code?: string }) => void): void
    on(event: 'readyForQuery', listener: (message: { status?: string }) => void): void
  }
}

/** @returns the host, if it takes writes */
async function askHost({ name, connectionString }: DatabaseHost, config: pg.ClientConfig): Promise<pg.Client> {
  const { ssl } = config
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
    const { rows } = await client.query<{ closed: boolean }>(
      `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as closed`,
    )
    if (rows[0]?.closed !== false) throw new TerminalError(phrase('不接受写入（备库）'))
    return client
  } catch (cause) {
    throw new TerminalError(phrase('{name}：{why}', { name, why: wordsOf(cause) }), { cause })
  } finally {
    client.end().catch(() => undefined)
  }
}

async function findPrimary(hosts: DatabaseHost[], config: pg.ClientConfig): Promise<{ host: string; port: number }> {
  try {
    return await Promise.any(hosts.map((host) => askHost(host, config)))
  } catch (error) {
    const { errors } = error as AggregateError
    const reasons = () => errors.map((one: unknown) => say(wordsOf(one))).join('; ')
    throw new TerminalError(phrase('DATABASE_URL 里没有可写入的主机：{reasons}', { reasons }), { cause: error })
  }
}

/** By a statement: of a new connection's parameters PgBouncer refuses those that it does not follow. */
const limits = ['statement_timeout', 'lock_timeout'] as const

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
    const { connection } = this as unknown as Inside
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
      const { host, port } = await findPrimary(this.#hosts, this.#config)
      Object.assign(this, { host, port })
    }
    await super.connect()
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

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const opened = this.#open()
    if (!callback) return opened
    opened.then(() => callback(undefined as unknown as Error), callback)
    return undefined
  }
}
