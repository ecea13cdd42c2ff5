/** When sessions were last seen: noted in memory at each call and written for all of them at once. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { TokenClaims } from './token.ts'

/** More than that between two writings are not noted; they are when they come again. */
const most = 10_000

export function makeSeenSessions(db: Db, clock: Clock) {
  let seen = new Map<string, { claims: TokenClaims; at: number }>()
  return {
    note(claims: TokenClaims): void {
      if (seen.size < most || seen.has(claims.sid)) seen.set(claims.sid, { claims, at: clock.now() })
    },

    /** Also makes the row of a session that began before there were any. */
    async write(): Promise<void> {
      if (seen.size === 0) return
      const now = [...seen.values()]
      seen = new Map()
      const column = (of: (one: (typeof now)[number]) => unknown) => now.map(of)
      await sql`
        insert into user_session (sid, user_id, token_version, created_at, seen_at)
        select sid, user_id, version, to_timestamp(started), to_timestamp(seen)
        from unnest(
          ${column(({ claims }) => claims.sid)}::text[],
          ${column(({ claims }) => claims.userID)}::bigint[],
          ${column(({ claims }) => claims.version)}::integer[],
          ${column(({ claims }) => claims.startedAt)}::float8[],
          ${column(({ at }) => at / 1000)}::float8[]
        ) as noted (sid, user_id, version, started, seen)
        join app_user using (user_id)
        on conflict (sid) do update set seen_at = greatest(user_session.seen_at, excluded.seen_at)
      `.execute(db)
    },
  }
}

export type SeenSessions = ReturnType<typeof makeSeenSessions>
