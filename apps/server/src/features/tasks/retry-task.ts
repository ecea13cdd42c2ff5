import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { DeployStatus, type retryTask as endpoint } from '@ithings/contract/features/tasks.ts'
import { checkParts } from './read-plan.ts'
import { stillRunning } from './start-run.ts'
import { findOpenRun, findRun, findTask, lockTask } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

type Input = BodyOutput<typeof endpoint>

async function retry(deps: TasksDeps, { taskID, runID, deviceNames }: Input): Promise<number> {
  return deps.db.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    const run = await findRun(db, task, runID)
    if (!run) throw refusal(errors.parameter, '任务还没有执行过')
    const open = await findOpenRun(db, taskID)
    if (open && open.run_id !== run.run_id) throw stillRunning()
    if (run.created_at < task.edited_at) throw refusal(errors.parameter, '任务在这次执行之后修改过，请重新执行')
    // The task stays locked meanwhile, so that no schedule begins another run beside this one.
    return deps.rollouts.retryRows(run.run_id, {
      status: DeployStatus.failed,
      ...(deviceNames?.length ? { deviceNames } : {}),
    })
  })
}

/**
 * screens.md 7.3: failed and cancelled devices of a run wait again; a run that was over goes on. One call after the
 * other: each needs two connections at a time, and many at once could take all and wait for each other.
 */
export function makeRetryTask(deps: TasksDeps): (input: Input) => Promise<{ done: number }> {
  let last: Promise<unknown> = Promise.resolve()
  return async (input) => {
    await checkParts(deps, (await findTask(deps.db, input.taskID)).plan)
    const mine = last.then(() => retry(deps, input))
    last = mine.catch(() => {})
    const done = await mine
    deps.rollouts.nudge()
    return { done }
  }
}
