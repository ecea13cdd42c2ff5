/** At most so many runs of a task are kept, the latest always; what is left of deleted tasks never. Old ones go with all others. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { dropRun } from '#features/rollouts/door.ts'

const keptOfTask = 200

async function dropWhere(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ run_id: number }>`
    select run_id from rollout where kind = 'task' and ${condition} order by run_id`.execute(db)
  for (const { run_id } of rows) await dropRun(db, run_id)
  return rows.length
}

export async function dropSpareTaskRuns(db: Db, kept = keptOfTask): Promise<number> {
  const orphaned = await dropWhere(db, sql`not exists (select from device_task where task_id = rollout.owner_id)`)
  const over = await dropWhere(
    db,
    sql`finished_at > 0 and not exists (select from device_task where last_run = rollout.run_id)
      and run_id in (select run_id from (
        select run_id, row_number() over (partition by owner_id order by run_id desc) as place
        from rollout where kind = 'task') placed where place > ${kept})`,
  )
  return orphaned + over
}
