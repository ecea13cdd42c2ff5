/** The groups as a tree (http-api.md 5): the platform answers all of them in one flat list. Pure. */

import { type Group, maxGroupLevels, rootGroupID } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'

export interface GroupNode {
  group: Group
  /** 1 is the top. */
  level: number
  children: GroupNode[]
}

export function groupTree(groups: readonly Group[]): GroupNode[] {
  const below = new Map<string, Group[]>()
  for (const group of groups) below.set(group.parentID, [...(below.get(group.parentID) ?? []), group])
  const nodes = (parentID: string, level: number): GroupNode[] =>
    (below.get(parentID) ?? []).map((group) => ({ group, level, children: nodes(group.groupID, level + 1) }))
  return nodes(String(rootGroupID), 1)
}

export const flatNodes = (nodes: readonly GroupNode[]): GroupNode[] =>
  nodes.flatMap((node) => [node, ...flatNodes(node.children)])

export const findNode = (nodes: readonly GroupNode[], groupID: string): GroupNode | undefined =>
  flatNodes(nodes).find((node) => node.group.groupID === groupID)

/** From the top down to the group's parent. */
export function ancestorsOf<T extends Pick<Group, 'groupID' | 'parentID'>>(groups: readonly T[], groupID: string): T[] {
  const byID = new Map(groups.map((group) => [group.groupID, group]))
  const path: T[] = []
  for (let up = byID.get(byID.get(groupID)?.parentID ?? ''); up && !path.includes(up); up = byID.get(up.parentID)) {
    path.unshift(up)
  }
  return path
}

/** Levels that the group and everything below it take. */
export const heightOf = (node: GroupNode): number => 1 + Math.max(0, ...node.children.map(heightOf))

/** Why a group (undefined: a new one) cannot lie below this parent (undefined: the top), or undefined. */
export function refusePlace(parent: GroupNode | undefined, moving?: GroupNode): string | undefined {
  if (moving && parent && (parent === moving || flatNodes(moving.children).includes(parent))) {
    return t('不能移动到自己或自己的子分组下')
  }
  const levels = (parent?.level ?? 0) + (moving ? heightOf(moving) : 1)
  if (levels <= maxGroupLevels) return undefined
  return t('分组最多 {max} 层，放在「{name}」下会有 {levels} 层', {
    max: maxGroupLevels,
    name: parent?.group.groupName ?? '',
    levels,
  })
}
