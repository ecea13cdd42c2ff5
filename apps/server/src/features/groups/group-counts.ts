import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export interface GroupCount {
  group_id: number
  /** Of the group itself. */
  own: number
  /** With all groups below; a device that is in several of them counts once. */
  total: number
  online: number
}

/** Counts of a few groups; those of the whole tree are in tree-counts.ts. */
export async function groupCounts(db: Db, groups: number[]): Promise<Map<number, GroupCount>> {
  const { rows } = await sql<GroupCount>`
    with recursive reach (top, group_id) as (
      select group_id, group_id from device_group where group_id = any(${groups}::bigint[])
      union all
      select reach.top, child.group_id from device_group child join reach on child.parent_id = reach.group_id
    ),
    members as (
      select reach.top, group_device.device_id, bool_or(reach.top = reach.group_id) as own
      from reach join group_device on group_device.group_id = reach.group_id
      group by reach.top, group_device.device_id
    )
    select members.top as group_id,
      count(*) filter (where members.own) as own,
      count(*) as total,
      count(*) filter (where device.status = 1) as online
    from members join device on device.device_id = members.device_id
    group by members.top`.execute(db)
  return new Map(rows.map((row) => [row.group_id, row]))
}
