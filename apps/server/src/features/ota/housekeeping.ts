import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { dropRun } from '#features/rollouts/door.ts'
import type { Clock } from '#ports/clock.ts'

const keepMs = 365 * dayMs
/** Each may have 100,000 devices. */
const mostAtOnce = 20

/** Tasks that have been over for a year go with their devices. */
export async function dropOldOtaTasks(db: Db, clock: Clock): Promise<number> {
  const { rows } = await sql<{ run_id: number }>`
    delete from ota_task where task_id in (
      select task_id from ota_task where status in (3, 4) and finished_at between 1 and ${clock.now() - keepMs}
      order by task_id limit ${mostAtOnce}) returning run_id`.execute(db)
  for (const { run_id: runID } of rows) await dropRun(db, runID)
  return rows.length
}
