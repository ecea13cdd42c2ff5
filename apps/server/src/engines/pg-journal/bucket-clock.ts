/** Where a bucket begins and ends. Days and their parts follow the clocks of the time zone, summer time included. */
import { dayMs } from '@ithings/contract/durations.ts'
import { makeDays } from '@ithings/contract/zone-days.ts'

export interface BucketBounds {
  start: number
  end: number
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
