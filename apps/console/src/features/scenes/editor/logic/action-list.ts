/** Changes of the ordered steps. Pure. `parallel` says "starts together with the step before it". */
import type { ActionItem } from './draft.ts'

type List = readonly ActionItem[]

const withParallel = (item: ActionItem, parallel: boolean): ActionItem => {
  if ((item.part.parallel ?? false) === parallel) return item
  const { parallel: _, ...rest } = item.part
  return { ...item, part: parallel ? { ...rest, parallel: true } : rest }
}

/** The first step has none before it. */
const settled = (list: List): ActionItem[] =>
  list.map((item, index) => (index === 0 ? withParallel(item, false) : item))

export function moveStep(list: List, from: number, to: number): ActionItem[] {
  const moving = list[from]
  if (!moving || from === to || to < 0 || to >= list.length) return [...list]
  const rest = list.filter((_, index) => index !== from)
  return settled([...rest.slice(0, to), moving, ...rest.slice(to)])
}

export const removeStep = (list: List, key: string): ActionItem[] => settled(list.filter((item) => item.key !== key))

export const setParallel = (list: List, key: string, parallel: boolean): ActionItem[] =>
  settled(list.map((item) => (item.key === key ? withParallel(item, parallel) : item)))

export type StepMode = 'serial' | 'parallel' | 'mixed'

export function modeOf(list: List): StepMode {
  const later = list.slice(1).map(({ part }) => part.parallel ?? false)
  if (!later.includes(true)) return 'serial'
  return later.includes(false) ? 'mixed' : 'parallel'
}

export const setMode = (list: List, mode: 'serial' | 'parallel'): ActionItem[] =>
  list.map((item, index) => withParallel(item, mode === 'parallel' && index > 0))

/** Steps that start together share a number. */
export function stepNumbers(list: List): number[] {
  let number = 0
  return list.map(({ part }, index) => {
    if (index === 0 || !part.parallel) number += 1
    return number
  })
}
