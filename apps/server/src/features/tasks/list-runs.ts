import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listTaskRuns as endpoint } from '@ithings/contract/features/task-results.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import { isAway } from '#features/rollouts/door.ts'
import { findTask, runStatus } from './store.ts'
import { toRun } from './task-wire.ts'
import type { TasksDeps } from './tasks-deps.ts'

/** As it is shown: a line of what was skipped never started. */
const began = sql<number>`coalesce(nullif(started_at, 0), created_at)`

/** Of a run that is over nobody waits. */
const awayOf = (now: number) => sql<number>`case when state in (3, 4) then 0 else (select count(*)::integer
  from rollout_device where rollout_device.run_id = rollout.run_id and ${isAway(now)}) end`

export async function listTaskRuns({ db, clock }: TasksDeps, { taskID, page }: BodyOutput<typeof endpoint>) {
  await findTask(db, taskID)
  const away = awayOf(clock.now())
  const runs = db.selectFrom('rollout').where('kind', '=', 'task').where('owner_id', '=', taskID)
  const { list, total } = await fetchPage(
    runs,
    (query) => query.selectAll().select([runStatus.as('status'), away.as('away')]),
    page,
    {
      columns: { runID: 'run_id', startedTime: began, finishedTime: 'finished_at' },
      fallback: { column: 'run_id', desc: true },
    },
  )
  return { list: list.map(toRun), total }
}
