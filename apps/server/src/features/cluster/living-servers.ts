import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { ServerFacts } from '#db/tables/messages.ts'
import { deadAfterMs } from '#features/devices/door.ts'

export interface ServerRow {
  server_id: string
  facts: Partial<ServerFacts>
  drain: boolean
}

/** By the clock of the database: those whose heartbeat was seen lately. */
export async function livingServers(db: Db): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`
    select server_id, facts, drain from platform_server
    where seen_at >= (extract(epoch from clock_timestamp()) * 1000)::bigint - ${deadAfterMs}::bigint`.execute(db)
  return rows
}
