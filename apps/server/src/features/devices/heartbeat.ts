/** Which servers share this database, told by its clock alone: the clocks of two machines never agree. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { ServerFacts } from '#db/tables/messages.ts'
import { upstreamClientID } from '#ports/upstream.ts'

export const beatMs = 5_000
/** Three missed beats. */
export const deadAfterMs = 15_000
/** While the standby does not answer nobody's beat is written: only what others wrote meanwhile tells that one is gone. */
const behindMs = 1.5 * beatMs

const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

export interface Beat {
  /** Nobody knew this server: it has just started, or another one has taken it for dead. */
  fresh: boolean
  /** Servers that are gone. */
  dead: string[]
  /** Whether people wish that this server has no devices. */
  drain: boolean
}

export interface HeartbeatParts {
  db: Db
  serverID: string
  /** How long this server must have seen the database itself before it judges others. */
  steadyMs: number
  /** What others may know of this server. */
  facts(): Partial<ServerFacts>
  /** Sessions of a broker that others run are no sign of a server that is gone. */
  keepUpstream?: boolean
}

export interface ServerRow {
  server_id: string
  facts: Partial<ServerFacts>
  drain: boolean
}

/** The servers that were seen lately, in one order for all of them. */
export async function livingServers(db: Db, withinMs = deadAfterMs): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`
    select server_id, facts, drain from platform_server where seen_at >= ${databaseNow} - ${withinMs}::bigint
    order by server_id`.execute(db)
  return rows
}

export function makeHeartbeat({ db, serverID, steadyMs, facts, keepUpstream = false }: HeartbeatParts) {
  /** Since when no beat was missed, by the time of this process. */
  let steadySince: number | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  /** Kept here too: a row that others have cleared away comes back with it. */
  let drain = false

  /** After an outage of the database all servers look dead to the one that comes back first. */
  const mayJudge = (): boolean => {
    const now = performance.now()
    if (now - lastAt > deadAfterMs) steadySince = now
    lastAt = now
    return now - (steadySince ?? now) >= steadyMs
  }

  return {
    async beat(): Promise<Beat> {
      const { rows: own } = await sql<{ fresh: boolean; drain: boolean; before: number | null }>`
        with before as (select seen_at from platform_server where server_id = ${serverID})
        insert into platform_server (server_id, seen_at, facts, drain)
        values (${serverID}, ${databaseNow}, ${JSON.stringify(facts())}, ${drain})
        on conflict (server_id) do update set seen_at = excluded.seen_at, facts = excluded.facts
        returning (xmax = 0) as fresh, drain, (select seen_at from before) as before`.execute(db)
      const fresh = own[0]?.fresh === true
      drain = own[0]?.drain === true
      const before = own[0]?.before ?? null
      if (!mayJudge()) return { fresh, dead: [], drain }
      const { rows } = await sql<{ server_id: string }>`
        select server_id from platform_server
        where server_id <> ${serverID} and seen_at < ${databaseNow} - ${deadAfterMs}::bigint
          and seen_at < coalesce(${before}::bigint - ${behindMs}::bigint, seen_at + 1)
        union select server_id from device_session
        where server_id not in (select server_id from platform_server)
          and client_id is distinct from ${keepUpstream ? upstreamClientID : null}::text`.execute(db)
      return { fresh, dead: rows.map((row) => row.server_id), drain }
    },

    /** The other servers that were seen, lately or ever. */
    async others(which: 'alive' | 'all'): Promise<string[]> {
      const { rows } = await sql<{ server_id: string }>`
        select server_id from platform_server where server_id <> ${serverID}
          and (${which === 'all'} or seen_at >= ${databaseNow} - ${deadAfterMs}::bigint)`.execute(db)
      return rows.map((row) => row.server_id)
    },
  }
}
