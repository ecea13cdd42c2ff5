/** What the machinery of runs has to know about upgrades: what is pushed, when a stage is over, what an end means. */
import { successText } from '@ithings/contract/device/messages.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { OtaStrategy } from '@ithings/contract/features/ota/task.ts'
import { sendToDevice } from '#downlink/send.ts'
import type { RolloutKind, RolloutRow, SendOutcome } from '#features/rollouts/door.ts'
import { isKnown, isRestricted, judgeVersion } from './judge-version.ts'
import { type DeviceState, readDeviceState } from './module-store.ts'
import type { OtaKit } from './ota-kit.ts'
import { ended, reviewStages } from './stage-review.ts'
import { takeDevice } from './take-device.ts'
import { forgetCounts } from './task-counts.ts'
import { findTask, openRowsOf, type StoredTask } from './task-store.ts'
import { type FileLinks, makeFileLinks, upgradeInfo } from './upgrade-info.ts'

const minuteMs = 60_000
/** Tasks change seldom, devices are many. */
const keepTaskMs = 1_000

const failed = (msg: string, code: number = errors.failure.code): SendOutcome => ({
  result: 'failed',
  code,
  msg,
  final: true,
})

/** Before the push; undefined: it may be pushed. `ask`: its version has to be known first. */
function judgeDevice(task: StoredTask, device: DeviceState): SendOutcome | 'ask' | undefined {
  const upgrade = { ...task, versionList: task.plan.versionList }
  const known = isKnown(task.plan.source, device.reportedAt, task.createdAt)
  const verdict = known ? judgeVersion(device.version, upgrade) : isRestricted(upgrade) ? 'unknown' : 'fits'
  switch (verdict) {
    case 'fits':
      return undefined
    case 'unknown':
      return 'ask'
    case 'newest':
      return { result: 'done', msg: '设备已是目标版本' }
    case 'higher':
      return { ...failed(higherText(device.version)), status: OtaStatus.higher } as SendOutcome
    case 'diffSource':
      return failed(`差分包须从版本 ${task.srcVersion} 升级，设备版本为 ${device.version}`)
    case 'notListed':
      return failed(`设备版本 ${device.version} 不在待升级版本中`)
  }
}

/** device-protocol.md 8 */
export const higherText = (version: string): string => `设备版本高于升级包版本：${version}`

/** @returns why the device cannot be taken now */
async function takeFromOthers(kit: OtaKit, task: StoredTask, row: RolloutRow): Promise<string | undefined> {
  const rows = await openRowsOf(kit.db, row.deviceID, task.module)
  const others = rows.filter(({ runID }) => runID !== row.runID)
  if (task.plan.isOverwriteMode === 1) {
    for (const other of others) {
      await kit.rollouts.cancelRows(other.runID, { ids: [other.id] }, `被升级任务 ${task.taskUid} 覆盖`)
      await forgetCounts(kit.db, other.task.taskID)
    }
    return undefined
  }
  if (others.length === 0) return undefined
  const busy = await takeDevice(kit.db, row)
  return busy && `设备正在升级任务 ${busy} 中升级`
}

async function push(
  kit: OtaKit,
  row: RolloutRow,
  message: { type: string; method: 'reportInfo' | 'getReport'; body: Record<string, unknown> },
): Promise<void> {
  const product = await kit.products.get(row.productID)
  if (!product) throw new AppError(errors.notFound, { detail: `产品 ${row.productID} 不存在` })
  const { deviceID, productID, deviceName, clientToken: token } = row
  const { type, method, body } = message
  const device = { deviceID, productID, deviceName }
  await sendToDevice(kit, { device, product, head: 'ota', type, message: { method, token, body } })
}

async function send(kit: OtaKit, links: FileLinks, task: StoredTask, row: RolloutRow): Promise<SendOutcome> {
  const device = await readDeviceState(kit.db, row.deviceID, task.module)
  if (!device) return failed('设备已被删除', errors.notFound.code)
  const verdict = judgeDevice(task, device)
  if (typeof verdict === 'object') return verdict
  if (!device.online) return { result: 'offline', msg: '设备离线，上线后推送' }
  const busy = await takeFromOthers(kit, task, row)
  if (busy) return failed(busy, errors.ongoing.code)
  const timeoutMs = task.plan.timeoutInMinutes * minuteMs
  if (verdict === 'ask') {
    await push(kit, row, { type: 'report', method: 'getReport', body: {} })
    return { result: 'sent', timeoutMs, detail: { asked: true, step: 0 } }
  }
  const data = await upgradeInfo(links, task, row.id, device.moduleName)
  const body = { code: 200, msg: successText, status: successText, data }
  await push(kit, row, { type: 'upgrade', method: 'reportInfo', body })
  return { result: 'sent', timeoutMs, detail: { asked: false, step: 0 } }
}

export function otaKind(kit: OtaKit): RolloutKind {
  const links = makeFileLinks(kit)
  let kept: { at: number; tasks: Map<number, Promise<StoredTask | undefined>> } = { at: 0, tasks: new Map() }
  const taskOf = (taskID: number) => {
    const now = kit.clock.now()
    if (Math.abs(now - kept.at) > keepTaskMs) kept = { at: now, tasks: new Map() }
    const known = kept.tasks.get(taskID) ?? findTask(kit.db, taskID)
    kept.tasks.set(taskID, known)
    return known
  }
  return {
    kind: 'ota',
    statuses: {
      waiting: OtaStatus.waiting,
      sent: OtaStatus.pushed,
      success: OtaStatus.success,
      failed: OtaStatus.failed,
      cancelled: OtaStatus.cancelled,
    },
    async send(run, row) {
      const task = await taskOf(run.ownerID)
      return task ? send(kit, links, task, row) : failed('升级任务不存在', errors.notFound.code)
    },
    // The device may have it: sending again would be a second push.
    lost: (row) => ({ then: 'sent', timeoutMs: Number(row.detail.timeoutMs) || minuteMs }),
    review: (tx, run, counts) => reviewStages(tx, run, counts, kit.clock.now()),
    ended: (tx, run, counts) => ended(tx, run, counts, kit.clock.now()),
    async staysOpen(tx, run) {
      const task = await findTask(tx, run.ownerID)
      return task?.plan.upgradeType === OtaStrategy.dynamic && (run.endAt === 0 || run.endAt > kit.clock.now())
    },
  }
}
