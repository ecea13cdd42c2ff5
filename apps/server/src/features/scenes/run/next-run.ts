import { makeCron } from '@ithings/contract/cron.ts'
import type { SceneTrigger } from '@ithings/contract/rules/scene-parts.ts'

/** The first moment after `after` (ms) in the zone of this process; null: it has no timer, or it is over for good. */
export function nextRun({ timer }: Pick<SceneTrigger, 'timer'>, after: number): number | null {
  return timer ? (makeCron(timer.cron).nextRun(new Date(after))?.getTime() ?? null) : null
}
