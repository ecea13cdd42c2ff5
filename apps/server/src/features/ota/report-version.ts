/** A device says which version a module runs (device-protocol.md 8): kept, and held against what is under way. */
import { FirmwareModule, moduleOfName } from '@ithings/contract/features/ota/firmware.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { judgeVersion, unfitText } from './judge-version.ts'
import { keepVersion } from './module-store.ts'
import type { OtaDeps } from './ota-deps.ts'
import { higherText } from './ota-kind.ts'
import { rowOf } from './prepare-task.ts'
import { pushUpgrade } from './push-message.ts'
import { moveOf, statusNow } from './row-move.ts'
import { mayOverwrite, type OpenRow, openRowsOf, openTasks, takesLate } from './task-store.ts'
import { beginTrial } from './trial-watch.ts'
import { type FileLinks, makeFileLinks, upgradeInfo } from './upgrade-info.ts'

/** It runs the target version now. With a probation it has to stay online for a while before that counts. */
async function arrived(deps: OtaDeps, row: OpenRow): Promise<void> {
  const { plan } = row.task
  const waits = statusNow(row) === OtaStatus.waiting
  // A device that was there before we pushed has nothing to prove.
  if (plan.probationMinutes === 0 || (waits && row.attempts === 0)) {
    await deps.rollouts.settle(row, { result: 'success' })
    return
  }
  // Between two tries: the next one begins its probation (ota-kind.ts).
  if (waits) return deps.rollouts.nudge()
  if (row.detail.arrivedFor === row.clientToken) return
  await deps.rollouts.settle(row, { result: 'moved', ...beginTrial(plan, row.clientToken, deps.clock.now()) })
}

/** What the device told is kept whatever becomes of this; it stays asked until it reports again. */
async function pushInstead(deps: OtaDeps, device: DeviceRef, row: OpenRow, info: Record<string, unknown>) {
  try {
    await pushUpgrade(deps, device, row.clientToken, info)
    return true
  } catch (error) {
    deps.log.warn(
      { err: error, deviceID: device.deviceID },
      'an upgrade could not be pushed after the version was told',
    )
    return false
  }
}

/** Not the target: what was pushed is told again, which is no second push; what came to nothing fails. */
async function goOn(
  deps: OtaDeps,
  links: FileLinks,
  device: DeviceRef,
  row: OpenRow,
  { version, module }: VersionReport,
): Promise<Record<string, unknown> | undefined> {
  if (statusNow(row) === OtaStatus.waiting) {
    // Its turn comes by the pace of the task; now that it is here, it may come at once.
    deps.rollouts.nudge()
    return undefined
  }
  if (row.detail.arrivedFor === row.clientToken) {
    await deps.rollouts.settle(row, { result: 'failed', msg: kept('观察期内回退到版本 {version}', { version }) })
    return undefined
  }
  // Until it is noted a row that was just taken has no `asked`.
  const isPushed = row.detail.asked === false
  const verdict = judgeVersion(version, { ...row.task, versionList: row.task.plan.versionList })
  if (verdict === 'diffSource' || verdict === 'notListed') {
    // Only asked, it says nothing about the package; a device that has it and comes back with something else has failed.
    const result = isPushed ? 'failed' : 'dropped'
    await deps.rollouts.settle(row, { result, msg: unfitText(verdict, version, row.task), final: true })
    return undefined
  }
  const info = await upgradeInfo(links, row.task, row.id, module)
  if (module === '' && !(row.detail.asked && (await pushInstead(deps, device, row, info)))) return undefined
  if (!isPushed) {
    const detail = { asked: false, from: version }
    await deps.rollouts.settle(row, { result: 'moved', status: statusNow(row), detail })
  }
  return info
}

/** Dynamic tasks take devices that come later with one of their versions. */
async function join(deps: OtaDeps, device: DeviceRef, module: number, version: string, rows: OpenRow[]): Promise<void> {
  const tasks = await openTasks(deps.db, device.productID, module)
  const now = deps.clock.now()
  for (const task of tasks.filter((one) => takesLate(one, now))) {
    const others = rows.filter(({ runID }) => runID !== task.runID)
    if (others.some((other) => !mayOverwrite(task, other.task))) continue
    if (judgeVersion(version, { ...task, versionList: task.plan.versionList }) !== 'fits') continue
    const row = rowOf(task, { ...device, version })
    const added = await deps.db.transaction().execute((tx) => deps.rollouts.addRows(tx, task.runID, [row]))
    if (added > 0) deps.rollouts.nudge()
  }
}

interface VersionReport {
  version: string
  /** As the device calls it; '': told on another topic, whose answer cannot carry upgrade information. */
  module: string
}

export type ReportVersion = (device: DeviceRef, report: VersionReport) => Promise<Record<string, unknown> | undefined>

/**
 * @returns a function that answers what `$ota/down/upgrade` says; undefined: nothing. A device that was asked for its
 * version and told it elsewhere is pushed instead.
 */
export function makeReportVersion(deps: OtaDeps): ReportVersion {
  const links = makeFileLinks(deps)
  return async (device, { version, module: name }) => {
    const module = moduleOfName(name) ?? FirmwareModule.main
    await keepVersion(deps, device, { module, name, version, at: deps.clock.now() })
    let answer: Record<string, unknown> | undefined
    const rows = await openRowsOf(deps.db, device.deviceID, module)
    for (const row of rows) {
      const verdict = judgeVersion(version, { ...row.task, versionList: [] })
      if (verdict === 'newest') {
        if (moveOf(row, 'arrive')) await arrived(deps, row)
      } else if (verdict === 'higher') {
        if (moveOf(row, 'higher')) {
          const settlement = {
            result: 'failed',
            status: OtaStatus.higher,
            msg: higherText(version),
            final: true,
          } as const
          await deps.rollouts.settle(row, settlement)
        }
      } else answer ??= await goOn(deps, links, device, row, { version, module: name })
    }
    await join(deps, device, module, version, rows)
    return answer
  }
}
