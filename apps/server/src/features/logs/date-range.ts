import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DateRange } from '@ithings/contract/features/logs.ts'

const isDay = (text: string): boolean => text.includes('-')

const wrong = (text: string) => new AppError(errors.parameter, { detail: `日期 ${text} 不正确` })

/** Seconds are accepted too: existing consoles send either (http-api.md 1 "Time fields"). */
function fromNumber(text: string): Date {
  const instant = new Date(text.length <= 10 ? Number(text) * 1000 : Number(text))
  if (Number.isNaN(instant.getTime())) throw wrong(text)
  return instant
}

/** A day covers its whole 24 hours of the server's time zone; milliseconds are exact. `[from, to)` */
function toInstant(text: string, edge: 'start' | 'end'): Date {
  if (!isDay(text)) return fromNumber(text)
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const start = new Date(year, month - 1, day)
  // 31 February would quietly become 3 March.
  if (start.getMonth() + 1 !== month || start.getDate() !== day) throw wrong(text)
  return edge === 'end' ? new Date(year, month - 1, day + 1) : start
}

export function toInstants(range: DateRange): { from: Date | undefined; to: Date | undefined } {
  const from = range?.start ? toInstant(range.start, 'start') : undefined
  // 0 is "until now" (http-api.md 1 "Time fields").
  const end = range?.end && range.end !== '0' ? range.end : undefined
  if (from && end && from > toInstant(end, 'start')) {
    throw new AppError(errors.parameter, { detail: '开始时间不能晚于结束时间' })
  }
  return { from, to: end ? toInstant(end, 'end') : undefined }
}
