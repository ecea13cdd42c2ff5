import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'

export async function findRule(db: Db, id: number, lock = false) {
  const row = await db
    .selectFrom('forward_rule')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notFound, { detail: phrase('数据转发规则 {id} 不存在', { id }) })
  return row
}

/** Names tell rules apart, so they are unique. */
export const nameConflicts = <T>(name: string, work: Promise<T>): Promise<T> =>
  inWords(work, {
    forward_rule_name_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('规则名称重复：{name}', { name }), field: 'name', cause }),
  })

/** Names of the rules that tell a channel when they are behind. */
export async function rulesUsingChannel(db: Db, channelID: number): Promise<string[]> {
  const rows = await db
    .selectFrom('forward_rule')
    .select('name')
    .where((eb) => eb(eb.val(channelID), '=', eb.fn.any('channel_ids')))
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
