/** Days of a time zone: they follow its clocks, summer time included. */
import { dayMs, hourMs } from './durations.ts'

/** IANA name of the zone of this process: of the server, or of who looks at a page. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Milliseconds that the clocks of the zone are ahead of UTC at that moment. */
function makeOffset(timeZone: string): (time: number) => number {
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (time) => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(time)) parts[type] = Number(value)
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
  }
}

/** Local days by number; the moment a day begins is looked for once. */
export function makeDays(timeZone: string) {
  const offset = makeOffset(timeZone)
  const begins = new Map<number, number>()
  const beginOf = (day: number): number => {
    const known = begins.get(day)
    if (known !== undefined) return known
    const local = day * dayMs
    let begin = local - offset(local)
    begin = local - offset(begin)
    // Where the clocks jump over midnight the day begins at the jump.
    if (Math.floor((begin + offset(begin)) / dayMs) < day) begin += hourMs
    if (begins.size > 10_000) begins.clear()
    begins.set(day, begin)
    return begin
  }
  let last = { day: 0, start: 0, end: 0 }
  const dayAt = (time: number) => {
    if (time >= last.start && time < last.end) return last
    let day = Math.floor((time + offset(time)) / dayMs)
    if (time < beginOf(day)) day -= 1
    else if (time >= beginOf(day + 1)) day += 1
    last = { day, start: beginOf(day), end: beginOf(day + 1) }
    return last
  }
  return { beginOf, dayAt }
}

/** The last days in that zone, oldest first and the one of `now` at the end; none of them includes its end. */
export function lastDays(now: number, count: number, timeZone: string): { day: string; start: number; end: number }[] {
  const { beginOf, dayAt } = makeDays(timeZone)
  const first = dayAt(now).day - count + 1
  return Array.from({ length: count }, (_, index) => {
    const day = first + index
    return { day: new Date(day * dayMs).toISOString().slice(0, 10), start: beginOf(day), end: beginOf(day + 1) }
  })
}

export const dayStart = (now: number, timeZone: string): number => makeDays(timeZone).dayAt(now).start

/** UTC+8, UTC-3:30: how far a zone is off, for sentences. */
export function zoneOffset(timeZone: string, at = new Date()): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? 'UTC'
  return offset === 'UTC' ? 'UTC+0' : offset
}
