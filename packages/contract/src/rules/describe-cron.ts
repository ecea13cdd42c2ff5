/** Cron expressions in words: the common forms; what is none of them is shown as it is. */

import { t } from '#text.ts'
import type { SentencePart } from './sentence.ts'

/** Monday to Sunday, behind 周 or 星期. */
export const weekdayNames = ['一', '二', '三', '四', '五', '六', '日'] as const
const dayAliases = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

const two = (value: number | string) => String(value).padStart(2, '0')
const whole = (text: string) => (/^\d{1,2}$/.test(text) ? Number(text) : undefined)
const anyDay = (text: string) => text === '*' || text === '?'

const ascending = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b)

/** The ends of three or more numbers without a gap. */
function runOf(sorted: readonly number[]): [first: number, last: number] | undefined {
  const [first = 0] = sorted
  const last = sorted.at(-1) ?? first
  return sorted.length > 2 && last - first + 1 === sorted.length ? [first, last] : undefined
}

/** 1 Monday to 7 Sunday: "周一至周五", "周一、三". */
export function weekdaysText(days: readonly number[]): string {
  return runText(days) ?? t('周{days}', { days: namesText(days) })
}

const weekdayName = (day: number) => t(weekdayNames[day - 1] ?? String(day))
const namesText = (days: readonly number[]) => ascending(days).map(weekdayName).join(t('、'))

/** `context` "at": a time of day follows. */
function runText(days: readonly number[], context?: 'at'): string | undefined {
  const run = runOf(ascending(days))
  return run && t('周{first}至周{last}', { first: weekdayName(run[0]), last: weekdayName(run[1]), context })
}

/** "1、15", "1 至 15". */
function listText(numbers: readonly number[]): string {
  const sorted = ascending(numbers)
  return runOf(sorted)?.join(t(' 至 ')) ?? sorted.join(t('、'))
}

/** A list of numbers and ranges, without steps; undefined when it is anything else. */
function numbersOf(text: string, read: (one: string) => number | undefined): number[] | undefined {
  const found: number[] = []
  for (const item of text.split(',')) {
    const [from = '', to = from, more] = item.split('-')
    const start = read(from)
    const end = read(to)
    if (start === undefined || end === undefined || more !== undefined || end < start) return undefined
    for (let value = start; value <= end; value++) found.push(value)
  }
  return found
}

const readDay = (text: string): number | undefined => {
  const alias = dayAliases.indexOf(text.toUpperCase())
  return alias >= 0 ? alias + 1 : whole(text)
}

/** Sunday is 0 and 7; a range that starts at Sunday is written 0-n. */
const weekdaysOf = (text: string): number[] | undefined => numbersOf(text, readDay)?.map((day) => (day === 0 ? 7 : day))

interface Days {
  text: string
  daily?: boolean
}

/** "每天", "周一至周五", "每月 1、15 日", "每年 3 月 1 日"; undefined when the fields say something rarer. */
function daysText(day: string, month: string, week: string, context?: 'at'): Days | undefined {
  if (anyDay(day) && month === '*') {
    const days = anyDay(week) ? [1, 2, 3, 4, 5, 6, 7] : weekdaysOf(week)
    if (!days) return undefined
    if (new Set(days).size === 7) return { text: t('每天', { context }), daily: true }
    return { text: runText(days, context) ?? t('每周{days}', { days: namesText(days), context }) }
  }
  const days = anyDay(week) ? numbersOf(day, whole) : undefined
  if (days === undefined) return undefined
  if (month === '*') return { text: t('每月 {days} 日', { days: listText(days), context }) }
  const months = numbersOf(month, whole)
  return (
    months && { text: t('每年 {months} 月 {days} 日', { months: listText(months), days: listText(days), context }) }
  )
}

const stepOf = (text: string): number | undefined => {
  const found = /^\*\/(\d{1,2})$/.exec(text)
  return found?.[1] ? Number(found[1]) : undefined
}

/** "每 5 分钟": what repeats within the hour or day. */
function everyText(second: string, minute: string, hour: string): string | 0 | undefined {
  if (minute === '*' && hour === '*') {
    const count = second === '*' ? 1 : stepOf(second)
    if (whole(second) === 0) return t('每分钟')
    return count && (count === 1 ? t('每秒') : t('每 {count} 秒', { count }))
  }
  if (whole(second) !== 0) return undefined
  if (hour === '*') {
    const at = whole(minute)
    if (at !== undefined) return at === 0 ? t('每小时') : t('每小时第 {at} 分钟', { at })
    const count = stepOf(minute)
    return count && (count === 1 ? t('每分钟') : t('每 {count} 分钟', { count }))
  }
  const count = whole(minute) === 0 ? stepOf(hour) : undefined
  return count && (count === 1 ? t('每小时') : t('每 {count} 小时', { count }))
}

/** "08:00:00", where zero seconds are not wanted "08:00"; several hours: "08:00、12:00". */
function timesText(second: string, minute: string, hour: string, zeroSeconds: boolean): string | undefined {
  const s = whole(second)
  const m = whole(minute)
  const hours = numbersOf(hour, whole)
  if (s === undefined || m === undefined || !hours || hours.length > 6) return undefined
  const seconds = s === 0 && (hours.length > 1 || !zeroSeconds) ? '' : `:${two(s)}`
  return hours.map((h) => `${two(h)}:${two(m)}${seconds}`).join(t('、'))
}

/** `isClock`: at times of day, not at intervals. */
function readingOf(expression: string, zeroSeconds: boolean) {
  const fields = expression.trim().split(/\s+/)
  const [second = '', minute = '', hour = '', day = '', month = '', week = ''] = fields
  const every = everyText(second, minute, hour) || undefined
  const days = fields.length === 6 ? daysText(day, month, week, every ? undefined : 'at') : undefined
  const time = every ?? timesText(second, minute, hour, zeroSeconds)
  if (days === undefined || time === undefined) return undefined
  return { days: every && days.daily ? '' : `${days.text} `, time, isClock: every === undefined }
}

/** When a timer runs: "周一至周五 **06:30:00**". */
export function cronSentence(expression: string, zone?: string): SentencePart[] {
  const asItIs = { days: 'cron ', time: expression.trim(), isClock: true }
  const { days, time, isClock } = readingOf(expression, true) ?? asItIs
  const parts: SentencePart[] = days ? [{ text: days }] : []
  parts.push({ text: time, strong: true })
  if (zone && isClock) parts.push({ text: t('（{zone}）', { zone }) })
  return parts
}

/** The same for a line of text: "周一至周五 06:30"; undefined when there is no short reading. */
export function cronWords(expression: string): string | undefined {
  const reading = readingOf(expression, false)
  const words = reading && reading.days + reading.time
  return words && words.charAt(0).toUpperCase() + words.slice(1)
}

/** A cron as a stretch of time (rules.md 3: true when now matches every field): "工作日 09:00–17:59". */
export function cronRangeText(expression: string): string {
  const [second = '', minute = '', hour = '', day = '*', month = '*', week = '*'] = expression.trim().split(/\s+/)
  const days = daysText(day, month, week)
  const clock = second === '*' && days !== undefined ? stretchText(minute, hour) : undefined
  if (clock === undefined || days === undefined)
    return t('时间符合 cron {expression}', { expression: expression.trim() })
  if (days.daily) return clock || t('任何时间')
  return clock ? `${days.text} ${clock}` : days.text
}

/** '' is the whole day. */
function stretchText(minute: string, hour: string): string | undefined {
  if (minute === '*' && hour === '*') return ''
  const ends = (text: string) => (/^\d{1,2}(-\d{1,2})?$/.test(text) ? text.split('-').map(Number) : undefined)
  const hours = ends(hour)
  const minutes = minute === '*' ? [0, 59] : ends(minute)
  const [from, to = from] = hours ?? []
  const [start, end = start] = minutes ?? []
  if (from === undefined || start === undefined || (minute !== '*' && from !== to)) return undefined
  return `${two(from)}:${two(start)}–${two(to ?? from)}:${two(end ?? start)}`
}
