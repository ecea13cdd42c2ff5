import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import type { AlarmTable } from '#db/tables/alarms.ts'

export type AlarmRow = Selectable<AlarmTable>

/** Callers may name any number: one beyond the column's type is unknown, not a failure of the database. */
export const hasID = (id: number) => sql<boolean>`id = ${id}::bigint`
const hasIDIn = (ids: number[]) => sql<boolean>`id = any(${ids}::bigint[])`

export const unknownAlarm = (id: number) => refusal(errors.notFound, '告警 {id} 不存在', { id })
export const unknownRecord = (id: number) => refusal(errors.notFound, '告警记录 {id} 不存在', { id })

/** One change of an alarm at a time; it may still be raised meanwhile. */
export async function lockAlarm(db: Db, id: number): Promise<AlarmRow> {
  const row = await db.selectFrom('alarm').selectAll().where(hasID(id)).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw unknownAlarm(id)
  return row
}

export const nameConflicts = <T>(name: string, work: Promise<T>): Promise<T> =>
  inWords(work, {
    alarm_name_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('告警名称重复:{name}', { name }), field: 'name', cause }),
  })

const missingOf = (wanted: number[], found: Array<{ id: number }>): number[] => {
  const known = new Set(found.map((row) => row.id))
  return wanted.filter((id) => !known.has(id))
}

/** A scene that is deleted meanwhile waits until we are done: the link would be refused by the database otherwise. */
export async function requireScenes(db: Db, sceneIDs: number[]): Promise<void> {
  if (sceneIDs.length === 0) return
  const found = await db.selectFrom('scene').select('id').where(hasIDIn(sceneIDs)).orderBy('id').forKeyShare().execute()
  const missing = missingOf(sceneIDs, found)
  if (missing.length === 0) return
  throw refusal(errors.notFound, '场景 {ids} 不存在', { ids: missing }, { field: 'sceneIDs' })
}

export async function requireChannels(db: Db, channelIDs: number[]): Promise<void> {
  if (channelIDs.length === 0) return
  const found = await db.selectFrom('notify_channel').select('id').where(hasIDIn(channelIDs)).forKeyShare().execute()
  const missing = missingOf(channelIDs, found)
  if (missing.length === 0) return
  throw refusal(errors.notFound, '通知渠道 {ids} 不存在', { ids: missing }, { field: 'notify' })
}
