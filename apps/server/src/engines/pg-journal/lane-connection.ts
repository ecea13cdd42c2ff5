/** The connection of one lane: opened again when lost, and sure that what the lost one began is over. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { DatabaseClient, firstOpenMs } from '#ports/database-client.ts'

/** decisions.md 4.1: a store that does not answer in 5 s has failed; then the server gives up on the statement too. */
export const storeTimeoutMs = 5_000
const retryMs = 200
const openMs = 2_000

export interface LaneConnectionOptions {
  databaseUrl: string
  /** Called with every opened connection before it is used; what it throws makes the connection be opened again. */
  onOpen(client: pg.Client): Promise<void>
  onLost(error: Error): void
}

/** A backend whose client is gone may still commit; nobody may look for its rows before it is gone too. */
const otherBackends = 'from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()'

async function endOthers(client: pg.Client, name: string): Promise<void> {
  await client.query(`select pg_terminate_backend(pid, 2000) ${otherBackends}`, [name])
  const { rowCount } = await client.query(`select ${otherBackends}`, [name])
  if (rowCount) throw new Error('the connection before this one has not ended yet')
}

export class LaneConnection {
  readonly #options: LaneConnectionOptions
  readonly #name = `ithings journal ${randomUUID().slice(0, 13)}`
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #stopped = true
  #opening: Promise<void> | undefined

  constructor(options: LaneConnectionOptions) {
    this.#options = options
  }

  /** The open connection, if any. */
  get client(): pg.Client | undefined {
    return this.#client
  }

  async start(): Promise<void> {
    this.#stopped = false
    await this.#open(firstOpenMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    this.#retry = undefined
    await this.#opening
    const last = this.#client
    this.#client = undefined
    await last?.end()
  }

  /** Gives up a connection that does not answer. */
  drop(): void {
    const old = this.#client
    if (!old) return
    this.#lost(old, new Error(`the store did not answer in ${storeTimeoutMs} ms`))
    // Without a farewell: the other side does not listen.
    ;(old as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }

  #lost(which: pg.Client, error: Error): void {
    if (this.#client !== which) return
    this.#client = undefined
    this.#options.onLost(error)
    this.#openLater()
  }

  #openLater(): void {
    if (this.#stopped || this.#retry) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#opening = this.#open().catch(() => this.#openLater())
    }, retryMs)
    this.#retry.unref()
  }

  async #open(connectionTimeoutMillis = openMs): Promise<void> {
    const next = new DatabaseClient({
      connectionString: this.#options.databaseUrl,
      application_name: this.#name,
      keepAlive: true,
      connectionTimeoutMillis,
      statement_timeout: storeTimeoutMs,
      lock_timeout: storeTimeoutMs,
    })
    next.on('error', (error) => this.#lost(next, error))
    next.on('end', () => this.#lost(next, new Error('the connection of the journal ended')))
    try {
      await next.connect()
      // decisions.md 4.1: acknowledged means stored, whatever the server's default is.
      await next.query('set synchronous_commit = on')
      await endOthers(next, this.#name)
      await this.#options.onOpen(next)
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
    if (this.#stopped) return void (await next.end())
    this.#client = next
  }
}
