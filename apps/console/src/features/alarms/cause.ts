/** What an occurrence saw: the `serial` of its log, which may be empty or no JSON at all (rules.md 5). Pure. */

import { type AlarmCause, alarmCause } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'

/** undefined: nothing that could be read; the raw text is shown instead. */
export function parseCause(serial: string | null | undefined): AlarmCause | undefined {
  if (!serial) return undefined
  try {
    return alarmCause.safeParse(JSON.parse(serial)).data
  } catch {
    return undefined
  }
}

/** The value with the limit it was compared with, as the log table shows it. */
export function causeValue(cause: AlarmCause | undefined): string {
  const value = cause?.value ?? ''
  const limit = cause?.threshold?.join(' ~ ') ?? ''
  if (!value) return ''
  return limit ? t('{value}（阈值 {limit}）', { value, limit }) : value
}

/** The number in what was seen, which may carry its unit; undefined: it is none. */
export function seenNumber(cause: AlarmCause | undefined): number | undefined {
  const seen = Number.parseFloat(cause?.value ?? '')
  return Number.isFinite(seen) ? seen : undefined
}

/** Limits that can be drawn. */
export const limitsOf = (cause: AlarmCause | undefined): number[] =>
  (cause?.threshold ?? []).flatMap((text) => {
    const limit = text.trim() === '' ? Number.NaN : Number(text)
    return Number.isFinite(limit) ? [limit] : []
  })
