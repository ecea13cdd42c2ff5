import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'

export const unknownGroup = (groupID: number) => refusal(errors.notFound, '分组 {groupID} 不存在', { groupID })

/** Changes of the tree wait for each other: depth and rings are questions about several rows. Needs a transaction. */
export async function lockTree(db: Db): Promise<void> {
  await sql`lock table device_group in share row exclusive mode`.execute(db)
}

export async function findGroup(db: Db, groupID: number) {
  const row = await db.selectFrom('device_group').selectAll().where('group_id', '=', groupID).executeTakeFirst()
  if (!row) throw unknownGroup(groupID)
  return row
}

export async function requireProduct(db: Db, productID: string | undefined): Promise<void> {
  if (!productID) return
  const found = await db
    .selectFrom('product')
    .select('product_id')
    .where('product_id', '=', productID)
    .executeTakeFirst()
  if (!found) throw refusal(errors.notFound, '产品 {productID} 不存在', { productID }, { field: 'productID' })
}

/** http-api.md 5: names are unique in the whole tree. */
export const nameConflicts = <T>(name: string, work: Promise<T>): Promise<T> =>
  inWords(work, {
    device_group_name_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('组名重复:{name}', { name }), field: 'groupName', cause }),
  })
