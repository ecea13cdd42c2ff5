/** The signal port over LISTEN/NOTIFY on a connection of its own. */
import type pg from 'pg'
import { type LineEnds, type OpenLine, type SignalPatience, usualPatience } from '#engines/signal-line/line.ts'
import { makeSignal } from '#engines/signal-line/make-signal.ts'
import { DatabaseClient } from '#ports/database-client.ts'
import type { Signal } from '#ports/signal.ts'

const channel = 'ithings_signal'

async function openLine(connectionString: string, limitMs: number, { hear, ended }: LineEnds): Promise<OpenLine> {
  const client = new DatabaseClient({
    connectionString,
    application_name: 'ithings-core signal',
    keepAlive: true,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  })
  client.on('error', ended)
  client.on('end', () => ended(new Error('signal connection ended')))
  client.on('notification', ({ payload }) => hear(payload ?? ''))
  await client.connect()
  try {
    await client.query(`listen ${channel}`)
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
  return {
    beat: async (text) => void (await client.query('select pg_notify($1, $2)', [channel, text])),
    // All of them have the one channel.
    follow() {},
    leave() {},
    close: () => client.end(),
  }
}

/** Sends through the pool, so that a lost listening connection never keeps a notice from the other servers. */
export function makePgSignal(
  connectionString: string,
  pool: pg.Pool,
  failed: (error: Error) => void,
  patience: SignalPatience = usualPatience,
): Signal {
  return makeSignal({
    open: (ends, limitMs) => openLine(connectionString, limitMs, ends),
    send: async (text) => void (await pool.query('select pg_notify($1, $2)', [channel, text])),
    patience,
    failed,
  })
}
