/** Runs of tasks are kept for 90 days and at most so many of a task; the latest always, and what is left of deleted tasks never. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const dayMs = 86_400_000
const keepDays = 90
const keptOfTask = 200
const stepRows = 5_000

async function inSteps(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) >= stepRows);
}

/** Devices before their run, a few at a time: a cascade over millions of rows would hold everybody up. */
async function dropRun(db: Db, runID: number): Promise<void> {
  await inSteps(async () => {
    const { numAffectedRows = 0n } = await sql`
      delete from rollout_device where id in
        (select id from rollout_device where run_id = ${runID} limit ${stepRows})`.execute(db)
    return Number(numAffectedRows)
  })
  await db.deleteFrom('rollout').where('run_id', '=', runID).execute()
}

async function dropWhere(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ run_id: number }>`
    select run_id from rollout where kind = 'task' and ${condition} order by run_id`.execute(db)
  for (const { run_id } of rows) await dropRun(db, run_id)
  return rows.length
}

/** Of a task that was deleted. */
export const dropRunsOf = (db: Db, taskID: number): Promise<number> => dropWhere(db, sql`owner_id = ${taskID}`)

export async function dropOldTaskRuns(db: Db, clock: Clock, kept = keptOfTask): Promise<number> {
  const unused = sql`finished_at > 0 and not exists (select from device_task where last_run = rollout.run_id)`
  const orphaned = await dropWhere(db, sql`not exists (select from device_task where task_id = rollout.owner_id)`)
  const old = await dropWhere(db, sql`${unused} and finished_at < ${clock.now() - keepDays * dayMs}`)
  const over = await dropWhere(
    db,
    sql`${unused} and run_id in (select run_id from (
      select run_id, row_number() over (partition by owner_id order by run_id desc) as place
      from rollout where kind = 'task') placed where place > ${kept})`,
  )
  return orphaned + old + over
}
