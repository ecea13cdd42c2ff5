import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'

const tables = {
  channel: { table: 'notify_channel', id: 'id', name: 'name', missing: '通知渠道「{name}」不存在' },
  alarm: { table: 'alarm', id: 'id', name: 'name', missing: '告警「{name}」不存在' },
  scene: { table: 'scene', id: 'id', name: 'name', missing: '场景「{name}」不存在' },
  group: { table: 'device_group', id: 'group_id', name: 'group_name', missing: '分组「{name}」不存在' },
} as const
export type Named = keyof typeof tables

/** Names by number; all of them: a plan is about many objects. */
export async function namesOf(db: Db, what: Named): Promise<Map<number, string>> {
  const { table, id, name } = tables[what]
  const rows = await db
    .selectFrom(table)
    .select([`${id} as id`, `${name} as name`] as never[])
    .execute()
  return new Map((rows as Array<{ id: number; name: string }>).map((row) => [row.id, row.name]))
}

/** Numbers of names, in their order; one that nothing has is refused. */
export async function idsOf(db: Db, what: Named, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const { table, id, name: column, missing } = tables[what]
  const found = await db
    .selectFrom(table)
    .select([`${id} as id`, `${column} as name`] as never[])
    .where(column as never, 'in', names as never)
    .execute()
  const ids = new Map((found as Array<{ id: number; name: string }>).map((row) => [row.name, row.id]))
  return names.map((name) => {
    const number = ids.get(name)
    if (number === undefined) throw new AppError(errors.notFound, { detail: phrase(missing, { name }) })
    return number
  })
}
