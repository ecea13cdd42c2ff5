import { dayMs } from '@ithings/contract/durations.ts'
import { backtestLimits, type Firing } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import type { Fault } from './check-draft.ts'
import { type SceneDraft, textsOf } from './draft.ts'

/** A result belongs to the rule that was tried: it goes when the rule changes, and stays when it is saved. */
export const trialKey = (draft: SceneDraft): string => JSON.stringify(textsOf(draft))

/** The scene as a trial gets it: unsaved, with the id of the saved one beside it. */
export const trialScene = ({ draft, scene }: { draft: SceneDraft; scene: { id: number } | undefined }) => ({
  name: draft.name.slice(0, 64),
  ...textsOf(draft),
  ...(scene && { id: scene.id }),
})

interface Findings {
  faults: readonly Fault[]
  refusals: readonly Fault[]
}

/** Why this cannot be tried. Actions that the platform refuses are not run here, what it judges by must be whole. */
export function trialBlock({ faults, refusals }: Findings, work: string): string | undefined {
  const open = [...faults, ...refusals.filter(({ part }) => part !== 'action')]
  const [first] = open
  if (!first) return undefined
  const { place, text } = first
  return open.length > 1
    ? t('{place}：{text}，等 {count} 处。补全后才能{work}', { place, text, count: open.length, work })
    : t('{place}：{text}。补全后才能{work}', { place, text, work })
}

export const backtestDays = [1, 3, 7, 30, backtestLimits.days] as const

export const lastDays = (days: number, now: number): { timeStart: number; timeEnd: number } => ({
  timeStart: now - days * dayMs,
  timeEnd: now,
})

/** Why a range of one's own choice cannot be replayed, or undefined. */
export function rangeProblem(from: number, to: number): string | undefined {
  if (to <= from) return t('结束时间须晚于开始时间')
  return to - from > backtestLimits.days * dayMs ? t('最多回测 {count} 天', { count: backtestLimits.days }) : undefined
}

/** 3 天, 12 小时: the length of a range for a headline. */
export function spanText(from: number, to: number): string {
  const hours = Math.round((to - from) / 3_600_000)
  return hours >= 24
    ? t('{count} 天', { count: Math.round(hours / 24) })
    : t('{count} 小时', { count: Math.max(1, hours) })
}

/** What the trigger and the conditions saw, in one line. */
export const seenText = ({ values }: Pick<Firing, 'values'>): string =>
  Object.values(values).filter(Boolean).join(' · ')
