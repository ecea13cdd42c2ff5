/** A device says which version a module runs (device-protocol.md 8): kept, and held against what is under way. */
import { FirmwareModule, moduleOfName } from '@ithings/contract/features/ota/firmware.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { OtaStrategy } from '@ithings/contract/features/ota/task.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { judgeVersion } from './judge-version.ts'
import { keepVersion } from './module-store.ts'
import { higherText } from './ota-kind.ts'
import type { OtaKit } from './ota-kit.ts'
import { rowOf } from './prepare-task.ts'
import { moveOf, statusNow } from './row-move.ts'
import { type OpenRow, openRowsOf, openTasks } from './task-store.ts'
import { type FileLinks, makeFileLinks, upgradeInfo } from './upgrade-info.ts'

const minuteMs = 60_000

/** It runs the target version now. With a probation it has to stay online for a while before that counts. */
async function arrived(kit: OtaKit, row: OpenRow): Promise<void> {
  const { probationMinutes, timeoutInMinutes } = row.task.plan
  const upgraded = statusNow(row) !== OtaStatus.waiting
  // A device that was there before we pushed has nothing to prove.
  if (probationMinutes === 0 || !upgraded) {
    await kit.rollouts.settle(row, { result: 'success' })
    return
  }
  if (row.detail.arrivedFor === row.clientToken) return
  const trialMs = probationMinutes * minuteMs
  await kit.rollouts.settle(row, {
    result: 'moved',
    status: OtaStatus.updating,
    msg: '已升级，观察中',
    detail: { step: 100, arrivedAt: kit.clock.now(), arrivedFor: row.clientToken, trialMs },
    timeoutMs: trialMs + timeoutInMinutes * minuteMs,
  })
}

/** Not the target: what was pushed is told again, which is no second push; what came to nothing fails. */
async function goOn(
  kit: OtaKit,
  links: FileLinks,
  row: OpenRow,
  { version, module }: { version: string; module: string },
): Promise<Record<string, unknown> | undefined> {
  if (statusNow(row) === OtaStatus.waiting) {
    // Its turn comes by the pace of the task; now that it is here, it may come at once.
    kit.rollouts.nudge()
    return undefined
  }
  if (row.detail.arrivedFor === row.clientToken) {
    await kit.rollouts.settle(row, { result: 'failed', msg: `观察期内回退到版本 ${version}` })
    return undefined
  }
  const verdict = judgeVersion(version, { ...row.task, versionList: row.task.plan.versionList })
  if (verdict === 'diffSource' || verdict === 'notListed') {
    const msg =
      verdict === 'diffSource'
        ? `差分包须从版本 ${row.task.srcVersion} 升级，设备版本为 ${version}`
        : `设备版本 ${version} 不在待升级版本中`
    await kit.rollouts.settle(row, { result: 'failed', msg, final: true })
    return undefined
  }
  if (row.detail.asked) await kit.rollouts.settle(row, { result: 'moved', detail: { asked: false, from: version } })
  return upgradeInfo(links, row.task, row.id, module)
}

/** Dynamic tasks take devices that come later with one of their versions. */
async function join(kit: OtaKit, device: DeviceRef, module: number, version: string, rows: OpenRow[]): Promise<void> {
  const tasks = await openTasks(kit.db, device.productID, module)
  for (const task of tasks.filter(({ plan }) => plan.upgradeType === OtaStrategy.dynamic)) {
    const others = rows.filter(({ runID }) => runID !== task.runID)
    if (task.plan.isOverwriteMode !== 1 && others.length > 0) continue
    if (judgeVersion(version, { ...task, versionList: task.plan.versionList }) !== 'fits') continue
    const row = rowOf(task, { ...device, version })
    const added = await kit.db.transaction().execute((tx) => kit.rollouts.addRows(tx, task.runID, [row]))
    if (added > 0) kit.rollouts.nudge()
  }
}

export type ReportVersion = (
  device: DeviceRef,
  report: { version: string; module: string },
) => Promise<Record<string, unknown> | undefined>

/** @returns a function that answers what `$ota/down/upgrade` says; undefined: nothing */
export function makeReportVersion(kit: OtaKit): ReportVersion {
  const links = makeFileLinks(kit)
  return async (device, { version, module: name }) => {
    const module = moduleOfName(name) ?? FirmwareModule.main
    await keepVersion(kit, device, { module, name, version, at: kit.clock.now() })
    let answer: Record<string, unknown> | undefined
    const rows = await openRowsOf(kit.db, device.deviceID, module)
    for (const row of rows) {
      const verdict = judgeVersion(version, { ...row.task, versionList: [] })
      if (verdict === 'newest') {
        if (moveOf(row, 'arrive')) await arrived(kit, row)
      } else if (verdict === 'higher') {
        if (moveOf(row, 'higher')) {
          const settlement = {
            result: 'failed',
            status: OtaStatus.higher,
            msg: higherText(version),
            final: true,
          } as const
          await kit.rollouts.settle(row, settlement)
        }
      } else answer ??= await goOn(kit, links, row, { version, module: name })
    }
    await join(kit, device, module, version, rows)
    return answer
  }
}
