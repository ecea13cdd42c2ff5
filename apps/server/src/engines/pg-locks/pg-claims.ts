/**
 * The claims port on advisory locks of PostgreSQL, on a connection of its own. A server that dies holds nothing any more;
 * one that hangs does not ask any more, and PostgreSQL ends its connection by its own clock.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Claims } from '#ports/claims.ts'
import { DatabaseClient } from '#ports/database-client.ts'

// Advisory locks with two numbers; the second is the number that is claimed.
const lockClass = 7_201_401
/** The same with a number made of a word; whoever says that word shares the lock. */
const wordClass = 7_201_402
const askMs = 3_000
const answerMs = 10_000
/** Longer than any pause between two questions of a server that lives. */
const idleMs = 15_000

/** 31 bits: PostgreSQL shows the number without a sign. */
const numberOf = (word: string): number => createHash('sha256').update(word).digest().readUInt32BE(0) >>> 1

/** Of two that say different words at the same time at least one sees the other, because each looks after it has locked. */
const alone = `select not exists (
  select from pg_locks where locktype = 'advisory' and granted and classid = $1 and objid <> $2::bigint::oid
    and database = (select oid from pg_database where datname = current_database())) as ok`

export interface ClaimsOptions {
  connectionString: string
  /** The connection has ended: another server may have the numbers by now. */
  onLost(): void
}

export function makePgClaims({ connectionString, onLost }: ClaimsOptions): Claims {
  const held = new Set<number>()
  let agreed: number | undefined
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
      agreed = undefined
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

  async function disagree(): Promise<void> {
    const number = agreed
    agreed = undefined
    if (number !== undefined) await ask('select pg_advisory_unlock_shared($1, $2) as ok', [wordClass, number])
  }

  return {
    async agree(word) {
      const number = numberOf(word)
      if (agreed === number) return true
      await disagree()
      const { ok, client } = await ask('select pg_try_advisory_lock_shared($1, $2) as ok', [wordClass, number])
      if (!ok || line?.client !== client) return false
      agreed = number
      const found = await ask(alone, [wordClass, number])
      if (found.ok && line?.client === client) return true
      await disagree()
      return false
    },
    disagree,
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
      agreed = undefined
      clearInterval(ended?.asking)
      await ended?.client.end().catch(() => {})
    },
  }
}
