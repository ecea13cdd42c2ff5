/** What refers to what, for those who must know before they delete something; asked through app/. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export const alarmsUsingChannel = (db: Db, channelID: number) =>
  db
    .selectFrom('alarm')
    .select(['id', 'name', 'level', 'status'])
    .where(sql<boolean>`notify -> 'channelIDs' @> ${JSON.stringify([channelID])}::jsonb`)
    .orderBy('name')
    .execute()
