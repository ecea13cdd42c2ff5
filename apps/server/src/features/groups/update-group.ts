import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateGroup as updateEndpoint } from '@ithings/contract/features/groups.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { findGroup, lockTree, nameConflicts, requireProduct } from './store.ts'
import { refuseBadPlace } from './tree-rules.ts'

export async function updateGroup(pool: Db, input: BodyOutput<typeof updateEndpoint>) {
  const { groupID, groupName, desc, tags, productID, parentID, rev } = input
  await nameConflicts(
    groupName ?? '',
    pool.transaction().execute(async (db) => {
      await lockTree(db)
      const group = await findGroup(db, groupID)
      refuseStaleEdit(rev, group.rev)
      await requireProduct(db, productID)
      if (parentID !== undefined && parentID !== group.parent_id) await refuseBadPlace(db, parentID, groupID)
      await db
        .updateTable('device_group')
        .set({
          ...(groupName === undefined ? {} : { group_name: groupName }),
          ...(desc === undefined ? {} : { description: desc }),
          ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
          ...(productID === undefined ? {} : { product_id: productID }),
          ...(parentID === undefined ? {} : { parent_id: parentID }),
          rev: sql`rev + 1`,
        })
        .where('group_id', '=', groupID)
        .execute()
    }),
  )
}
