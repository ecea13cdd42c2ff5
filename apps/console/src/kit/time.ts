import { hourMs, minuteMs } from '@ithings/contract/durations.ts'
import { t } from '@ithings/contract/text.ts'
import dayjs, { type Dayjs } from 'dayjs'

/** A time of the wire: seconds or milliseconds, as a number or a digit string. */
export type WireTime = number | string | null | undefined

// The wire mixes seconds and milliseconds. Below 1e11 a value is seconds (year 5138), above it milliseconds (1973).
const secondsBelow = 100_000_000_000

/** Milliseconds since 1970, or undefined when there is no time: 0, empty, or not a number. */
export function toMillis(time: WireTime): number | undefined {
  if (time === null || time === undefined || time === '') return undefined
  const value = Number(time)
  if (!Number.isFinite(value) || value <= 0) return undefined
  return value < secondsBelow ? value * 1000 : value
}

export const exactFormat = 'YYYY-MM-DD HH:mm:ss'
export const logFormat = 'YYYY-MM-DD HH:mm:ss.SSS'

export function formatTime(time: WireTime, format: string = exactFormat): string {
  const at = toMillis(time)
  return at === undefined ? '—' : dayjs(at).format(format)
}

export const clockTime = (at: number): string => dayjs(at).format('HH:mm:ss')

/** look.md "Time": "3 分钟前", 昨天 21:07, and the date once it is older; future times read 后. */
export function relativeTime(time: WireTime, now: number = Date.now()): string {
  const at = toMillis(time)
  if (at === undefined) return '—'
  const ago = now - at
  const size = Math.abs(ago)
  const past = ago > 0
  if (size < 1000) return t('刚刚')
  if (size < minuteMs) {
    const count = Math.floor(size / 1000)
    return past ? t('{count} 秒前', { count }) : t('{count} 秒后', { count })
  }
  if (size < hourMs) {
    const count = Math.floor(size / minuteMs)
    return past ? t('{count} 分钟前', { count }) : t('{count} 分钟后', { count })
  }
  const day: Dayjs = dayjs(at)
  const today = dayjs(now)
  if (day.isSame(today, 'day')) {
    const count = Math.floor(size / hourMs)
    return past ? t('{count} 小时前', { count }) : t('{count} 小时后', { count })
  }
  if (day.isSame(today.subtract(1, 'day'), 'day')) return t('昨天 {time}', { time: day.format('HH:mm') })
  if (day.isSame(today.add(1, 'day'), 'day')) return t('明天 {time}', { time: day.format('HH:mm') })
  return day.isSame(today, 'year') ? day.format('MM-DD HH:mm') : day.format('YYYY-MM-DD HH:mm')
}

/** How long the relative text stays true: it sets the pace of the next repaint. */
export function relativePace(time: WireTime, now: number = Date.now()): number {
  const at = toMillis(time)
  if (at === undefined) return hourMs
  const size = Math.abs(now - at)
  if (size < minuteMs) return 1000
  return size < hourMs ? minuteMs / 2 : hourMs / 4
}

/** The zone, shown wherever a schedule is set; default the viewer's. */
export function zoneLabel(at: Date = new Date(), timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en', { ...(timeZone && { timeZone }), timeZoneName: 'longOffset' })
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return t('{timeZone}（UTC{offset}）', {
    timeZone: format.resolvedOptions().timeZone,
    offset: offset.slice(3) || '+00:00',
  })
}
