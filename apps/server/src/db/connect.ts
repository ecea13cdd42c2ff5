import { minuteMs } from '@ithings/contract/durations.ts'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DatabaseClient } from '#ports/database-client.ts'
import type { Schema } from './schema.ts'
import { DialectWithKeys, type KeyRing } from './sealed.ts'

/** int8 ids and counts fit a JS number for as long as this platform lives; digit strings would leak into every join. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

export interface Connection {
  db: Kysely<Schema>
  pool: pg.Pool
  close(): Promise<void>
}

/** @param keys of secrets; without them no secret can be read or written */
export function connect(
  connectionString: string,
  onError: (error: Error) => void,
  max = 20,
  keys?: KeyRing,
): Connection {
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString,
    max,
    types,
    // On a crowded machine a new connection takes its time; one that is refused is refused at once.
    connectionTimeoutMillis: 15_000,
    // A new one asks which host takes writes and knows no plan yet: what comes every few minutes should not wait for that.
    idleTimeoutMillis: 5 * minuteMs,
    // A query that hangs must not hold a request for longer than the console would wait for it.
    statement_timeout: 60_000,
    application_name: 'ithings-core',
  })
  // Idle clients die with the server; without a listener that would end our process.
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool hangs the whole connection on the error, and a log would write it out.
    delete error.client
    if (!pool.ending) onError(error)
  })
  // The pool does not listen to clients in use. Between two statements of a transaction nobody would, and the next
  // statement tells its caller anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Schema>({ dialect: keys ? new DialectWithKeys({ pool }, keys) : new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
}
