/** Steps of the large screen. */
import { minuteMs } from '@ithings/contract/durations.ts'

/** Of home_alarm; every midnight of the world lies between two. */
export const alarmStepMs = 5 * minuteMs

/** At most about 360 points. */
export function stepOf(kind: 'online' | 'message' | 'alarm', hours: number): number {
  const minutes = hours <= 6 ? 1 : hours <= 24 ? 5 : hours <= 72 ? 15 : 30
  const least = kind === 'alarm' ? (hours <= 6 ? 5 : 10) : 1
  return Math.max(minutes, least) * minuteMs
}
