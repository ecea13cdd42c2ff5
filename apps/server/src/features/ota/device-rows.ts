/** Devices of a task as they travel, for the list and the export. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listOtaDevices, OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { stageBounds } from '@ithings/contract/features/ota/stages.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import { saidCondition } from '#db/said-texts.ts'
import type { Db } from '#db/schema.ts'
import type { StoredTask } from './task-store.ts'
import { inTrial, trialEnd } from './trial-watch.ts'

export type DeviceFilter = Omit<BodyOutput<typeof listOtaDevices>, 'page'>

export interface DeviceColumns {
  id: number
  device_name: string
  device_alias: string
  is_online: number
  is_gone: boolean
  first_login: Date | null
  status: number
  state: number
  msg: string
  attempts: number
  position: number
  detail: Record<string, unknown>
  sent_at: number
  done_at: number
  updated_at: number
  probation_until: number
}

export const deviceColumns = sql`
  one.id, one.device_name, coalesce(device.device_alias, '') as device_alias, coalesce(device.is_online, 2) as is_online,
  device.device_id is null as is_gone, device.first_login, one.status, one.state, one.msg, one.attempts, one.position, one.detail, one.sent_at, one.done_at, one.updated_at,
  case when ${inTrial} then ${trialEnd} else 0 end as probation_until`

export const deviceTables = sql`rollout_device one left join device on device.device_id = one.device_id`

/** Positions of one stage. */
async function stageSpan(db: Db, { runID, plan }: StoredTask, stage: number): Promise<RawBuilder<unknown>> {
  const run = await db.selectFrom('rollout').select('total').where('run_id', '=', runID).executeTakeFirst()
  const bounds = stageBounds(plan.stages, run?.total ?? 0)
  return sql`one.position > ${bounds[stage - 1] ?? 0} and one.position <= ${bounds[stage] ?? 0}`
}

export async function deviceCondition(
  db: Db,
  task: StoredTask,
  { deviceName, status, reason, stage }: DeviceFilter,
): Promise<RawBuilder<boolean>> {
  const { runID } = task
  const ofRun = sql`rollout_device one where one.run_id = ${runID}`
  const parts = [
    sql`one.run_id = ${runID}`,
    ...(deviceName ? [sql`one.device_name ilike ${containsPattern(deviceName)}`] : []),
    ...(status ? [sql`one.status = ${status}`] : []),
    ...(reason ? [await saidCondition(db, { column: sql`one.msg`, rows: ofRun, words: reason, whole: true })] : []),
    ...(stage === undefined ? [] : [await stageSpan(db, task, stage)]),
  ]
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

const detailOf = (row: DeviceColumns): string =>
  row.msg === '' && row.status === OtaStatus.pushed && row.detail.asked ? kept('已询问版本，等待设备上报') : row.msg

/** @returns a function that spells rows of this task */
export function deviceWire(task: StoredTask, total: number): (row: DeviceColumns) => OtaDevice {
  const bounds = stageBounds(task.plan.stages, total)
  return (row) => ({
    id: row.id,
    taskUid: task.taskUid,
    deviceName: row.device_name,
    version: typeof row.detail.from === 'string' ? row.detail.from : '',
    status: row.status,
    updatedTime: seconds(row.updated_at),
    deviceAlias: row.device_alias,
    isOnline: row.is_online,
    firstLogin: row.is_gone ? '' : toSecondsStr(row.first_login),
    destVersion: task.version,
    step: row.status === OtaStatus.updating ? Number(row.detail.step) || 0 : 0,
    detail: detailOf(row),
    attempts: row.attempts,
    stage: Math.max(
      0,
      bounds.findIndex((bound) => row.position <= bound),
    ),
    pushedTime: seconds(row.sent_at),
    doneTime: seconds(row.done_at),
    probationUntil: Math.ceil(row.probation_until / 1000),
  })
}
