// Loaded on demand: the validator, the scheduler and the Chinese reading are only needed where a schedule is edited.
import { type CronVerdict, checkCron } from '@ithings/contract/cron.ts'
import cronstrue from 'cronstrue'
import 'cronstrue/locales/zh_CN.js'
import { planWords, readPlan } from './cron-plan.ts'

export interface CronReading {
  verdict: CronVerdict
  /** The expression in words; absent when it cannot be read. */
  words?: string
}

export function readCron(text: string, timezone?: string): CronReading {
  const verdict = checkCron(text, timezone === undefined ? {} : { timezone })
  if (!verdict.ok) return { verdict }
  const plan = readPlan(text)
  if (plan) return { verdict, words: planWords(plan) }
  try {
    return { verdict, words: cronstrue.toString(text.trim(), { locale: 'zh_CN', use24HourTimeFormat: true }) }
  } catch {
    return { verdict }
  }
}
