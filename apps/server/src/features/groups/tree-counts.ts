/**
 * Counts of every group of the tree. Sums up the tree, then takes back what was counted twice: only devices that are in
 * several groups can be, and they are few. Joining each group with all groups below it takes many times as long.
 */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { GroupCount } from './group-counts.ts'

interface TreeRow {
  group_id: number
  parent_id: number
}
interface Members {
  groups: number[]
  devices: number
  online: number
}

const ownMembers = (db: Db) =>
  sql<Members>`
    select array[group_device.group_id] as groups, count(*) as devices, count(*) filter (where device.status = 1) as online
    from group_device join device on device.device_id = group_device.device_id
    group by group_device.group_id`.execute(db)

const sharedMembers = (db: Db) =>
  sql<Members>`
    select shared.groups, count(*) as devices, count(*) filter (where device.status = 1) as online
    from (
      select device_id, array_agg(group_id) as groups from group_device group by device_id having count(*) > 1
    ) shared join device on device.device_id = shared.device_id
    group by shared.groups`.execute(db)

/** The group itself and all groups above it. */
function pathUp(parents: Map<number, number>, groupID: number): number[] {
  const path: number[] = []
  for (let at: number | undefined = groupID; at !== undefined && parents.has(at); at = parents.get(at)) path.push(at)
  return path
}

export async function treeCounts(db: Db, tree: TreeRow[]): Promise<Map<number, GroupCount>> {
  const [own, shared] = await Promise.all([ownMembers(db), sharedMembers(db)])
  const parents = new Map(tree.map((row) => [row.group_id, row.parent_id]))
  const paths = new Map(tree.map((row) => [row.group_id, pathUp(parents, row.group_id)]))
  const counts = new Map<number, GroupCount>(
    tree.map(({ group_id }) => [group_id, { group_id, own: 0, total: 0, online: 0 }]),
  )
  const add = (groupID: number, devices: number, online: number) => {
    const count = counts.get(groupID)
    if (!count) return
    count.total += devices
    count.online += online
  }
  for (const { groups, devices, online } of own.rows) {
    const groupID = Number(groups[0])
    const count = counts.get(groupID)
    if (count) count.own = devices
    for (const above of paths.get(groupID) ?? []) add(above, devices, online)
  }
  for (const { groups, devices, online } of shared.rows) {
    const seen = new Set<number>()
    for (const above of groups.flatMap((group) => paths.get(Number(group)) ?? [])) {
      if (seen.has(above)) add(above, -devices, -online)
      seen.add(above)
    }
  }
  return counts
}
