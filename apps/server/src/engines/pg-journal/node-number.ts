/** A small number that no other running server on the same database has; PostgreSQL frees it when we die. */
import type pg from 'pg'
import { DatabaseClient, firstOpenMs } from '#ports/database-client.ts'

// Advisory locks with two numbers; the second is the node.
const lockClass = 1230260591
const mostNodes = 4096
/** A line that hangs without a word would let another server take the number: it is asked, and must answer. */
const askMs = 5_000
const answerMs = 10_000

export interface NodeNumber {
  number: number
  release(): Promise<void>
}

async function openLine(connectionString: string, limitMs = answerMs): Promise<pg.Client> {
  const client = new DatabaseClient({
    connectionString,
    application_name: 'ithings-core node',
    keepAlive: true,
    connectionTimeoutMillis: limitMs,
    query_timeout: answerMs,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** @param onLost another server has the number: this one must not write any more */
export async function claimNodeNumber(connectionString: string, onLost: () => void): Promise<NodeNumber> {
  const client = await openLine(connectionString, firstOpenMs)
  let released = false
  let retaking: Promise<void> | undefined
  const { rows } = await client.query<{ node: number | null }>(
    `select min(node) as node from generate_series(0, $2::int - 1) as node
     where node = (select n from generate_series(0, $2::int - 1) as n where pg_try_advisory_lock($1, n) limit 1)`,
    [lockClass, mostNodes],
  )
  const number = rows[0]?.node
  if (number === null || number === undefined) {
    await client.end()
    throw new Error(`more than ${mostNodes} servers use one database`)
  }
  let current = client
  const watch = (holder: pg.Client) => {
    let asking = false
    const ask = setInterval(async () => {
      if (asking) return
      asking = true
      await holder.query('select 1').catch(() => holder.end().catch(() => {}))
      asking = false
    }, askMs)
    ask.unref()
    holder.once('end', () => {
      clearInterval(ask)
      if (!released) retaking = retake()
    })
  }
  /** The database was away: nobody else can have started meanwhile without it, but may start now. */
  const retake = async () => {
    while (!released) {
      let next: pg.Client | undefined
      try {
        next = await openLine(connectionString)
        const { rows } = await next.query<{ ok: boolean }>('select pg_try_advisory_lock($1, $2) as ok', [
          lockClass,
          number,
        ])
        if (!rows[0]?.ok) onLost()
        current = next
        watch(next)
        return
      } catch {
        await next?.end().catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 500).unref())
      }
    }
  }
  watch(client)
  return {
    number,
    async release() {
      released = true
      await retaking
      await current.end().catch(() => {})
    },
  }
}
