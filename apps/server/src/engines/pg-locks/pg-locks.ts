/** The locks port on advisory locks of PostgreSQL: a server that dies holds nothing any more. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from '#ports/database-client.ts'
import type { Locks } from '#ports/locks.ts'
import type { Signal } from '#ports/signal.ts'

// Advisory locks with two numbers; the second is the hash of the name. Two names of one hash only wait for each other.
const lockClass = 7_201_400
const lock = 'select pg_try_advisory_lock($1, hashtext($2)) as ok'
const unlock = 'select pg_advisory_unlock($1, hashtext($2)) as ok'
const againMs = 100
/** So often whoever holds it elsewhere is asked for it: a notice may be lost. */
const askAgainMs = 1_000
const answerMs = 10_000

interface Holder {
  /** Both are set as soon as it is held. */
  line?: pg.Client
  wanted?: () => void
}

/** One connection for all locks of this server, opened when the first of them is taken. */
function makeLine(connectionString: string, onLost: (client: pg.Client) => void) {
  let line: { client: pg.Client; ready: Promise<unknown> } | undefined

  const open = () => {
    const client = new DatabaseClient({
      connectionString,
      application_name: 'ithings-core locks',
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    })
    const lost = () => {
      if (line?.client === client) line = undefined
      onLost(client)
    }
    client.on('error', lost).once('end', lost)
    return { client, ready: client.connect() }
  }

  return {
    isOn: (client: pg.Client | undefined) => line !== undefined && line.client === client,
    async ask(text: string, name: string): Promise<{ client: pg.Client; ok: boolean }> {
      line ??= open()
      const { client, ready } = line
      try {
        await ready
        const { rows } = await client.query<{ ok: boolean }>(text, [lockClass, name])
        return { client, ok: rows[0]?.ok === true }
      } catch (error) {
        // One that does not answer may still hold locks: it ends, and all of them are free.
        if (line?.client === client) line = undefined
        client.end().catch(() => {})
        throw error
      }
    },
    async close(): Promise<void> {
      const last = line
      line = undefined
      await last?.client.end().catch(() => {})
    },
  }
}

export function makePgLocks(connectionString: string, signal: Signal): Locks {
  const holders = new Map<string, Holder>()
  const line = makeLine(connectionString, (client) => {
    for (const holder of holders.values()) if (holder.line === client) holder.wanted?.()
  })
  signal.on('lock.wanted', ({ name }) => holders.get(name)?.wanted?.())

  /** Within one connection PostgreSQL would give a lock twice, so that a place in the map comes first. */
  async function attempt(name: string, wanted: () => void): Promise<(() => Promise<void>) | undefined> {
    const own: Holder = {}
    holders.set(name, own)
    try {
      const { client, ok } = await line.ask(lock, name)
      if (ok) Object.assign(own, { line: client, wanted })
    } finally {
      if (!own.line) holders.delete(name)
    }
    if (!own.line) return undefined
    return async () => {
      // With a line that was lost the lock went, too.
      if (line.isOn(own.line)) await line.ask(unlock, name).catch(() => undefined)
      holders.delete(name)
    }
  }

  return {
    async take(name, wanted, stop) {
      let askedAt = Number.NEGATIVE_INFINITY
      while (!stop.aborted) {
        const here = holders.get(name)
        if (here) here.wanted?.()
        else {
          const letGo = await attempt(name, wanted)
          if (letGo && !stop.aborted) return letGo
          await letGo?.()
          if (performance.now() - askedAt > askAgainMs) {
            askedAt = performance.now()
            await signal.send('lock.wanted', { name })
          }
        }
        await sleep(againMs, undefined, { signal: stop }).catch(() => undefined)
      }
      return undefined
    },
    stop: line.close,
  }
}
