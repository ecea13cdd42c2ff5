/** When a scene can be tried, and what a result is about. Pure. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import type { Fault } from './check-draft.ts'
import { type SceneDraft, textsOf } from './draft.ts'

/** A result belongs to the rule that was tried and to the saved one beside it: it goes when either changes. */
export const trialKey = (draft: SceneDraft, scene: Pick<Scene, 'rev'> | undefined): string =>
  JSON.stringify([textsOf(draft), scene?.rev])

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
