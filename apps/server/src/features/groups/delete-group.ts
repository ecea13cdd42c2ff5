import type { Db } from '#db/schema.ts'
import { groupWithChildren } from '#features/devices/door.ts'
import { lockTree, unknownGroup } from './store.ts'

/**
 * The group goes with everything below it, and with the links to devices; the devices themselves stay. The console
 * names what is affected before it calls this (http-api.md 5: the public platform leaves orphans behind).
 */
export async function deleteGroup(pool: Db, { groupID }: { groupID: number }): Promise<void> {
  await pool.transaction().execute(async (db) => {
    await lockTree(db)
    const groups = await groupWithChildren(db, groupID)
    if (groups.length === 0) throw unknownGroup(groupID)
    await db.deleteFrom('device_group').where('group_id', 'in', groups).execute()
  })
}
