/** Where a bucket begins and ends. Days and their parts follow the clocks of the time zone, summer time included. */
import { dayMs } from '@ithings/contract/durations.ts'

export interface BucketBounds {
  start: number
  end: number
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
function makeDays(timeZone: string) {
  const offset = makeOffset(timeZone)
  const begins = new Map<number, number>()
  const beginOf = (day: number): number => {
    const known = begins.get(day)
    if (known !== undefined) return known
    const local = day * dayMs
    let begin = local - offset(local)
    begin = local - offset(begin)
    // Where the clocks jump over midnight the day begins at the jump.
    if (Math.floor((begin + offset(begin)) / dayMs) < day) begin += 3_600_000
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

/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
const mondayShift = 3

export function makeBucketClock(interval: number, timeZone: string): (time: number) => BucketBounds {
  if (interval % dayMs === 0) {
    const { beginOf, dayAt } = makeDays(timeZone)
    const days = interval / dayMs
    const shift = days % 7 === 0 ? mondayShift : 0
    return (time) => {
      const first = Math.floor((dayAt(time).day + shift) / days) * days - shift
      return { start: beginOf(first), end: beginOf(first + days) }
    }
  }
  if (dayMs % interval === 0) {
    const { dayAt } = makeDays(timeZone)
    return (time) => {
      const day = dayAt(time)
      const start = day.start + Math.floor((time - day.start) / interval) * interval
      return { start, end: Math.min(start + interval, day.end) }
    }
  }
  // Does not fit into days, so no midnight can be its border.
  return (time) => {
    const start = Math.floor(time / interval) * interval
    return { start, end: start + interval }
  }
}
