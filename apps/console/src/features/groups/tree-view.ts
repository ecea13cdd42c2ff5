/** What the tree shows for a search, and what a deletion takes along. Pure. */

import type { Group } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { flatNodes, type GroupNode } from '#blocks/group-tree.ts'

const holds = (group: Group, text: string) =>
  group.groupName.toLowerCase().includes(text.toLowerCase()) || group.tags.some((tag) => tag.value.includes(text))

/** Groups that match, with the way to them and everything below them. */
export function searchTree(nodes: readonly GroupNode[], text: string): GroupNode[] {
  if (text.trim() === '') return [...nodes]
  return nodes.flatMap((node) => {
    if (holds(node.group, text.trim())) return [node]
    const children = searchTree(node.children, text)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

const namesShown = 5

/** The sentence of the delete dialog. */
export function deletionText(node: GroupNode): string {
  const below = flatNodes(node.children)
  const names = below
    .slice(0, namesShown)
    .map(({ group }) => group.groupName)
    .join(t('」「'))
  const groups =
    below.length > 0
      ? t(
          below.length > namesShown
            ? '它的 {count} 个子分组一起删除：「{names}」等。'
            : '它的 {count} 个子分组一起删除：「{names}」。',
          { count: below.length, names },
        )
      : t('它没有子分组。')
  const { totalCount } = node.group
  const devices =
    totalCount > 0
      ? t('{count, number} 台设备将离开这些分组，设备本身和数据都保留。', { count: totalCount })
      : t('没有设备受影响。')
  return t('{groups}{devices}删除后无法恢复。', { groups, devices })
}
