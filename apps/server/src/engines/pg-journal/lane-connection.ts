/** The connection of one lane: opened again when lost, and sure that what the lost one began is over. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** decisions.md 4.1: a store that does not answer in 5 s has failed; then the server gives up on the statement too. */
export const storeTimeoutMs = 5_000
const retryMs = 200
const openMs = 2_000
/** A machine that does much else while the platform starts is slow, not broken. */
const firstOpenMs = 30_000

export interface LaneConnection {
  /** The open connection, if any. */
  readonly client: pg.Client | undefined
  start(): Promise<void>
  stop(): Promise<void>
  /** Gives up a connection that does not answer. */
  drop(): void
}

export interface LaneConnectionOptions {
  databaseUrl: string
  /** Called with every opened connection before it is used; what it throws makes the connection be opened again. */
  onOpen(client: pg.Client): Promise<void>
  onLost(error: Error): void
}

/** A backend whose client is gone may still commit; nobody may look for its rows before it is gone too. */
const endBackend = `
  select pg_terminate_backend(pid, 2000) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`

export function makeLaneConnection({ databaseUrl, onOpen, onLost }: LaneConnectionOptions): LaneConnection {
  const name = `ithings journal ${randomUUID().slice(0, 13)}`
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = true
  let opening: Promise<void> | undefined

  const lost = (which: pg.Client, error: Error) => {
    if (client !== which) return
    client = undefined
    onLost(error)
    again()
  }

  const again = () => {
    if (stopped || retry) return
    retry = setTimeout(() => {
      retry = undefined
      opening = open().catch(again)
    }, retryMs)
    retry.unref()
  }

  const open = async (connectionTimeoutMillis = openMs) => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis,
      statement_timeout: storeTimeoutMs,
      lock_timeout: storeTimeoutMs,
    })
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next, new Error('the connection of the journal ended')))
    try {
      await next.connect()
      // decisions.md 4.1: acknowledged means stored, whatever the server's default is.
      await next.query('set synchronous_commit = on')
      await next.query(endBackend, [name])
      await onOpen(next)
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
    if (stopped) return void (await next.end())
    client = next
  }

  return {
    get client() {
      return client
    },
    async start() {
      stopped = false
      await open(firstOpenMs)
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      retry = undefined
      await opening
      const last = client
      client = undefined
      await last?.end()
    },
    drop() {
      const old = client
      if (!old) return
      lost(old, new Error(`the store did not answer in ${storeTimeoutMs} ms`))
      // Without a farewell: the other side does not listen.
      ;(old as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    },
  }
}
