/** What refers to what, for those who must know before they delete something; asked through app/. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

const found = ['id', 'name', 'level', 'status'] as const

export const alarmsUsingChannel = (db: Db, channelID: number) =>
  db
    .selectFrom('alarm')
    .select(found)
    .where(sql<boolean>`notify -> 'channelIDs' @> ${JSON.stringify([channelID])}::jsonb`)
    .orderBy('name')
    .execute()

export const alarmsOfScene = (db: Db, sceneID: number) =>
  db
    .selectFrom('alarm')
    .innerJoin('alarm_scene', 'alarm_scene.alarm_id', 'alarm.id')
    .select(found)
    .where('alarm_scene.scene_id', '=', sceneID)
    .orderBy('name')
    .execute()
