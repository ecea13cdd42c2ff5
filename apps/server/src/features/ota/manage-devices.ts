/** Cancel and retry for one, many or all devices of a task (http-api.md 7; every move by the table of states). */

import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import { AppError, type CatalogueError, errors, refusal } from '@ithings/contract/errors.ts'
import type { cancelOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { otaStatusLabels } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import { requireFirmware } from './firmware/store.ts'
import type { OtaDeps } from './ota-deps.ts'
import { moveOf, statusNow } from './row-move.ts'
import { forgetCounts } from './task-counts.ts'
import { requireTask, type StoredTask } from './task-store.ts'

type Several = BodyOutput<typeof cancelOtaDevices>
type Result = DataOf<typeof cancelOtaDevices>
type Act = 'cancel' | 'retry'
type Choice = Parameters<OtaDeps['rollouts']['cancelRows']>[1]

const refusals: Record<Act, CatalogueError> = { cancel: errors.otaCancelStatus, retry: errors.otaRetryStatus }
const cancelText = '已取消'
const skippedText = '设备离线，已跳过'

async function taskOfRow(deps: OtaDeps, id: number) {
  const row = await deps.db
    .selectFrom('rollout_device')
    .innerJoin('ota_task', 'ota_task.run_id', 'rollout_device.run_id')
    .select(['ota_task.task_id', 'rollout_device.id', 'rollout_device.state', 'rollout_device.status'])
    .where('rollout_device.id', '=', id)
    .executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '升级设备 {id} 不存在', { id })
  return { row, task: await requireTask(deps.db, { taskID: row.task_id }) }
}

/** A task that was over is at work again (stage-review.ts). */
async function retry(deps: OtaDeps, task: StoredTask, choice: Choice): Promise<number> {
  await requireFirmware(deps.db, task.firmwareID)
  return deps.rollouts.retryRows(task.runID, choice)
}

async function act(deps: OtaDeps, what: Act, task: StoredTask, choice: Choice): Promise<number> {
  if (what === 'retry') return retry(deps, task, choice)
  const done = await deps.rollouts.cancelRows(task.runID, choice, kept(choice.away ? skippedText : cancelText))
  await forgetCounts(deps.db, task.taskID)
  return done
}

async function one(deps: OtaDeps, what: Act, id: number): Promise<void> {
  const { row, task } = await taskOfRow(deps, id)
  const legal = moveOf(row, what) !== undefined
  if (!legal || (await act(deps, what, task, { ids: [id] })) === 0) throw new AppError(refusals[what])
}

export const cancelDevice = (deps: OtaDeps, { id }: { id: number }) => one(deps, 'cancel', id)
export const retryDevice = (deps: OtaDeps, { id }: { id: number }) => one(deps, 'retry', id)

async function several(deps: OtaDeps, what: Act, { taskUid, ids, status, away }: Several): Promise<Result> {
  const task = await requireTask(deps.db, { taskUid })
  if (ids === undefined) {
    return { done: await act(deps, what, task, { ...(status && { status }), ...(away && { away }) }), failed: [] }
  }
  const rows = await deps.db
    .selectFrom('rollout_device')
    .select(['id', 'state', 'status'])
    .where('run_id', '=', task.runID)
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .execute()
  const known = new Map(rows.map((row) => [row.id, row]))
  const failed: Result['failed'] = []
  const legal: number[] = []
  for (const id of new Set(ids)) {
    const row = known.get(id)
    if (!row) failed.push({ id, msg: kept('不在该任务中') })
    else if (moveOf(row, what) === undefined) {
      const status = kept(otaStatusLabels[statusNow(row)], { context: 'state' })
      const msg = kept(what === 'cancel' ? '{status}的设备不能取消' : '{status}的设备不能重试', { status })
      failed.push({ id, msg })
    } else legal.push(id)
  }
  return { done: legal.length > 0 ? await act(deps, what, task, { ids: legal }) : 0, failed }
}

export const cancelDevices = (deps: OtaDeps, input: Several) => several(deps, 'cancel', input)
export const retryDevices = (deps: OtaDeps, input: Several) => several(deps, 'retry', input)
