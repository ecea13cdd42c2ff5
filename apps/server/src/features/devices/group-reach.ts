import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** The group and everything below it. */
export async function groupWithChildren(db: Db, groupID: number): Promise<number[]> {
  const { rows } = await sql<{ group_id: number }>`
    with recursive reach as (
      select group_id from device_group where group_id = ${groupID}
      union
      select child.group_id from device_group child join reach on child.parent_id = reach.group_id
    )
    select group_id from reach`.execute(db)
  return rows.map((row) => row.group_id)
}
