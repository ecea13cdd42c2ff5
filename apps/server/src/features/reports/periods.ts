/** When a report comes and which period it tells of. Pure; days follow the clocks of the report's zone. */
import { makeCron } from '@ithings/contract/cron.ts'
import { dayMs } from '@ithings/contract/durations.ts'
import { type ReportPlan, ReportSchedule } from '@ithings/contract/features/reports.ts'
import { localZone, makeDays } from '@ithings/contract/zone-days.ts'

export type Timing = Pick<ReportPlan, 'schedule' | 'time' | 'weekday' | 'monthDay' | 'cron' | 'timeZone'>

/** [from, to), milliseconds. */
export interface Period {
  from: number
  to: number
}

export const zoneOf = ({ timeZone }: Pick<Timing, 'timeZone'>): string => timeZone || localZone()

/** Every schedule is a cron expression. */
function expressionOf({ schedule, time, weekday, monthDay, cron }: Timing): string {
  const [hour, minute] = time.split(':').map(Number)
  const at = `0 ${minute} ${hour}`
  if (schedule === ReportSchedule.daily) return `${at} * * *`
  if (schedule === ReportSchedule.weekly) return `${at} * * ${weekday % 7}`
  if (schedule === ReportSchedule.monthly) return `${at} ${monthDay} * *`
  return cron
}

const cronOf = (timing: Timing) => makeCron(expressionOf(timing), zoneOf(timing))

/** The first moment after `after`; null: there is none any more. */
export const nextMoment = (timing: Timing, after: number): number | null =>
  cronOf(timing).nextRun(new Date(after))?.getTime() ?? null

/** The last moment at or before `now`: of several that were missed the newest. */
export function lastMoment(timing: Timing, now: number): number | undefined {
  // Those before a moment, which has no milliseconds.
  return cronOf(timing)
    .previousRuns(1, new Date(Math.floor(now / 1000) * 1000 + 1000))[0]
    ?.getTime()
}

/** Days since 1970-01-01 of the first day of the month `months` away from that of `day`. */
function firstOfMonth(day: number, months: number): number {
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMs
}

/** 1970-01-01 was a Thursday. */
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

/** The day, the week from Monday on, or the month before the moment; of cron the time since the moment before it. */
export function periodOf(timing: Timing, at: number): Period {
  const { beginOf, dayAt } = makeDays(zoneOf(timing))
  const { day } = dayAt(at)
  if (timing.schedule === ReportSchedule.daily) return { from: beginOf(day - 1), to: beginOf(day) }
  if (timing.schedule === ReportSchedule.weekly) {
    const monday = mondayOf(day)
    return { from: beginOf(monday - 7), to: beginOf(monday) }
  }
  if (timing.schedule === ReportSchedule.monthly) {
    return { from: beginOf(firstOfMonth(day, -1)), to: beginOf(firstOfMonth(day, 0)) }
  }
  const before = cronOf(timing).previousRuns(1, new Date(at))[0]?.getTime()
  return { from: before ?? at - dayMs, to: at }
}

/** Of a preview, or of a run without a period: as the schedule would have told last. */
export const lastPeriod = (timing: Timing, now: number): Period => periodOf(timing, lastMoment(timing, now) ?? now)

/** 2026-11-16 08:00, as the clocks of that zone show it. */
export function makeTimeText(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (time) => format.format(time)
}
