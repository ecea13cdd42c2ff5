/** How many places differ from what is saved ("2 处修改未保存"). Pure. */
import { jointOf } from './condition-tree.ts'
import { type ConditionItem, type SceneDraft, textsOf } from './draft.ts'

interface Item {
  key: string
  text: string
}

/** Added, removed and altered ones each count; a new order of the same ones counts once. */
function listChanges(before: readonly Item[], after: readonly Item[]): number {
  const old = new Map(before.map(({ key, text }) => [key, text]))
  const now = new Set(after.map(({ key }) => key))
  const altered = after.filter(({ key, text }) => old.get(key) !== text).length
  const removed = before.filter(({ key }) => !now.has(key)).length
  const stayed = before.filter(({ key }) => now.has(key)).map(({ key }) => key)
  const order = after.filter(({ key }) => old.has(key)).map(({ key }) => key)
  return altered + removed + (stayed.join() === order.join() ? 0 : 1)
}

const partText = ({ key, part }: { key: string; part: object }): Item => ({ key, text: JSON.stringify(part) })

/** The relation to the next one belongs to the list, not to the item. */
const leaves = (list: readonly ConditionItem[], parent = ''): Item[] =>
  list.flatMap(({ key, part: { netCondition: _, ...own }, terms }) => [
    { key, text: JSON.stringify([parent, own]) },
    ...leaves(terms, key),
  ])

const joints = (list: readonly ConditionItem[], parent = ''): [string, string][] => [
  ...(list.length > 1
    ? [[parent, jointOf(list) ?? list.map(({ part }) => part.netCondition).join()] as [string, string]]
    : []),
  ...list.flatMap(({ key, terms }) => joints(terms, key)),
]

function jointChanges(before: readonly ConditionItem[], after: readonly ConditionItem[]): number {
  const old = new Map(joints(before))
  return joints(after).filter(([key, text]) => old.has(key) && old.get(key) !== text).length
}

const fields = ['name', 'desc', 'status', 'triggerType', 'cron'] as const

export function countChanges(saved: SceneDraft, draft: SceneDraft): number {
  const counted =
    (saved.alarmIDs.join() === draft.alarmIDs.join() ? 0 : 1) +
    fields.filter((field) => saved[field] !== draft[field]).length +
    listChanges(saved.triggers.map(partText), draft.triggers.map(partText)) +
    listChanges(leaves(saved.conditions), leaves(draft.conditions)) +
    jointChanges(saved.conditions, draft.conditions) +
    listChanges(saved.actions.map(partText), draft.actions.map(partText))
  if (counted > 0) return counted
  return JSON.stringify(textsOf(saved)) === JSON.stringify(textsOf(draft)) ? 0 : 1
}
