/** Which scenes raise and clear an alarm: many to many (rules.md 5). */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { refuseTooManyScenes } from '#features/scenes/door.ts'
import { lockAlarm, requireScenes } from './store.ts'

interface Links {
  alarmID: number
  sceneIDs: number[]
}

/** The alarm itself did not change, so its rev stays: an open form must not go stale by a link. */
async function insertLinks(db: Db, alarmID: number, sceneIDs: number[]): Promise<void> {
  await requireScenes(db, sceneIDs)
  if (sceneIDs.length === 0) return
  await db
    .insertInto('alarm_scene')
    .values(sceneIDs.map((sceneID) => ({ alarm_id: alarmID, scene_id: sceneID })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const replaceScenes = (pool: Db, { alarmID, sceneIDs }: Links): Promise<void> =>
  pool.transaction().execute(async (db) => {
    await lockAlarm(db, alarmID)
    const wanted = [...new Set(sceneIDs)]
    await db
      .deleteFrom('alarm_scene')
      .where('alarm_id', '=', alarmID)
      .where(sql<boolean>`scene_id <> all(${wanted}::bigint[])`)
      .execute()
    await insertLinks(db, alarmID, wanted)
  })

export const addScenes = (pool: Db, { alarmID, sceneIDs }: Links): Promise<void> =>
  pool.transaction().execute(async (db) => {
    await lockAlarm(db, alarmID)
    await insertLinks(db, alarmID, [...new Set(sceneIDs)])
    await refuseTooManyScenes(db, [alarmID])
  })

export const removeScene = (pool: Db, { alarmID, sceneID }: { alarmID: number; sceneID: number }): Promise<void> =>
  pool.transaction().execute(async (db) => {
    await lockAlarm(db, alarmID)
    const { numDeletedRows } = await db
      .deleteFrom('alarm_scene')
      .where('alarm_id', '=', alarmID)
      .where(sql<boolean>`scene_id = ${sceneID}::bigint`)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) {
      throw refusal(errors.notFound, '告警没有关联场景 {sceneID}', { sceneID }, { field: 'sceneID' })
    }
  })
