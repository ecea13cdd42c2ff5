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
interface Own {
  group_id: number
  devices: number
  online: number
}
interface Shared {
  groups: number[]
  devices: number
  online: number
}

const ownMembers = (db: Db) =>
  sql<Own>`
    select group_id, sum(devices)::bigint as devices, sum(online)::bigint as online
    from group_tally group by group_id`.execute(db)

/** Sets of groups travel as text: reading tens of thousands of arrays takes longer than adding them up. */
async function sharedMembers(db: Db): Promise<Shared[]> {
  const { rows } = await sql<Omit<Shared, 'groups'> & { groups: string }>`
    select array_to_string(groups, ',') as groups, count(*) as devices, count(*) filter (where online) as online
    from group_shared group by group_shared.groups`.execute(db)
  return rows.map(({ groups, ...counts }) => ({ groups: groups.split(',').map(Number), ...counts }))
}

/** Of one product nothing is kept: its devices are counted, in one pass by the sets of groups that they are in. */
async function membersOf(db: Db, productID: string): Promise<{ own: Own[]; shared: Shared[] }> {
  const { rows } = await sql<Omit<Shared, 'groups'> & { groups: string }>`
    select groups, count(*) as devices, count(*) filter (where online) as online from (
      select string_agg(group_id::text, ',' order by group_id) as groups, status = 1 as online
      from group_device join device using (device_id) where product_id = ${productID} group by device_id, status
    ) member group by groups`.execute(db)
  const shared = rows.map(({ groups, ...counts }) => ({ groups: groups.split(',').map(Number), ...counts }))
  const own = shared.flatMap(({ groups, ...counts }) => groups.map((group_id) => ({ group_id, ...counts })))
  return { own, shared }
}

async function allMembers(db: Db): Promise<{ own: Own[]; shared: Shared[] }> {
  const [own, shared] = await Promise.all([ownMembers(db), sharedMembers(db)])
  return { own: own.rows, shared }
}

/** The group itself and all groups above it. */
function pathUp(parents: Map<number, number>, groupID: number): number[] {
  const path: number[] = []
  for (let at: number | undefined = groupID; at !== undefined && parents.has(at); at = parents.get(at)) path.push(at)
  return path
}

/** @param productID only its devices */
export async function treeCounts(db: Db, tree: TreeRow[], productID?: string): Promise<Map<number, GroupCount>> {
  const { own, shared } = await (productID === undefined ? allMembers(db) : membersOf(db, productID))
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
  for (const { group_id, devices, online } of own) {
    const count = counts.get(group_id)
    if (count) count.own += devices
    for (const above of paths.get(group_id) ?? []) add(above, devices, online)
  }
  for (const { groups, devices, online } of shared) {
    const seen = new Set<number>()
    for (const above of groups.flatMap((group) => paths.get(group) ?? [])) {
      if (seen.has(above)) add(above, -devices, -online)
      seen.add(above)
    }
  }
  return counts
}
