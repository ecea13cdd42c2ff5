/** http-api.md 5: three levels, no rings; also for a group that moves with everything below it. */

import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import { maxGroupLevels, rootGroupID } from '@ithings/contract/features/groups.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'

interface TreeRow {
  group_id: number
  parent_id: number
}

const loadTree = (db: Db): Promise<TreeRow[]> =>
  db.selectFrom('device_group').select(['group_id', 'parent_id']).execute()

/** The group, its parent, and so on up to a top-level group. */
function pathUp(tree: Map<number, TreeRow>, groupID: number): number[] {
  const path: number[] = []
  for (let row = tree.get(groupID); row && !path.includes(row.group_id); row = tree.get(row.parent_id)) {
    path.push(row.group_id)
  }
  return path
}

/** May `groupID` (undefined: a new group) hang below `parentID`? Needs lockTree. */
export async function refuseBadPlace(db: Db, parentID: number, groupID?: number): Promise<void> {
  if (parentID === rootGroupID && groupID === undefined) return
  const rows = await loadTree(db)
  const tree = new Map(rows.map((row) => [row.group_id, row]))
  if (parentID !== rootGroupID && !tree.has(parentID)) {
    throw refusal(errors.notFound, '父分组 {parentID} 不存在', { parentID }, { field: 'parentID' })
  }
  const above = parentID === rootGroupID ? [] : pathUp(tree, parentID)
  if (groupID !== undefined && above.includes(groupID)) throw badField('parentID', '不能移动到自己或自己的子分组下')
  const below =
    groupID === undefined ? 1 : Math.max(1, ...rows.map((row) => pathUp(tree, row.group_id).indexOf(groupID) + 1))
  if (above.length + below > maxGroupLevels) {
    throw new AppError(errors.outOfRange, {
      msg: phrase('子分组嵌套不能超过{maxGroupLevels}层', { maxGroupLevels }),
      field: 'parentID',
    })
  }
}
