// Loaded on demand: the validator, the scheduler and the Chinese reading are only needed where a schedule is edited.
import { type CronVerdict, checkCron } from '@ithings/contract/cron.ts'
import { cronWords } from '@ithings/contract/rules/describe-cron.ts'
import cronstrue from 'cronstrue'
import 'cronstrue/locales/zh_CN.js'

export interface CronReading {
  verdict: CronVerdict
  /** The expression in words; absent when it cannot be read. */
  words?: string
}

export function readCron(text: string, timezone?: string): CronReading {
  const verdict = checkCron(text, timezone === undefined ? {} : { timezone })
  if (!verdict.ok) return { verdict }
  const words = cronWords(text)
  if (words) return { verdict, words }
  try {
    return { verdict, words: cronstrue.toString(text.trim(), { locale: 'zh_CN', use24HourTimeFormat: true }) }
  } catch {
    return { verdict }
  }
}
