/** Lists the devices of a run. Cut off and begun again it goes on: devices that are there already are left alone. */
import { TaskType } from '@ithings/contract/features/tasks.ts'
import type { Db } from '#db/schema.ts'
import type { JobContext, JobKind } from '#features/jobs/door.ts'
import { RunState } from '#features/rollouts/door.ts'
import { findTask } from './store.ts'
import { countTargets, scopeOf, targetPages, withOnline } from './targets.ts'
import type { TasksDeps } from './tasks-deps.ts'

export const prepareKind = 'task.prepare'
const pageSize = 5_000

interface Prepared {
  taskID: number
  runID: number
}

const isPreparing = async (db: Db, runID: number): Promise<boolean> => {
  const row = await db.selectFrom('rollout').select('state').where('run_id', '=', runID).executeTakeFirst()
  return row?.state === RunState.preparing
}

/** @param note told after each page how many are listed; may throw to stop it */
export async function fillRun(
  { rollouts }: TasksDeps,
  db: Db,
  { taskID, runID }: Prepared,
  note: (listed: number) => Promise<void> = async () => {},
): Promise<number> {
  const { plan } = await findTask(db, taskID)
  const scope = withOnline(await scopeOf(db, plan), plan.onlineOnly)
  // A row that a dead server leaves behind is judged by it (task-kind.ts).
  const detail = plan.taskType === TaskType.action ? { taskType: plan.taskType } : {}
  let listed = 0
  for await (const devices of targetPages(db, scope, pageSize)) {
    // It may have been cancelled meanwhile.
    if (!(await isPreparing(db, runID))) return listed
    const rows = devices.map((device) => ({ ...device, detail }))
    await rollouts.addRows(db, runID, rows)
    listed += devices.length
    await note(listed)
  }
  await rollouts.ready(db, runID)
  return listed
}

async function run(deps: TasksDeps, { input, progress }: JobContext<Prepared>) {
  const { plan } = await findTask(deps.db, input.taskID)
  const scope = withOnline(await scopeOf(deps.db, plan), plan.onlineOnly)
  const total = await countTargets(deps.db, scope, Number.MAX_SAFE_INTEGER)
  const listed = await fillRun(deps, deps.db, input, (done) => progress(done, Math.max(done, total)))
  await progress(listed, listed)
  deps.rollouts.nudge()
  return { total: listed }
}

export const prepareJob = (deps: TasksDeps): JobKind => ({
  kind: prepareKind,
  run: (context) => run(deps, context as JobContext<Prepared>),
})
