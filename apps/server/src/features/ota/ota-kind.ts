/** What the machinery of runs has to know about upgrades: what is pushed, when a stage is over, what an end means. */
import { minuteMs } from '@ithings/contract/durations.ts'
import { errors } from '@ithings/contract/errors.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type RolloutKind, type RolloutRow, RowState, type SendOutcome } from '#features/rollouts/door.ts'
import { isKnown, isRestricted, judgeVersion, unfitText } from './judge-version.ts'
import { type DeviceState, readDeviceState } from './module-store.ts'
import type { OtaDeps } from './ota-deps.ts'
import { askVersion, pushUpgrade } from './push-message.ts'
import { ended, reopened, reviewStages } from './stage-review.ts'
import { forgetCounts } from './task-counts.ts'
import { findTask, mayOverwrite, openRowsOf, type StoredTask, takesLate } from './task-store.ts'
import { beginTrial } from './trial-watch.ts'
import { type FileLinks, makeFileLinks, upgradeInfo } from './upgrade-info.ts'

/** One upgrade at a time: of the tasks that want a module of a device at the same moment one gets it. */
interface Rival {
  id: number
  taskID: number
  taskUid: string
  module: number
  clientToken: string
  /** Pushed, or about to be. */
  took: boolean
}

/**
 * Claimed rows of a device are locked together, in the order of their ids as everywhere: who comes second waits here
 * and finds the mark of the first. That somebody else has only claimed it too is no reason to step back, or both would.
 * @returns why the device cannot be taken; undefined: it is ours
 */
async function takeDevice(
  pool: Db,
  task: StoredTask,
  { id, deviceID, clientToken }: Pick<RolloutRow, 'id' | 'deviceID' | 'clientToken'>,
): Promise<string | undefined> {
  return pool.transaction().execute(async (db) => {
    const { rows } = await sql<Rival>`
      select one.id, task.task_id as "taskID", task.task_uid as "taskUid", firmware.module,
        one.client_token as "clientToken",
        one.sent_at <> 0 or coalesce(one.detail ->> 'took' = one.client_token, false) as took
      from rollout_device one join ota_task task using (run_id) join firmware using (firmware_id)
      where one.device_id = ${deviceID} and one.state = ${sql.lit(RowState.sent)}
      order by one.id for update of one`.execute(db)
    const rival = rows.find(
      (row) => row.id !== id && row.took && row.module === task.module && !mayOverwrite(task, row),
    )
    if (rival) return kept('设备正在升级任务 {task} 中升级', { task: rival.taskUid })
    // Cancelled since it was claimed, by a person or by a newer task.
    if (!rows.some((row) => row.id === id && row.clientToken === clientToken)) return kept('升级已取消')
    // Of this try: the mark of an earlier one must not keep others away.
    await sql`
      update rollout_device set detail = detail || jsonb_build_object('took', client_token) where id = ${id}`.execute(
      db,
    )
    return undefined
  })
}

/** Tasks change seldom, devices are many. */
const keepTaskMs = 1_000

const failed = (msg: string, code: number = errors.failure.code): SendOutcome => ({
  result: 'failed',
  code,
  msg,
  final: true,
})

/**
 * A device that cannot take the package says nothing about it, so it does not count for a stage. After a try of the same
 * round it does: what came of that try must not be hidden.
 */
const unfit = ({ attempts, triedBefore }: RolloutRow, msg: string, code: number = errors.failure.code): SendOutcome =>
  attempts - triedBefore > 1 ? failed(msg, code) : { result: 'dropped', code, msg }

/**
 * The device has the version. Pushed by an earlier try it has to prove itself nevertheless, whether it is there now or
 * not: the time for that is limited, and a device that is dead fails when it is over.
 */
const arrivedBefore = ({ plan }: StoredTask, { attempts, clientToken }: RolloutRow, now: number): SendOutcome =>
  plan.probationMinutes > 0 && attempts > 1
    ? { result: 'sent', ...beginTrial(plan, clientToken, now) }
    : { result: 'done', msg: kept('设备已是目标版本') }

/** Before the push; undefined: it may be pushed. `ask`: its version has to be known first. */
function judgeDevice(
  task: StoredTask,
  device: DeviceState,
  row: RolloutRow,
  now: number,
): SendOutcome | 'ask' | undefined {
  const upgrade = { ...task, versionList: task.plan.versionList }
  const known = isKnown(task.plan.source, device.reportedAt, task.createdAt)
  const verdict = known ? judgeVersion(device.version, upgrade) : isRestricted(upgrade) ? 'unknown' : 'fits'
  switch (verdict) {
    case 'fits':
      return undefined
    case 'unknown':
      return 'ask'
    case 'newest':
      return arrivedBefore(task, row, now)
    case 'higher':
      return { ...failed(higherText(device.version)), status: OtaStatus.higher } as SendOutcome
    case 'diffSource':
    case 'notListed':
      return unfit(row, unfitText(verdict, device.version, task))
  }
}

/** Why a device that is ahead of the package is left alone, with 601 (device-protocol.md 8). */
export const higherText = (version: string): string => kept('设备版本高于升级包版本：{version}', { version })

/** @returns why the device cannot be taken now */
async function takeFromOthers(deps: OtaDeps, task: StoredTask, row: RolloutRow): Promise<string | undefined> {
  const rows = await openRowsOf(deps.db, row.deviceID, task.module)
  const others = rows.filter(({ runID }) => runID !== row.runID)
  if (others.length === 0) return undefined
  const busy = await takeDevice(deps.db, task, row)
  if (busy) return busy
  for (const other of others.filter((one) => mayOverwrite(task, one.task))) {
    await deps.rollouts.cancelRows(
      other.runID,
      { ids: [other.id] },
      kept('被升级任务 {task} 覆盖', { task: task.taskUid }),
    )
    await forgetCounts(deps.db, other.task.taskID)
  }
  return undefined
}

async function send(deps: OtaDeps, links: FileLinks, task: StoredTask, row: RolloutRow): Promise<SendOutcome> {
  const device = await readDeviceState(deps.db, row.deviceID, task.module)
  if (!device) return { result: 'dropped', code: errors.notFound.code, msg: kept('设备已删除') }
  const verdict = judgeDevice(task, device, row, deps.clock.now())
  if (typeof verdict === 'object') return verdict
  if (!device.online) return { result: 'offline', msg: kept('设备离线，上线后推送') }
  const busy = await takeFromOthers(deps, task, row)
  if (busy) return unfit(row, busy, errors.ongoing.code)
  const timeoutMs = task.plan.timeoutInMinutes * minuteMs
  if (verdict === 'ask') {
    await askVersion(deps, row, row.clientToken)
    return { result: 'sent', timeoutMs, detail: { asked: true, step: 0 } }
  }
  await pushUpgrade(deps, row, row.clientToken, await upgradeInfo(links, task, row.id, device.moduleName))
  return { result: 'sent', timeoutMs, detail: { asked: false, step: 0 } }
}

export function otaKind(deps: OtaDeps): RolloutKind {
  const links = makeFileLinks(deps)
  let known: { at: number; tasks: Map<number, Promise<StoredTask | undefined>> } = { at: 0, tasks: new Map() }
  const taskOf = (taskID: number) => {
    const now = deps.clock.now()
    if (Math.abs(now - known.at) > keepTaskMs) known = { at: now, tasks: new Map() }
    const task = known.tasks.get(taskID) ?? findTask(deps.db, taskID)
    known.tasks.set(taskID, task)
    return task
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
      return task ? send(deps, links, task, row) : failed(kept('升级任务不存在'), errors.notFound.code)
    },
    // The device may have it: sending again would be a second push.
    lost: (row) => ({ then: 'sent', timeoutMs: Number(row.detail.timeoutMs) || minuteMs }),
    dropsGone: true,
    review: (tx, run, counts) => reviewStages(tx, run, counts, deps.clock.now()),
    ended: (tx, run, counts) => ended(tx, run, counts, deps.clock.now()),
    reopened: (tx, run) => reopened(tx, run),
    async staysOpen(tx, run) {
      const task = await findTask(tx, run.ownerID)
      return task !== undefined && takesLate(task, deps.clock.now())
    },
  }
}
