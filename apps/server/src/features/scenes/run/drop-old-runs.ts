/** Runs are kept for 30 days and at most 10,000 of a scene; counters by the hour as long as lists show them. */
import { dayMs } from '@ithings/contract/durations.ts'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import { type RawBuilder, sql } from 'kysely'
import { deleteInSteps } from '#db/delete-in-steps.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const keepDays = 30
export const keptOfScene = 10_000
/** Lists show seven days, whatever their zone. */
const tallyDays = 9

const isOver = sql`result not in (${RunResult.running}, ${RunResult.waiting})`

const dropWhere = (db: Db, which: RawBuilder<unknown>) => deleteInSteps(db, 'scene_run', 'run_id', which)

export async function dropOldRuns(db: Db, clock: Clock, kept = keptOfScene): Promise<number> {
  const now = clock.now()
  const old = await dropWhere(db, sql`started_at < ${now - keepDays * dayMs} and ${isOver} order by started_at`)
  const busy = await sql<{ scene_id: number }>`
    select scene_id from scene_run group by scene_id having count(*) > ${kept}`.execute(db)
  let over = 0
  for (const { scene_id } of busy.rows) {
    over += await dropWhere(
      db,
      sql`scene_id = ${scene_id} and ${isOver} and run_id <= (select run_id from scene_run
        where scene_id = ${scene_id} order by run_id desc offset ${kept} limit 1) order by run_id`,
    )
  }
  await db
    .deleteFrom('scene_tally')
    .where('hour', '<', now - tallyDays * dayMs)
    .execute()
  await db
    .deleteFrom('scene_miss')
    .where('at', '<', now - keepDays * dayMs)
    .execute()
  return old + over
}
