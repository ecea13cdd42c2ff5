/** What people do with a task: cancel, pause, go on, wait no longer. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { adjustOtaTask } from '@ithings/contract/features/ota/task.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { OtaPlan } from '#db/tables/ota.ts'
import { RunState } from '#features/rollouts/door.ts'
import type { OtaDeps } from './ota-deps.ts'
import { judgeNow } from './stage-review.ts'
import { requireTask } from './task-store.ts'

/** A device that is writing its flash may still finish. */
export async function cancelTask(deps: OtaDeps, { taskID }: { taskID: number }): Promise<void> {
  const { runID } = await requireTask(deps.db, { taskID })
  if (!(await deps.rollouts.cancelRun(runID, kept('任务已取消')))) throw new AppError(errors.otaCancelStatus)
}

/** Without a reason: that tells it from a task that halted by itself. */
export async function pauseTask(deps: OtaDeps, { taskID }: { taskID: number }): Promise<void> {
  const { runID } = await requireTask(deps.db, { taskID })
  if (!(await deps.rollouts.pause(runID, ''))) {
    throw new AppError(errors.parameter, { msg: phrase('只有未开始或升级中的任务可以暂停') })
  }
}

export async function resumeTask(deps: OtaDeps, { taskID, force }: { taskID: number; force?: boolean | undefined }) {
  const task = await requireTask(deps.db, { taskID })
  const { reason, ...run } = await deps.db
    .selectFrom('rollout')
    .select(['reason', 'run_id as runID', 'total', 'reopened_at as reopenedAt'])
    .where('run_id', '=', task.runID)
    .executeTakeFirstOrThrow()
  if (reason !== '' && force) {
    await deps.db.updateTable('ota_task').set({ forced: task.stage }).where('task_id', '=', taskID).execute()
  } else if (reason !== '') {
    // Devices that failed may have been tried again with success meanwhile.
    const verdict = await judgeNow(deps.db, task, run)
    if (verdict.then === 'halt') {
      throw new AppError(errors.parameter, {
        msg: phrase('{reason}；重试失败的设备，或确认后强制继续', { reason: verdict.reason }),
      })
    }
  }
  if (!(await deps.rollouts.resume(task.runID))) throw new AppError(errors.parameter, { msg: phrase('任务没有暂停') })
}

export async function adjustTask(
  deps: OtaDeps,
  { taskID, ...wanted }: BodyOutput<typeof adjustOtaTask>,
): Promise<void> {
  const { stage, scheduleFinishTime: end } = wanted
  const task = await requireTask(deps.db, { taskID })
  const { state } = await deps.db
    .selectFrom('rollout')
    .select('state')
    .where('run_id', '=', task.runID)
    .executeTakeFirstOrThrow()
  if (state !== RunState.running) throw new AppError(errors.parameter, { msg: phrase('任务没有在升级') })
  if (stage !== undefined && (stage !== task.stage || stage + 1 >= task.plan.stages.length)) {
    throw new AppError(errors.parameter, { msg: phrase('该阶段已经结束，或没有下一阶段') })
  }
  if (end && end * 1000 <= deps.clock.now()) throw new AppError(errors.parameter, { msg: phrase('截止时间须晚于现在') })
  const changes: Partial<OtaPlan> = {
    ...(stage !== undefined && { released: stage }),
    ...(end !== undefined && { scheduleFinishTime: end }),
  }
  await sql`update ota_task set plan = plan || ${JSON.stringify(changes)}::jsonb where task_id = ${taskID}`.execute(
    deps.db,
  )
  if (end !== undefined) await deps.rollouts.endAt(task.runID, end * 1000)
  deps.rollouts.nudge()
}
