import pg from 'pg'

/** Another server works on the same data folder. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
}

// Advisory locks belong to one database: this one is always taken in "postgres".
const lock = '1230260590, 1'
const patience = 3000

/**
 * The connection that holds the lock of "our" server. PostgreSQL frees it the moment our process dies, however it
 * dies, so there is no lock file that could go stale. Its end also tells that PostgreSQL has gone.
 */
export async function takeOwnership(connectionString: string, dataDir: string): Promise<pg.Client> {
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
    `Another server (${holder}) already uses the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
  )
}
