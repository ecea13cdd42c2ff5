/** What open runs send, remembered for a moment: a run asks for each of its devices, and no task is edited meanwhile. */
import type { TaskInput } from '@ithings/contract/features/tasks.ts'
import { sql } from 'kysely'
import type { TasksKit } from './tasks-kit.ts'

export type SentPlan = Omit<TaskInput, 'deviceNames'>
export type PlanBook = (run: { runID: number; ownerID: number }) => Promise<SentPlan | undefined>

const freshMs = 5_000
const most = 200

export function makePlanBook({ db, clock }: Pick<TasksKit, 'db' | 'clock'>): PlanBook {
  const known = new Map<number, { plan: Promise<SentPlan | undefined>; at: number }>()
  const load = async (taskID: number) => {
    const { rows } = await sql<{ plan: SentPlan }>`
      select plan - 'deviceNames' as plan from device_task where task_id = ${taskID}`.execute(db)
    return rows[0]?.plan
  }
  return ({ runID, ownerID }) => {
    const now = clock.now()
    const before = known.get(runID)
    if (before && now - before.at < freshMs) return before.plan
    const plan = load(ownerID)
    plan.catch(() => known.delete(runID))
    known.delete(runID)
    for (const oldest of known.keys()) {
      if (known.size < most) break
      known.delete(oldest)
    }
    known.set(runID, { plan, at: now })
    return plan
  }
}
