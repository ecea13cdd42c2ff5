import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import { openReceivers } from '#db/scene-receivers.ts'
import type { Db } from '#db/schema.ts'
import type { SceneTable } from '#db/tables/scenes.ts'

export type SceneRow = Selectable<SceneTable>

const unknownScene = (sceneID: number) => refusal(errors.notFound, '场景 {sceneID} 不存在', { sceneID })

export async function findScene(db: Db, sceneID: number): Promise<SceneRow> {
  const row = await db.selectFrom('scene').selectAll().where('id', '=', sceneID).executeTakeFirst()
  if (!row) throw unknownScene(sceneID)
  return row
}

/** Needs a transaction: nobody edits or deletes it until the end. */
export async function lockScene(db: Db, sceneID: number): Promise<SceneRow> {
  const row = await db.selectFrom('scene').selectAll().where('id', '=', sceneID).forUpdate().executeTakeFirst()
  if (!row) throw unknownScene(sceneID)
  return row
}

/** Whether scenes run in a ring is a question about several of them: saving is one after the other. */
export async function lockScenes(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('scenes'))`.execute(db)
}

/** The texts are stored in the one form of the contract, so they need no second check. */
export const partsOf = (
  db: Db,
  row: Pick<SceneRow, 'trigger_type' | 'trigger' | 'conditions' | 'actions'>,
): SceneParts => ({
  triggerType: row.trigger_type,
  trigger: JSON.parse(row.trigger),
  conditions: JSON.parse(row.conditions),
  actions: openReceivers(db, JSON.parse(row.actions)),
})

/** errors.md: this sentence has 100006. */
export const nameConflicts = <T>(work: Promise<T>): Promise<T> =>
  inWords(work, {
    scene_name_key: (cause) => new AppError(errors.parameter, { msg: phrase('场景名字重复'), field: 'name', cause }),
  })

/** Of the alarms that the scene raises and clears. */
export async function linkedAlarmNames(db: Db, sceneID: number): Promise<string[]> {
  const rows = await db
    .selectFrom('alarm_scene')
    .innerJoin('alarm', 'alarm.id', 'alarm_scene.alarm_id')
    .select('alarm.name')
    .where('scene_id', '=', sceneID)
    .orderBy('alarm.id')
    .execute()
  return rows.map((row) => row.name)
}
