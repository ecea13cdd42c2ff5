// Loaded on demand: the validator, the scheduler and the reading are only needed where a schedule is edited.
import { type CronVerdict, checkCron } from '@ithings/contract/cron.ts'
import { cronWords } from '@ithings/contract/rules/describe-cron.ts'
import type { Language } from '@ithings/contract/text.ts'
import cronstrue from 'cronstrue'
import 'cronstrue/locales/zh_CN.js'
import { readLanguage } from '#language/language.ts'

const localeOf = { zh: 'zh_CN', en: 'en' } as const satisfies Record<Language, string>

export interface CronReading {
  verdict: CronVerdict
  /** The expression in words; absent when it cannot be read. */
  words?: string
}

export function readCron(text: string, timezone?: string, language: Language = readLanguage()): CronReading {
  const verdict = checkCron(text, timezone === undefined ? {} : { timezone })
  if (!verdict.ok) return { verdict }
  const words = cronWords(text)
  if (words) return { verdict, words }
  try {
    return {
      verdict,
      words: cronstrue.toString(text.trim(), { locale: localeOf[language], use24HourTimeFormat: true }),
    }
  } catch {
    return { verdict }
  }
}
