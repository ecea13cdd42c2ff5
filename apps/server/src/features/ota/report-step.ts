/** A device tells how far its upgrade is, or that it failed (device-protocol.md 8). */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { FirmwareModule, moduleOfName } from '@ithings/contract/features/ota/firmware.ts'
import { type OtaStatus, otaStatusLabels } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { OtaDeps } from './ota-deps.ts'
import { moveOf, statusNow } from './row-move.ts'
import { openRowsOf } from './task-store.ts'

/** What the common negative steps mean, for devices that say nothing more. */
const failures: Record<number, string> = { [-1]: '升级失败', [-2]: '下载失败', [-3]: '校验失败', [-4]: '烧写失败' }

const failureOf = (step: number): string => {
  const known = failures[step]
  return known ? kept(known) : kept('升级失败（{step}）', { step })
}

export interface StepReport {
  id: number | undefined
  step: number
  desc: string
  module: string
}

interface Row {
  id: number
  state: number
  status: number
}

/** Found by its id in whatever state it is; the row of another device is answered like one that does not exist. */
async function rowByID(db: Db, device: DeviceRef, id: number): Promise<Row> {
  const row = await db
    .selectFrom('rollout_device')
    .innerJoin('rollout', 'rollout.run_id', 'rollout_device.run_id')
    .select(['rollout_device.id', 'rollout_device.state', 'rollout_device.status'])
    .where('rollout_device.id', '=', id)
    .where('rollout_device.device_id', '=', device.deviceID)
    .where('rollout.kind', '=', 'ota')
    .executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '设备没有编号为 {id} 的升级', { id })
  return row
}

/** @returns why nothing changed; '': it counts */
export async function reportStep(
  { db, rollouts }: OtaDeps,
  device: DeviceRef,
  { id, step, desc, module }: StepReport,
): Promise<string> {
  const open =
    id === undefined ? await openRowsOf(db, device.deviceID, moduleOfName(module) ?? FirmwareModule.main) : []
  // Of several, the one that was pushed.
  const row =
    id === undefined ? (open.find((one) => moveOf(one, 'progress')) ?? open[0]) : await rowByID(db, device, id)
  if (!row) return kept('没有进行中的升级，已忽略')
  const next = moveOf(row, step > 0 ? 'progress' : 'fail')
  const ignored = () =>
    kept('升级状态为{status}，已忽略', {
      status: kept(otaStatusLabels[statusNow(row) as OtaStatus], { context: 'state' }),
    })
  // Progress before the push and failures of what was never pushed are nobody's.
  if (next === undefined || !moveOf(row, 'progress')) return ignored()
  const settled = await rollouts.settle(
    row,
    step > 0
      ? { result: 'moved', status: next, msg: desc, detail: { step } }
      : { result: 'failed', msg: desc || failureOf(step), detail: { step } },
  )
  return settled ? '' : kept('升级已结束，已忽略')
}
