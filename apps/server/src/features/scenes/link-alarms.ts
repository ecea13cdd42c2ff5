/** Which alarms a scene raises and clears, as its editor says it; the alarm's own page links in the other direction. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { createAlarm, linkScenes } from '@ithings/contract/features/alarms/config.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { ScenesDeps } from './scenes-deps.ts'

const maxScenes = 1_000

export async function refuseTooManyScenes(db: Db, alarmIDs: number[]): Promise<void> {
  const full = await db
    .selectFrom('alarm_scene')
    .select('alarm_id')
    .where(sql<boolean>`alarm_id = any(${alarmIDs}::bigint[])`)
    .groupBy('alarm_id')
    .having(sql<boolean>`count(*) > ${maxScenes}`)
    .executeTakeFirst()
  if (full)
    throw new AppError(errors.quota, {
      msg: phrase('一个告警最多关联 {most} 个场景', { most: maxScenes }),
      field: 'sceneIDs',
    })
}

/** Other rights than that of editing scenes. */
export async function refuseLinking(
  { allows }: ScenesDeps,
  { role }: SignedInUser,
  { alarmIDs, alarm }: { alarmIDs?: number[] | undefined; alarm?: object | undefined },
): Promise<void> {
  for (const needed of [...(alarmIDs || alarm ? [linkScenes] : []), ...(alarm ? [createAlarm] : [])]) {
    if (await allows(role, needed)) continue
    throw refusal(errors.permission, '你的角色没有「{name}」的权限', { name: phrase(needed.name) })
  }
}

/** Needs a transaction. */
export async function linkAlarms(db: Db, sceneID: number, alarmIDs: number[] | undefined): Promise<void> {
  if (!alarmIDs) return
  const wanted = [...new Set(alarmIDs)]
  const found = await db
    .selectFrom('alarm')
    .select('id')
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = wanted.filter((id) => !known.has(id))
  if (missing.length > 0) throw refusal(errors.notFound, '告警 {ids} 不存在', { ids: missing }, { field: 'alarmIDs' })
  await db
    .deleteFrom('alarm_scene')
    .where('scene_id', '=', sceneID)
    .where(sql<boolean>`alarm_id <> all(${wanted}::bigint[])`)
    .execute()
  if (wanted.length === 0) return
  await db
    .insertInto('alarm_scene')
    .values(wanted.map((alarm) => ({ alarm_id: alarm, scene_id: sceneID })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await refuseTooManyScenes(db, wanted)
}
