/** When a task comes next. */
import { makeCron } from '@ithings/contract/cron.ts'
import { type TaskInput, TaskSchedule } from '@ithings/contract/features/tasks.ts'

export type Timing = Pick<TaskInput, 'scheduleType' | 'runAt' | 'cron' | 'validStart' | 'validEnd'>

/**
 * The first moment (ms) after `after`; null: none any more. A cron counts inside its validity only, both ends
 * included, in the zone of this process.
 */
export function nextTime(timing: Timing, after: number): number | null {
  const { scheduleType, runAt, cron, validStart, validEnd } = timing
  if (scheduleType === TaskSchedule.once) return runAt ? runAt * 1000 : null
  if (scheduleType !== TaskSchedule.cron || !cron) return null
  const from = Math.max(after, validStart * 1000 - 1)
  const next = makeCron(cron).nextRun(new Date(from))?.getTime()
  return next === undefined || (validEnd > 0 && next > validEnd * 1000) ? null : next
}
