import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type createGroup as createEndpoint, rootGroupID } from '@ithings/contract/features/groups.ts'
import { phrase } from '@ithings/contract/text.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { lockTree, nameConflicts, requireProduct } from './store.ts'
import { refuseBadPlace } from './tree-rules.ts'

/** The tree travels as a whole (`listAll`), so it has an end. */
const maxGroups = 10_000

export async function createGroup(pool: Db, input: BodyOutput<typeof createEndpoint>) {
  const parentID = input.parentID || rootGroupID
  const made = await nameConflicts(
    input.groupName,
    pool.transaction().execute(async (db) => {
      await lockTree(db)
      await requireProduct(db, input.productID)
      await refuseBadPlace(db, parentID)
      const { groups } = await db
        .selectFrom('device_group')
        .select(sql<number>`count(*)`.as('groups'))
        .executeTakeFirstOrThrow()
      if (groups >= maxGroups)
        throw new AppError(errors.quota, { msg: phrase('分组数量已达上限 {maxGroups}', { maxGroups }) })
      return db
        .insertInto('device_group')
        .values({
          parent_id: parentID,
          group_name: input.groupName,
          product_id: input.productID ?? '',
          description: input.desc ?? '',
          tags: JSON.stringify(input.tags ?? []),
        })
        .returning('group_id')
        .executeTakeFirstOrThrow()
    }),
  )
  return { groupID: toStr(made.group_id) }
}
