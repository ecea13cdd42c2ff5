import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DateRange } from '@ithings/contract/features/logs.ts'

const isDay = (text: string): boolean => text.includes('-')

/** A day covers its whole 24 hours of the server's time zone; milliseconds are exact. `[from, to)` */
function toInstant(text: string, edge: 'start' | 'end'): Date {
  if (!isDay(text)) return new Date(text.length <= 10 ? Number(text) * 1000 : Number(text))
  const [year, month, day] = text.split('-').map(Number)
  const instant = new Date(year ?? 0, (month ?? 1) - 1, (day ?? 1) + (edge === 'end' ? 1 : 0))
  if (Number.isNaN(instant.getTime()) || instant.getTime() > 8.64e15) {
    throw new AppError(errors.parameter, { detail: `日期 ${text} 不正确` })
  }
  return instant
}

export function toInstants(range: DateRange): { from: Date | undefined; to: Date | undefined } {
  const from = range?.start ? toInstant(range.start, 'start') : undefined
  const to = range?.end && range.end !== '0' ? toInstant(range.end, 'end') : undefined
  if (from && to && from > to) throw new AppError(errors.parameter, { detail: '开始时间不能晚于结束时间' })
  return { from, to }
}
