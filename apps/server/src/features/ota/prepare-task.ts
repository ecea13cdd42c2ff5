/** Lists the devices of a task and lets it begin. Inline for a few, as a job for many; both can begin again. */

import { minuteMs } from '@ithings/contract/durations.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { OtaStrategy, otaLimits } from '@ithings/contract/features/ota/task.ts'
import type { Db } from '#db/schema.ts'
import type { JobContext, JobKind } from '#features/jobs/door.ts'
import { type NewRow, RunState } from '#features/rollouts/door.ts'
import type { OtaDeps } from './ota-deps.ts'
import { findTargets, type Target, type TargetQuestion } from './targets.ts'
import { requireTask, type StoredTask } from './task-store.ts'

export const prepareKind = 'ota.prepare'
const rowsAtOnce = 5_000

/** What the machinery keeps for a device of the task; the time-out is needed when a server dies while it sends. */
export const rowOf = (task: StoredTask, { deviceID, deviceName, version }: Target): NewRow => ({
  deviceID,
  productID: task.productID,
  deviceName,
  detail: { from: version, timeoutMs: task.plan.timeoutInMinutes * minuteMs },
})

export const questionOf = (task: StoredTask, deviceList: string[]): TargetQuestion => ({
  productID: task.productID,
  module: task.module,
  upgrade: { ...task, versionList: task.plan.versionList },
  plan: task.plan,
  deviceList,
  exceptRun: task.runID,
})

async function isPreparing(db: Db, runID: number): Promise<boolean> {
  const run = await db.selectFrom('rollout').select('state').where('run_id', '=', runID).executeTakeFirst()
  return run?.state === RunState.preparing
}

async function listedDevices(db: Db, taskID: number): Promise<string[]> {
  const { devices } = await db
    .selectFrom('ota_task')
    .select('devices')
    .where('task_id', '=', taskID)
    .executeTakeFirstOrThrow()
  return devices
}

/** @returns how many devices it has; undefined: it was cancelled meanwhile */
export async function prepareTask(
  deps: OtaDeps,
  db: Db,
  taskID: number,
  progress: (done: number, total: number) => Promise<void> = async () => {},
): Promise<number | undefined> {
  const task = await requireTask(db, { taskID })
  const targets = await findTargets(db, questionOf(task, await listedDevices(db, taskID)))
  if (targets.length > otaLimits.devices) {
    throw refusal(errors.outOfRange, '一个任务最多升级 {most} 台设备，当前 {count} 台，请按版本、分组或设备缩小范围', {
      most: otaLimits.devices,
      count: targets.length,
    })
  }
  if (targets.length === 0 && task.plan.upgradeType === OtaStrategy.static) {
    throw refusal(errors.parameter, '没有可升级的设备，请先预览并调整范围')
  }
  for (let at = 0; at < targets.length; at += rowsAtOnce) {
    if (!(await isPreparing(db, task.runID))) return undefined
    const rows = targets.slice(at, at + rowsAtOnce).map((target) => rowOf(task, target))
    await deps.rollouts.addRows(db, task.runID, rows)
    await progress(Math.min(at + rowsAtOnce, targets.length), targets.length)
  }
  await deps.rollouts.ready(db, task.runID)
  return targets.length
}

interface Input {
  taskID: number
  runID: number
}

/** Nobody looks at a task that never begins: when its devices cannot be listed it is over, and says why. */
async function run(deps: OtaDeps, { input, progress }: JobContext<Input>) {
  try {
    const total = await prepareTask(deps, deps.db, input.taskID, progress)
    deps.rollouts.nudge()
    return { total: total ?? 0 }
  } catch (error) {
    // The machinery finds other ends of this job by itself, later.
    if (error instanceof AppError) await deps.rollouts.cancelRun(input.runID, error.kept())
    throw error
  }
}

export const prepareJob = (deps: OtaDeps): JobKind => ({
  kind: prepareKind,
  run: (context) => run(deps, context as JobContext<Input>),
})
