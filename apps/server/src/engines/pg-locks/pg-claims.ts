/**
 * The claims port on advisory locks of PostgreSQL, on a connection of its own. A server that dies holds nothing any more;
 * one that hangs does not ask any more, and PostgreSQL ends its connection by its own clock.
 */
import type pg from 'pg'
import type { Claims } from '#ports/claims.ts'
import { DatabaseClient } from '#ports/database-client.ts'

// Advisory locks with two numbers; the second is the number that is claimed.
const lockClass = 7_201_401
const askMs = 3_000
const answerMs = 10_000
/** Longer than any pause between two questions of a server that lives. */
const idleMs = 15_000

export interface ClaimsOptions {
  connectionString: string
  /** The connection has ended: another server may have the numbers by now. */
  onLost(): void
}

export function makePgClaims({ connectionString, onLost }: ClaimsOptions): Claims {
  const held = new Set<number>()
  let line: { client: pg.Client; ready: Promise<unknown>; asking: NodeJS.Timeout } | undefined

  const open = () => {
    const client = new DatabaseClient({
      connectionString,
      application_name: 'ithings-core claims',
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    })
    const lost = () => {
      if (line?.client !== client) return
      clearInterval(line.asking)
      line = undefined
      const any = held.size > 0
      held.clear()
      if (any) onLost()
    }
    client.on('error', lost).once('end', lost)
    const ready = client.connect().then(() => client.query(`set idle_session_timeout = ${idleMs}`))
    const asking = setInterval(() => void ask('select true as ok').catch(() => {}), askMs).unref()
    return { client, ready, asking }
  }

  /** One question at a time. */
  let last: Promise<unknown> = Promise.resolve()
  function ask(text: string, values: unknown[] = []): Promise<{ ok: boolean; client: pg.Client }> {
    const answer = last.then(() => askNow(text, values))
    last = answer.catch(() => undefined)
    return answer
  }

  /** A connection that does not answer may still hold locks: it ends, and all of them are free. */
  async function askNow(text: string, values: unknown[]): Promise<{ ok: boolean; client: pg.Client }> {
    line ??= open()
    const { client, ready } = line
    try {
      await ready
      const { rows } = await client.query<{ ok: boolean }>(text, values)
      return { ok: rows[0]?.ok === true, client }
    } catch (error) {
      client.emit('error', error)
      client.end().catch(() => {})
      throw error
    }
  }

  return {
    async take(number) {
      if (held.has(number)) return true
      const { ok, client } = await ask('select pg_try_advisory_lock($1, $2) as ok', [lockClass, number])
      const mine = ok && line?.client === client
      if (mine) held.add(number)
      return mine
    },
    async letGo(number) {
      if (held.delete(number)) await ask('select pg_advisory_unlock($1, $2) as ok', [lockClass, number])
    },
    async stop() {
      const ended = line
      line = undefined
      held.clear()
      clearInterval(ended?.asking)
      await ended?.client.end().catch(() => {})
    },
  }
}
