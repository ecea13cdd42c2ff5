/** Runs are kept for 90 days after their end; those that a task shows as its last one, or that an upgrade is, as long as that. */
import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import { deleteInSteps } from '#db/delete-in-steps.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const keepMs = 90 * dayMs

/** Devices before their run, a few at a time: a cascade over millions of rows would hold everybody up. */
export async function dropRun(db: Db, runID: number): Promise<void> {
  await deleteInSteps(db, 'rollout_device', 'id', sql`run_id = ${runID}`)
  await db.deleteFrom('rollout').where('run_id', '=', runID).execute()
}

export async function dropOldRollouts(db: Db, clock: Clock): Promise<number> {
  const { rows } = await sql<{ run_id: number }>`
    select run_id from rollout old
    where state in (3, 4) and finished_at between 1 and ${clock.now() - keepMs}
      and not exists (select from device_task where device_task.last_run = old.run_id)
      and not exists (select from ota_task where ota_task.run_id = old.run_id)
    order by run_id`.execute(db)
  for (const { run_id: runID } of rows) await dropRun(db, runID)
  return rows.length
}
