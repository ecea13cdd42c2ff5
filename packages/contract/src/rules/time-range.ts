/**
 * Times as a condition (rules.md 3): a cron read as a range, and ours from a clock time to another. Meant in the zone
 * of the server (process), or in one that is named.
 */
import { Cron } from 'croner'
import { cronFields } from '../cron.ts'
import type { ColumnTime } from './scene-parts.ts'

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

interface WallClock {
  /** Of the day. */
  minute: number
  /** 1 Monday to 7 Sunday. */
  weekday: number
}

const isoWeekday = (day: number) => (day === 0 ? 7 : day)

/** What a clock on the wall says: hours that summer time skips never come, those that it repeats come twice. */
function makeWallClock(timezone: string | undefined): (at: number) => WallClock {
  if (timezone === undefined)
    return (at) => {
      const date = new Date(at)
      return { minute: date.getHours() * 60 + date.getMinutes(), weekday: isoWeekday(date.getDay()) }
    }
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'short',
  })
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return {
      minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
      weekday: isoWeekday(days.indexOf(parts.get('weekday') ?? '')),
    }
  }
}

/** rules.md 3: the day of the week may be left out. */
function withWeekday(expression: string): string {
  const fields = expression.trim().split(/\s+/)
  return fields.length === cronFields - 1 ? [...fields, '*'].join(' ') : fields.join(' ')
}

/** Every field must match: other than for a schedule, day of month and day of week together mean both. */
function compileCronRange(expression: string, timezone: string | undefined): ((at: number) => boolean) | undefined {
  try {
    const cron = new Cron(withWeekday(expression), {
      paused: true,
      domAndDow: true,
      mode: '6-part',
      ...(timezone && { timezone }),
    })
    cron.match(new Date(0))
    return (at) => cron.match(new Date(at))
  } catch {
    return undefined
  }
}

/** @returns undefined when the expression cannot be read */
export function compileColumnTime(time: ColumnTime, timezone?: string): ((at: number) => boolean) | undefined {
  if (time.type === 'cron') return compileCronRange(time.cron, timezone)
  const start = minutesOf(time.start)
  const end = minutesOf(time.end)
  const days = new Set(time.weekdays)
  const onDay = (weekday: number) => days.size === 0 || days.has(weekday)
  const wallClock = makeWallClock(timezone)
  return (at) => {
    const { minute, weekday } = wallClock(at)
    if (start < end) return minute >= start && minute < end && onDay(weekday)
    // Over midnight: the hours after it belong to the day on which the range began.
    if (minute >= start) return onDay(weekday)
    return minute < end && onDay(weekday === 1 ? 7 : weekday - 1)
  }
}

/** As it was written, for messages about what cannot be read. */
export const columnTimeText = (time: ColumnTime): string =>
  time.type === 'cron' ? time.cron : `${time.start}–${time.end}`
