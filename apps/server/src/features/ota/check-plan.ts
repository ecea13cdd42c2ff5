/** What a plan must keep to beyond its shape (http-api.md 7 "Rules", screens.md 22). */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { PackageKind } from '@ithings/contract/features/ota/firmware.ts'
import { OtaScope, OtaStrategy, type OtaTaskInput, otaLimits } from '@ithings/contract/features/ota/task.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { takeDevices } from '#features/devices/door.ts'
import { findGroup } from '#features/groups/door.ts'
import { type FirmwareRow, requireFirmware } from './firmware/store.ts'
import type { TargetQuestion } from './targets.ts'
import { isSameVersion } from './version-order.ts'

const daySeconds = 86_400
/** The clock of whoever asks may be behind. */
const slackSeconds = 300

const refuse = (field: string, detail: Phrase) => new AppError(errors.parameter, { detail, field })

function checkTimes({ scheduleTime, scheduleFinishTime }: OtaTaskInput, now: number): void {
  const longest = otaLimits.days * daySeconds
  if (scheduleTime !== 0 && scheduleTime < now - slackSeconds)
    throw refuse('scheduleTime', phrase('执行时间不能早于现在'))
  if (scheduleTime > now + longest)
    throw refuse('scheduleTime', phrase('执行时间最多在 {days} 天之后', { days: otaLimits.days }))
  if (scheduleFinishTime === 0) return
  const start = scheduleTime || now
  if (scheduleFinishTime <= start) throw refuse('scheduleFinishTime', phrase('截止时间须晚于执行时间'))
  if (scheduleFinishTime > start + longest)
    throw refuse('scheduleFinishTime', phrase('截止时间最多在执行时间 {days} 天之后', { days: otaLimits.days }))
}

function checkVersions({ versionList }: OtaTaskInput, firmware: FirmwareRow): string[] {
  if (versionList.some((one) => isSameVersion(one, firmware.version))) {
    throw refuse('versionList', phrase('待升级版本不能包含目标版本 {version}', { version: firmware.version }))
  }
  if (firmware.is_diff !== PackageKind.diff) return [...new Set(versionList)]
  const others = versionList.filter((one) => !isSameVersion(one, firmware.src_version))
  if (others.length > 0)
    throw refuse('versionList', phrase('差分包只能升级版本 {version}', { version: firmware.src_version }))
  return [firmware.src_version]
}

/** screens.md 22: one dynamic task for each package. One that was over takes nobody any more (task-store.ts takesLate). */
export async function refuseSecondDynamic(db: Db, input: OtaTaskInput): Promise<void> {
  if (input.upgradeType !== OtaStrategy.dynamic) return
  const { rows } = await sql<{ task_uid: string }>`
    select task_uid from ota_task where firmware_id = ${input.firmwareID} and status in (1, 2)
      and finished_at = 0 and plan ->> 'upgradeType' = '2' limit 1`.execute(db)
  const [other] = rows
  if (other) throw refusal(errors.duplicate, '该固件已有动态升级任务 {task}', { task: other.task_uid })
}

export interface CheckedPlan {
  firmware: FirmwareRow
  question: TargetQuestion
}

/** @param nowMs the server's time */
export async function checkPlan(db: Db, input: OtaTaskInput, nowMs: number): Promise<CheckedPlan> {
  const firmware = await requireFirmware(db, input.firmwareID)
  checkTimes(input, Math.floor(nowMs / 1000))
  const versionList = checkVersions(input, firmware)
  if (input.groupID !== undefined) await findGroup(db, input.groupID)
  const { deviceList, filter, ...rest } = input
  const byFilter = filter && input.type === OtaScope.part
  const matching = byFilter ? await takeDevices(db, filter, otaLimits.devices, firmware.product_id) : []
  const plan = { ...rest, versionList }
  const { version, is_diff: isDiff, src_version: srcVersion } = firmware
  return {
    firmware,
    question: {
      productID: firmware.product_id,
      module: firmware.module,
      upgrade: { version, isDiff, srcVersion, versionList },
      plan,
      deviceList: [...new Set([...deviceList, ...matching.map((one) => one.deviceName)])],
    },
  }
}
