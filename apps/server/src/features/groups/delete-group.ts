import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { groupWithChildren } from '#features/devices/door.ts'
import { lockTree, unknownGroup } from './store.ts'

/**
 * The group goes with everything below it, and with the links to devices; the devices themselves stay. The console
 * names what is affected before it calls this (http-api.md 5).
 */
export async function deleteGroup(pool: Db, { groupID }: { groupID: number }): Promise<void> {
  await pool.transaction().execute(async (db) => {
    await lockTree(db)
    const groups = await groupWithChildren(db, groupID)
    if (groups.length === 0) throw unknownGroup(groupID)
    // All members at once rather than by a cascade for each group, and their devices first and in one order, as
    // everybody who counts members takes them (migration 0008).
    await sql`
      with members as (select device_id from group_device where group_id = any(${groups}::bigint[])),
      held as materialized (
        select device_id from device where device_id in (select device_id from members)
        order by device_id for no key update
      )
      delete from group_device
      where group_id = any(${groups}::bigint[]) and device_id in (select device_id from held)`.execute(db)
    await db.deleteFrom('device_group').where('group_id', 'in', groups).execute()
  })
}
