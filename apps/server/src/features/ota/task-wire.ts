/** Tasks as they travel (http-api.md 7). */
import { stageBounds, stageCountsOf } from '@ithings/contract/features/ota/stages.ts'
import { OtaStatus, OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { OtaPlan, StatusCounts } from '#db/tables/ota.ts'
import { RunState } from '#features/rollouts/door.ts'
import { type CountQuestion, countAway, countStages, sumStages } from './task-counts.ts'

export interface TaskRow {
  task_id: number
  task_uid: string
  firmware_id: number
  product_id: string
  run_id: number
  status: number
  plan: OtaPlan
  stage: number
  stage_times: number[]
  forced: number
  counts: StatusCounts[]
  user_name: string
  created_at: number
  finished_at: number
  version: string
  module: number
  firmware_name: string
  product_name: string
  run_state: number
  run_reason: string
  run_total: number
  run_success: number
  run_failed: number
  started_at: number
}

export const taskColumns = sql`
  task.task_id, task.task_uid, task.firmware_id, task.product_id, task.run_id, task.status, task.plan, task.stage,
  task.stage_times, task.forced, task.counts, task.user_name, task.created_at, task.finished_at, firmware.version, firmware.module,
  firmware.name as firmware_name, coalesce(product.product_name, '') as product_name, run.state as run_state,
  run.reason as run_reason, run.total as run_total,
  run.success as run_success, run.failed as run_failed, run.started_at`

export const taskTables = sql`
  ota_task task join firmware on firmware.firmware_id = task.firmware_id join rollout run on run.run_id = task.run_id
  left join product on product.product_id = task.product_id`

const seconds = (ms: number): number => Math.floor(ms / 1000)
const isOver = ({ status }: TaskRow): boolean => status === OtaTaskStatus.done || status === OtaTaskStatus.cancelled

function toTask(row: TaskRow, counts: StatusCounts[], away: number[], devices: readonly string[]): OtaTask {
  const { plan } = row
  const paused = row.run_state === RunState.paused
  return {
    taskID: row.task_id,
    taskUid: row.task_uid,
    type: plan.type,
    upgradeType: plan.upgradeType,
    status: row.status,
    createdTime: seconds(row.created_at),
    version: row.version,
    srcVersion: JSON.stringify(plan.versionList),
    srcDevice: JSON.stringify(devices),
    productID: row.product_id,
    productName: row.product_name,
    // http-api.md 7: 1 no, 2 tries again.
    autoRepeat: plan.retryCount > 0 ? 2 : 1,
    firmwareID: row.firmware_id,
    firmwareName: row.firmware_name,
    module: row.module,
    paused: paused ? 1 : 0,
    haltReason: paused ? row.run_reason : '',
    stage: row.stage,
    forced: row.forced,
    stages: plan.stages.map((stage, i) => {
      const own = sumStages([counts[i] ?? {}])
      const { total, success, failed } = stageCountsOf(own)
      const startedTime = seconds(row.stage_times[i] ?? 0)
      return { ...stage, devices: total, success, failed, counts: own, startedTime, away: away[i] ?? 0 }
    }),
    away: away.reduce((sum, count) => sum + count, 0),
    groupID: plan.groupID === undefined ? '' : String(plan.groupID),
    source: plan.source,
    counts: sumStages(counts),
    total: row.run_total,
    scheduleTime: plan.scheduleTime,
    scheduleFinishTime: plan.scheduleFinishTime,
    startedTime: seconds(row.started_at),
    finishedTime: isOver(row) ? seconds(row.finished_at) : 0,
    maximumPerMinute: plan.maximumPerMinute,
    timeoutInMinutes: plan.timeoutInMinutes,
    retryCount: plan.retryCount,
    retryInterval: plan.retryInterval,
    isOverwriteMode: plan.isOverwriteMode,
    probationMinutes: plan.probationMinutes,
    note: plan.note,
    userName: row.user_name,
  }
}

/** Kept every second while a run is at work, and at its end; a paused one moves only by what its run counts. */
function isKept(row: TaskRow): boolean {
  if (isOver(row)) return true
  if (row.counts.length === 0) return false
  if (row.run_state !== RunState.paused) return row.run_state === RunState.running
  const kept = sumStages(row.counts)
  const failed = (kept[OtaStatus.failed] ?? 0) + (kept[OtaStatus.higher] ?? 0)
  return kept[OtaStatus.success] === row.run_success && failed === row.run_failed
}

const questionOf = (row: TaskRow): CountQuestion => ({
  runID: row.run_id,
  total: row.run_total,
  bounds: stageBounds(row.plan.stages, row.run_total),
})

/** @param live tasks that are not over are counted now; lists show what was kept a moment ago where there is something */
export async function countsOf(db: Db, rows: readonly TaskRow[], live: boolean): Promise<Map<number, StatusCounts[]>> {
  const asked = rows.filter((row) => !(live ? isOver(row) : isKept(row)))
  const counted = await countStages(db, asked.map(questionOf))
  return new Map(rows.map((row) => [row.run_id, counted.get(row.run_id) ?? row.counts]))
}

/** @param devices names that the task was made with; lists leave them out */
export async function toTasks(db: Db, rows: readonly TaskRow[], devices?: readonly string[]): Promise<OtaTask[]> {
  const counts = await countsOf(db, rows, devices !== undefined)
  const away = await countAway(db, rows.filter((row) => !isOver(row)).map(questionOf))
  return rows.map((row) => toTask(row, counts.get(row.run_id) ?? [], away.get(row.run_id) ?? [], devices ?? []))
}
