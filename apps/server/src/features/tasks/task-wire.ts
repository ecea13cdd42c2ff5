/** Tasks and runs as they travel. */
import type { TaskRun } from '@ithings/contract/features/task-results.ts'
import type { DeployStatus, DeviceTask } from '@ithings/contract/features/tasks.ts'
import { TaskTarget } from '@ithings/contract/features/tasks.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { isOpen, type RunRow, type TaskRow } from './store.ts'

const seconds = (ms: number | null | undefined): number => Math.floor((ms ?? 0) / 1000)

export interface LastRun {
  state: number
  total: number
  success: number
  failed: number
  reason: string
  startedAt: number
}

export interface TaskView extends Omit<TaskRow, 'plan'> {
  /** The parts of the plan that lists show. */
  targetType: number
  names: number
  cron: string
  runAt: number
  status: DeployStatus
  productName: string
  groupName: string | null
  lastRun: LastRun | undefined
}

/** A run that is over counts cancelled ones as failed (decisions.md 2 "Device task status"). */
export const failedOf = (run: Pick<RunRow, 'state' | 'total' | 'success' | 'failed'>): number =>
  isOpen(run) ? run.failed : run.total - run.success

const targetNameOf = ({ targetType, productName, groupName }: TaskView): string => {
  if (targetType === TaskTarget.product) return productName
  return targetType === TaskTarget.group ? (groupName ?? '') : ''
}

export function toTask(row: TaskView): DeviceTask {
  const { lastRun } = row
  return {
    taskID: row.task_id,
    taskName: row.name,
    taskType: row.task_type,
    productID: row.product_id,
    productName: row.productName,
    targetType: row.targetType,
    targetCount: row.targetType === TaskTarget.devices ? row.names : (lastRun?.total ?? 0),
    targetName: targetNameOf(row),
    scheduleType: row.schedule,
    cron: row.cron,
    runAt: row.runAt,
    status: row.status,
    isEnable: row.is_enable,
    total: lastRun?.total ?? 0,
    success: lastRun?.success ?? 0,
    failed: lastRun ? failedOf(lastRun) : 0,
    lastRunTime: seconds(lastRun?.startedAt),
    nextRunTime: seconds(row.next_run_at),
    createdBy: row.user_name,
    createdTime: toSeconds(row.created_at),
    reason: row.reason || (lastRun?.reason ?? ''),
    lastRunID: row.last_run === null ? '' : String(row.last_run),
    rev: row.rev,
  }
}

export const toRun = (row: RunRow & { status: DeployStatus; away: number }): TaskRun => ({
  runID: String(row.run_id),
  startedTime: seconds(row.started_at || row.created_at),
  finishedTime: seconds(row.finished_at),
  total: row.total,
  success: row.success,
  failed: failedOf(row),
  away: row.away,
  trigger: row.trigger,
  status: row.status,
  reason: row.reason,
})
