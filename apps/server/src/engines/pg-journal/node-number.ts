/** A small number that no other running server on the same database has; PostgreSQL frees it when we die. */
import pg from 'pg'

// Advisory locks with two numbers; the second is the node.
const lockClass = 1230260591
const mostNodes = 4096

export interface NodeNumber {
  number: number
  release(): Promise<void>
}

export async function claimNodeNumber(connectionString: string, onLost: () => void): Promise<NodeNumber> {
  const client = new pg.Client({ connectionString, application_name: 'ithings-core node', keepAlive: true })
  let released = false
  let retaking: Promise<void> | undefined
  client.on('error', () => {})
  await client.connect()
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
  const watch = (holder: pg.Client) =>
    holder.once('end', () => {
      if (!released) retaking = retake()
    })
  /** The database was away: nobody else can have started meanwhile without it, but may start now. */
  const retake = async () => {
    while (!released) {
      const next = new pg.Client({ connectionString, application_name: 'ithings-core node', keepAlive: true })
      next.on('error', () => {})
      try {
        await next.connect()
        const { rows } = await next.query<{ ok: boolean }>('select pg_try_advisory_lock($1, $2) as ok', [
          lockClass,
          number,
        ])
        if (!rows[0]?.ok) onLost()
        current = next
        watch(next)
        return
      } catch {
        await next.end().catch(() => {})
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
