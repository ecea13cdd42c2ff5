/** When a scene can be tried, and what a result is about. Pure. */
import type { Fault } from './check-draft.ts'
import { type SceneDraft, textsOf } from './draft.ts'

/** A result belongs to the rule that was tried: it goes when the rule changes, and stays when it is saved. */
export const trialKey = (draft: SceneDraft): string => JSON.stringify(textsOf(draft))

interface Findings {
  faults: readonly Fault[]
  refusals: readonly Fault[]
}

/** Why this cannot be tried. Actions that the platform refuses are not run here, what it judges by must be whole. */
export function trialBlock({ faults, refusals }: Findings, work: string): string | undefined {
  const open = [...faults, ...refusals.filter(({ part }) => part !== 'action')]
  const [first] = open
  if (!first) return undefined
  return `${first.place}：${first.text}${open.length > 1 ? `，等 ${open.length} 处` : ''}。补全后才能${work}`
}
