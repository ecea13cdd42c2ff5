/** What open runs send, remembered for a moment: a run asks for each of its devices, and no task is edited meanwhile. */
import type { TaskInput } from '@ithings/contract/features/tasks.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { TasksKit } from './tasks-kit.ts'

export type SentPlan = Omit<TaskInput, 'deviceNames'>
/** @param db of whoever holds a transaction: waiting for a second connection could be for ever */
export type PlanBook = (run: { runID: number; ownerID: number }, db?: Db) => Promise<SentPlan | undefined>

const freshMs = 5_000
const most = 200

export function makePlanBook({ db: pool, clock }: Pick<TasksKit, 'db' | 'clock'>): PlanBook {
  const known = new Map<number, { plan: Promise<SentPlan | undefined>; at: number }>()
  const load = async (db: Db, taskID: number) => {
    const { rows } = await sql<{ plan: SentPlan }>`
      select plan - 'deviceNames' as plan from device_task where task_id = ${taskID}`.execute(db)
    return rows[0]?.plan
  }
  return ({ runID, ownerID }, db = pool) => {
    const now = clock.now()
    const before = known.get(runID)
    if (before && now - before.at < freshMs) return before.plan
    const plan = load(db, ownerID)
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
