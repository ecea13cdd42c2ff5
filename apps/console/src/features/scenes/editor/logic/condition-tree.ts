/** Changes of the tree of conditions. Pure; `netCondition` is the relation to the NEXT one of a list (rules.md 3). */
import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import { type ConditionItem, newKey } from './draft.ts'

export type Joint = 'and' | 'or'
type List = readonly ConditionItem[]

/** What joins a list: one word for all of it, or undefined when it is mixed and read from left to right. */
export function jointOf(list: List): Joint | undefined {
  const joints = new Set(list.slice(0, -1).map(({ part }) => part.netCondition))
  if (joints.size > 1) return undefined
  const [only = 'and'] = joints
  return only
}

const withJoint = (item: ConditionItem, netCondition: Joint): ConditionItem =>
  item.part.netCondition === netCondition ? item : { ...item, part: { ...item.part, netCondition } }

export const setJoint = (list: List, joint: Joint): ConditionItem[] => list.map((item) => withJoint(item, joint))

/** The relation between item `at` and the next one. */
export const setJointAt = (list: List, at: number, joint: Joint): ConditionItem[] =>
  list.map((item, index) => (index === at ? withJoint(item, joint) : item))

/** A list with one joint keeps it; in a mixed one only the new relation is `and`. */
export function append(list: List, item: ConditionItem): ConditionItem[] {
  const joint = list.length > 1 ? jointOf(list) : (list[0]?.part.netCondition ?? 'and')
  if (joint) return setJoint([...list, item], joint)
  return [...setJointAt(list, list.length - 1, 'and'), item]
}

/** Applies a change to the item of that key, wherever it lies; undefined removes it. A group left empty goes too. */
export function changeItem(
  list: List,
  key: string,
  change: (item: ConditionItem) => ConditionItem | undefined,
): ConditionItem[] {
  return list.flatMap((item) => {
    if (item.key === key) return change(item) ?? []
    if (item.terms.length === 0) return item
    const terms = changeItem(item.terms, key, change)
    if (terms.length > 0) return { ...item, terms }
    if (item.part.columnType === 'group') return []
    const { childrenCondition: _, ...part } = item.part
    return { ...item, part, terms }
  })
}

export const removeItem = (list: List, key: string): ConditionItem[] => changeItem(list, key, () => undefined)

/** One place up or down in its own list; the relations stay where they are. */
export function moveItem(list: List, key: string, by: -1 | 1): ConditionItem[] {
  const from = list.findIndex((item) => item.key === key)
  if (from < 0) return list.map((item) => ({ ...item, terms: moveItem(item.terms, key, by) }))
  const to = from + by
  const moving = list[from]
  const other = list[to]
  if (!moving || !other) return [...list]
  return list.map((item, index) => {
    if (index === from) return withJoint(other, item.part.netCondition)
    return index === to ? withJoint(moving, item.part.netCondition) : item
  })
}

/** Out of its group, behind it; the last one takes the place of the group. */
export function liftItem(list: List, key: string): ConditionItem[] {
  const at = list.findIndex((item) => item.terms.some((child) => child.key === key))
  const parent = list[at]
  const child = parent?.terms.find((one) => one.key === key)
  if (!parent || !child) return list.map((item) => ({ ...item, terms: liftItem(item.terms, key) }))
  const lifted = withJoint(child, parent.part.netCondition)
  const rest = removeItem([parent], key).map((item) => withJoint(item, (list.length > 1 && jointOf(list)) || 'and'))
  return [...list.slice(0, at), ...rest, lifted, ...list.slice(at + 1)]
}

export const groupItem = (terms: ConditionItem[], joint: Joint): ConditionItem => ({
  key: newKey(),
  part: { columnType: 'group', netCondition: 'and', childrenCondition: 'and' },
  terms: setJoint(terms, joint),
})

const sizeOf = (list: List): number => list.reduce((sum, item) => sum + 1 + sizeOf(item.terms), 0)
export const hasRoom = (list: List, more = 1): boolean => sizeOf(list) + more <= sceneLimits.conditions
