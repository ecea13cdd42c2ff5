/** A run of a task begins: its devices are listed at once, or by a job when they are many. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { taskTopic } from '@ithings/contract/features/tasks.ts'
import { keep, kept, phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { startJob } from '#features/jobs/door.ts'
import { fillRun, prepareKind } from './prepare-run.ts'
import { findOpenRun, type TaskRow } from './store.ts'
import { countTargets, scopeOf, withOnline } from './targets.ts'
import type { Person, TasksDeps } from './tasks-deps.ts'

export type Trigger = 'manual' | 'timer'

/** So many devices are listed while the caller waits. */
const listedAtOnce = 1_000

export interface StartedRun {
  runID: number
  taskID: number
  taskName: string
  total: number
  /** Its devices are still to be listed. */
  many: boolean
}

export const stillRunning = () => new AppError(errors.ongoing, { msg: phrase('任务正在执行，请等待结束或先取消') })

const noneText = ({ onlineOnly }: { onlineOnly: boolean }) => phrase(onlineOnly ? '没有在线的目标设备' : '没有目标设备')

/**
 * In a transaction that holds the task. Throws 100009 when its group is gone.
 * @returns what `follow` needs after the commit
 */
export async function openRun(
  deps: TasksDeps,
  tx: Db,
  task: TaskRow,
  how: { trigger: Trigger; person: Person; refuseEmpty?: boolean },
): Promise<StartedRun> {
  const { plan, task_id: taskID, name: taskName, product_id: productID } = task
  if (await findOpenRun(tx, taskID)) throw stillRunning()
  const scope = withOnline(await scopeOf(tx, plan), plan.onlineOnly)
  const found = await countTargets(tx, scope, listedAtOnce + 1)
  if (found === 0 && how.refuseEmpty) {
    throw new AppError(errors.parameter, { detail: noneText(plan) })
  }
  const many = found > listedAtOnce
  const runID = await deps.rollouts.create(tx, {
    kind: 'task',
    ownerID: taskID,
    productID,
    topic: taskTopic(taskID),
    trigger: how.trigger,
    perMinute: plan.rate,
    retries: plan.retryCount,
    retryMs: plan.retryInterval * 1000,
    startAt: deps.clock.now(),
    userName: how.person.userName,
  })
  await tx
    .updateTable('device_task')
    .set({ last_run: runID, skipped: 0, reason: '' })
    .where('task_id', '=', taskID)
    .execute()
  if (!many) await fillRun(deps, tx, { taskID, runID })
  if (found === 0)
    await tx
      .updateTable('rollout')
      .set({ reason: keep([noneText(plan)]) })
      .where('run_id', '=', runID)
      .execute()
  return { runID, taskID, taskName, total: found, many }
}

/** After the commit. A server that dies before is noticed by the sweep (schedule.ts). */
export async function follow(deps: TasksDeps, started: StartedRun, person: Person): Promise<void> {
  const { runID, taskID, taskName, many } = started
  if (many) await startPreparing(deps, { runID, taskID, taskName }, person)
  else deps.rollouts.nudge()
}

export async function startPreparing(
  deps: TasksDeps,
  { runID, taskID, taskName }: Pick<StartedRun, 'runID' | 'taskID' | 'taskName'>,
  { userID, userName }: Person,
): Promise<void> {
  await startJob(deps.jobs, {
    kind: prepareKind,
    title: kept('准备设备任务「{name}」', { name: taskName }),
    input: { taskID, runID },
    user: { userID, userName, role: 0, sid: '', language: 'zh' },
  })
}
