import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listTaskRuns as endpoint } from '@ithings/contract/features/task-results.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { findTask, runStatus } from './store.ts'
import { toRun } from './task-wire.ts'

/** As it is shown: a line of what was skipped never started. */
const began = sql<number>`coalesce(nullif(started_at, 0), created_at)`

export async function listTaskRuns(db: Db, { taskID, page }: BodyOutput<typeof endpoint>) {
  await findTask(db, taskID)
  const runs = db.selectFrom('rollout').where('kind', '=', 'task').where('owner_id', '=', taskID)
  const { list, total } = await fetchPage(runs, (query) => query.selectAll().select(runStatus.as('status')), page, {
    columns: { runID: 'run_id', startedTime: began, finishedTime: 'finished_at' },
    fallback: { column: 'run_id', desc: true },
  })
  return { list: list.map(toRun), total }
}
