/**
 * The one cron check of console and server (spec 5, decisions.md 2 "Cron"): exactly 6 fields, taken by cron-validator
 * with seconds, aliases, blank day and 7 as Sunday, taken by the scheduler too, and with a next run.
 */
import { isValidCron } from 'cron-validator'
import { Cron } from 'croner'

/** spec 5: the three messages. */
export const cronMessages = {
  empty: '请输入 cron 表达式',
  valid: '有效 Cron 表达式',
  invalid: '无效 Cron 表达式',
} as const

/** spec 9: a cron expression has exactly 6 fields. */
export const cronFields = 6
const shownRuns = 5

export type CronVerdict = { ok: true; message: string; next: Date[] } | { ok: false; message: string }

const refused = (message: string): CronVerdict => ({ ok: false, message })

export interface CronOptions {
  /** Runs after this moment; default now. */
  from?: Date
  /** IANA zone the expression is meant in; default the zone of this process. */
  timezone?: string
  /** How many next runs to give. */
  runs?: number
}

/**
 * The scheduler with our rules: both day fields set = either (croner's default, stated here because it matters).
 * Made paused: nothing is started by looking at an expression.
 */
export const makeCron = (expression: string, timezone?: string): Cron =>
  new Cron(expression.trim(), { paused: true, domAndDow: false, mode: '6-part', ...(timezone && { timezone }) })

export function checkCron(text: string | null | undefined, options: CronOptions = {}): CronVerdict {
  const expression = text?.trim() ?? ''
  if (expression === '') return refused(cronMessages.empty)
  if (expression.split(/\s+/).length !== cronFields) return refused(cronMessages.invalid)
  const accepted = isValidCron(expression, {
    seconds: true,
    alias: true,
    allowBlankDay: true,
    allowSevenAsSunday: true,
  })
  if (!accepted) return refused(cronMessages.invalid)
  try {
    const next = makeCron(expression, options.timezone).nextRuns(options.runs ?? shownRuns, options.from ?? new Date())
    return next.length > 0 ? { ok: true, message: cronMessages.valid, next } : refused(cronMessages.invalid)
  } catch {
    // The scheduler disagrees with the validator (a step of 90, for example): what cannot be run is not valid.
    return refused(cronMessages.invalid)
  }
}
