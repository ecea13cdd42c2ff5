import { rootMenuID } from '@ithings/contract/features/menus.ts'
import type { MenuRow } from './menu-wire.ts'

/** The rows of these ids and of everything above them, in the order of `all`, so that a tree can be built. */
export function withAncestors(ids: Iterable<number>, all: MenuRow[]): MenuRow[] {
  const byID = new Map(all.map((row) => [row.id, row]))
  const kept = new Set<number>()
  for (const id of ids) {
    for (let row = byID.get(id); row && !kept.has(row.id); row = byID.get(row.parent_id)) {
      kept.add(row.id)
      if (row.parent_id === rootMenuID) break
    }
  }
  return all.filter((row) => kept.has(row.id))
}
