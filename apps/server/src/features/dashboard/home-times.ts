import { minuteMs } from '@ithings/contract/durations.ts'

/** Of home_alarm; every midnight of the world lies between two. */
export const alarmStepMs = 5 * minuteMs

/** Beginning of the day, so many days before that of `now`; summer time makes days longer and shorter. */
export function dayStart(now: number, daysBefore = 0): number {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - daysBefore)
  return day.getTime()
}

/** 2026-11-15 */
export function dayName(at: number): string {
  const day = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** At most about 360 points. */
export function stepOf(kind: 'online' | 'message' | 'alarm', hours: number): number {
  const minutes = hours <= 6 ? 1 : hours <= 24 ? 5 : hours <= 72 ? 15 : 30
  const least = kind === 'alarm' ? (hours <= 6 ? 5 : 10) : 1
  return Math.max(minutes, least) * minuteMs
}
