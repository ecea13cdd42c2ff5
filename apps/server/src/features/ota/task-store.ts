/** Tasks as they are stored, and what the sending of one needs again and again. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { OtaStrategy } from '@ithings/contract/features/ota/task.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { OtaPlan } from '#db/tables/ota.ts'

/** A task with its package, without its list of devices. */
export interface StoredTask {
  taskID: number
  taskUid: string
  runID: number
  productID: string
  status: number
  plan: OtaPlan
  stage: number
  stageTimes: number[]
  forced: number
  createdAt: number
  /** ms; 0: it was never over. Stays when devices are tried again afterwards. */
  finishedAt: number
  firmwareID: number
  version: string
  module: number
  isDiff: number
  srcVersion: string
  signMethod: string
  extData: string
}

const columns = sql`
  task.task_id as "taskID", task.task_uid as "taskUid", task.run_id as "runID", task.product_id as "productID",
  task.status, task.plan, task.stage, task.stage_times as "stageTimes", task.forced, task.created_at as "createdAt",
  task.finished_at as "finishedAt",
  firmware.firmware_id as "firmwareID", firmware.version, firmware.module, firmware.is_diff as "isDiff",
  firmware.src_version as "srcVersion", firmware.sign_method as "signMethod", firmware.ext_data as "extData"`

/** Takes devices that come later: until it is cancelled or its window closes, and not again when devices are retried. */
export const takesLate = ({ plan, finishedAt }: StoredTask, now: number): boolean =>
  plan.upgradeType === OtaStrategy.dynamic &&
  finishedAt === 0 &&
  (plan.scheduleFinishTime === 0 || plan.scheduleFinishTime * 1000 > now)

/** An older task never takes a device back from a newer one. */
export const mayOverwrite = ({ plan, taskID }: StoredTask, other: Pick<StoredTask, 'taskID'>): boolean =>
  plan.isOverwriteMode === 1 && other.taskID < taskID

const tables = sql`ota_task task join firmware using (firmware_id)`

export async function findTask(db: Db, taskID: number): Promise<StoredTask | undefined> {
  const { rows } = await sql<StoredTask>`select ${columns} from ${tables} where task.task_id = ${taskID}`.execute(db)
  return rows[0]
}

export async function requireTask(db: Db, key: { taskID: number } | { taskUid: string }): Promise<StoredTask> {
  const which = 'taskID' in key ? sql`task.task_id = ${key.taskID}` : sql`task.task_uid = ${key.taskUid}`
  const { rows } = await sql<StoredTask>`select ${columns} from ${tables} where ${which}`.execute(db)
  const [task] = rows
  if (!task) {
    throw refusal(errors.notFound, '升级任务 {task} 不存在', { task: 'taskID' in key ? key.taskID : key.taskUid })
  }
  return task
}

/** Tasks that are not over, for one module of a product. */
export async function openTasks(db: Db, productID: string, module: number): Promise<StoredTask[]> {
  const { rows } = await sql<StoredTask>`
    select ${columns} from ${tables}
    where task.product_id = ${productID} and task.status in (1, 2) and firmware.module = ${module}
    order by task.task_id desc`.execute(db)
  return rows
}

export interface OpenRow {
  id: number
  runID: number
  state: number
  status: number
  attempts: number
  /** The token of the present try. */
  clientToken: string
  detail: Record<string, unknown>
  task: StoredTask
}

/** What is under way for a module of a device, newest task first. */
export async function openRowsOf(db: Db, deviceID: number, module: number): Promise<OpenRow[]> {
  const { rows } = await sql<Omit<OpenRow, 'task'> & StoredTask & { rowStatus: number }>`
    select ${columns}, one.id, one.state, one.status as "rowStatus", one.attempts, one.client_token as "clientToken", one.detail
    from rollout_device one join ota_task task using (run_id) join firmware using (firmware_id)
    where one.device_id = ${deviceID} and one.state in (1, 2) and firmware.module = ${module}
    order by task.task_id desc`.execute(db)
  return rows.map(({ id, state, rowStatus, attempts, clientToken, detail, ...task }) => ({
    id,
    runID: task.runID,
    state,
    status: rowStatus,
    attempts,
    clientToken,
    detail,
    task,
  }))
}
