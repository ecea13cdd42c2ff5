import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { DeployStatus, type retryTask as endpoint } from '@ithings/contract/features/tasks.ts'
import { checkParts } from './read-plan.ts'
import { stillRunning } from './start-run.ts'
import { findOpenRun, findRun, lockTask } from './store.ts'
import type { TasksKit } from './tasks-kit.ts'

/** screens.md 7.3: failed and cancelled devices of a run wait again; a run that was over goes on. */
export async function retryTask(kit: TasksKit, input: BodyOutput<typeof endpoint>) {
  const { taskID, runID, deviceNames } = input
  const done = await kit.db.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    const run = await findRun(db, task, runID)
    if (!run) throw new AppError(errors.parameter, { detail: '任务还没有执行过' })
    const open = await findOpenRun(db, taskID)
    if (open && open.run_id !== run.run_id) throw stillRunning()
    if (run.created_at < task.edited_at) {
      throw new AppError(errors.parameter, { detail: '任务在这次执行之后修改过，请重新执行' })
    }
    await checkParts(kit, task.plan)
    // The task stays locked meanwhile, so that no schedule begins another run beside this one.
    return kit.rollouts.retryRows(run.run_id, {
      status: DeployStatus.failed,
      ...(deviceNames?.length ? { deviceNames } : {}),
    })
  })
  kit.rollouts.nudge()
  return { done }
}
