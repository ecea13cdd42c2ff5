/** Locks, notices and settings belong to a connection: a pooler must not give it to others (configuration.md "PgBouncer"). */
import { phrase } from '@ithings/contract/text.ts'
import type pg from 'pg'
import { DatabaseClient } from '#ports/database-client.ts'
import { TerminalError } from '#terminal.ts'

const answerMs = 30_000

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

/**
 * Who is connected keeps one process of PostgreSQL, and nobody else has it. Behind a pooler that lends processes for a
 * transaction the second client gets what the first has just used, or the first gets another one when it asks again. A
 * pooler that others keep busy at this moment may hide it; nobody is refused without cause.
 */
export async function requireOwnSession(client: pg.Client, connectionString: string): Promise<void> {
  const second = new DatabaseClient({
    connectionString,
    application_name: 'ithings-core second',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  second.on('error', () => undefined)
  await second.connect()
  try {
    const [before, now] = [await backendOf(client), await backendOf(client)]
    if (before === now && now !== (await backendOf(second))) return
  } finally {
    await second.end()
  }
  throw new TerminalError(
    phrase(
      'DATABASE_URL 指向的连接池（例如 PgBouncer）让多个连接共用数据库会话：请把它设为会话模式（pool_mode = session）',
    ),
  )
}
