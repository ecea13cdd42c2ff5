/** Who is in the groups that triggers name, groups below them included. Small and whole, because it is asked for each
 * message; read again when somebody changes a group. */
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { GroupMembers } from './scene-index.ts'

/** Pairs of group and device. */
const mostPairs = 1_000_000

export interface GroupCache extends GroupMembers {
  load(groupIDs: number[]): Promise<void>
  readonly size: number
}

export function makeGroupCache({ db, log }: { db: Db; log: Logger }): GroupCache {
  let devices = new Map<number, readonly number[]>()
  let pairs = 0
  return {
    of: (deviceID) => devices.get(deviceID),
    async load(groupIDs) {
      const next = new Map<number, readonly number[]>()
      pairs = 0
      if (groupIDs.length > 0) {
        const { rows } = await sql<{ root: number; device_id: number }>`
          with recursive reach as (
            select group_id as root, group_id from device_group where group_id = any (${groupIDs}::bigint[])
            union
            select reach.root, child.group_id from device_group child join reach on child.parent_id = reach.group_id
          )
          select distinct root, device_id from reach join group_device using (group_id)
          order by device_id, root limit ${mostPairs + 1}`.execute(db)
        // Most devices are in the same groups as others: one list for all of them.
        const lists = new Map<string, readonly number[]>()
        const put = (deviceID: number, groups: number[]) => {
          const text = groups.join()
          const list = lists.get(text) ?? groups
          lists.set(text, list)
          next.set(deviceID, list)
        }
        let deviceID = 0
        let groups: number[] = []
        for (const row of rows.slice(0, mostPairs)) {
          if (row.device_id !== deviceID) {
            if (groups.length > 0) put(deviceID, groups)
            deviceID = row.device_id
            groups = []
          }
          groups.push(row.root)
        }
        if (groups.length > 0) put(deviceID, groups)
        pairs = Math.min(rows.length, mostPairs)
        if (rows.length > mostPairs)
          log.error({ mostPairs }, 'groups of scenes have too many devices, some are ignored')
      }
      devices = next
    },
    get size() {
      return pairs
    },
  }
}
