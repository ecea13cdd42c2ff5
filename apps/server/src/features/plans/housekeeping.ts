import { dayMs } from '@ithings/contract/durations.ts'
import { PlanState, planLifeDays } from '@ithings/contract/features/plans.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const keptDays = 365

/** What was proposed before then waits no longer. */
export const expiryOf = (now: number): Date => new Date(now - planLifeDays * dayMs)

/** Proposals that nobody decided on expire; what is over goes after a year. */
export async function dropOldPlans(db: Db, clock: Clock): Promise<number> {
  const now = clock.now()
  await db
    .updateTable('config_plan')
    .set({ state: PlanState.expired })
    .where('state', '=', PlanState.proposed)
    .where('created_at', '<', expiryOf(now))
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('config_plan')
    .where('created_at', '<', new Date(now - keptDays * dayMs))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
