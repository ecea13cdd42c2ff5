/** The tree to join groups from; where the device already is cannot be chosen again. Pure. */

import type { Group } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { ancestorsOf, type GroupNode, groupTree } from '#blocks/group-tree.ts'

export interface GroupChoice {
  value: string
  label: string
  disabled: boolean
  children: GroupChoice[]
}

export function groupChoices(groups: readonly Group[], joined: ReadonlySet<string>): GroupChoice[] {
  const choose = ({ group, children }: GroupNode): GroupChoice => ({
    value: group.groupID,
    label: joined.has(group.groupID) ? t('{name}（已加入）', { name: group.groupName }) : group.groupName,
    disabled: joined.has(group.groupID),
    children: children.map(choose),
  })
  return groupTree(groups).map(choose)
}

/** 华北 / 北京 / 朝阳: a group's name alone may occur several times. */
export const groupPath = (groups: readonly Group[], group: Pick<Group, 'groupID' | 'groupName'>): string =>
  [...ancestorsOf(groups, group.groupID).map(({ groupName }) => groupName), group.groupName].join(' / ')
