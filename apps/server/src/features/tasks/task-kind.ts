/** What the machinery of runs has to know about device tasks (screens.md 7.3). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { ShadowControl } from '@ithings/contract/features/commands.ts'
import { DeployStatus, type TaskInput, TaskType } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { readObject, sendActionTo, sendPropertyTo } from '#features/commands/door.ts'
import { sendConfigTo } from '#features/remote-config/door.ts'
import { type RolloutKind, type RolloutRow, type RolloutRun, RowState } from '#features/rollouts/door.ts'
import type { Answers } from './answers.ts'
import type { TasksDeps } from './tasks-deps.ts'

// What open runs send, remembered for a moment: a run asks for each of its devices, and no task is edited meanwhile.

type SentPlan = Omit<TaskInput, 'deviceNames'>
/** @param db of whoever holds a transaction: waiting for a second connection could be for ever */
type PlanCache = (run: { runID: number; ownerID: number }, db?: Db) => Promise<SentPlan | undefined>

const freshMs = 5_000
const most = 200

function makePlanCache({ db: pool, clock }: Pick<TasksDeps, 'db' | 'clock'>): PlanCache {
  const known = new Map<number, { plan: Promise<SentPlan | undefined>; at: number }>()
  const load = async (db: Db, taskID: number) => {
    const { rows } = await sql<{ plan: SentPlan }>`
      select plan - 'deviceNames' as plan from device_task where task_id = ${taskID}`.execute(db)
    return rows[0]?.plan
  }
  return ({ runID, ownerID }, db = pool) => {
    const now = clock.now()
    const before = known.get(runID)
    if (before && now - before.at < freshMs) return before.plan
    const plan = load(db, ownerID)
    plan.catch(() => known.delete(runID))
    known.delete(runID)
    for (const oldest of known.keys()) {
      if (known.size < most) break
      known.delete(oldest)
    }
    known.set(runID, { plan, at: now })
    return plan
  }
}

// The breaker of a task (screens.md 7.1 failStop): too many failures among those that are over end the run.

/** A share of one or two devices says nothing; of a few devices half of them will do. */
const enough = 10

interface FailCounts {
  total: number
  success: number
  failed: number
}

/** @returns why the run ends here; undefined: it goes on. `failStop` 0: never */
export function failStop(percent: number, { total, success, failed }: FailCounts): string | undefined {
  const ended = success + failed
  if (percent <= 0 || failed === 0 || ended < Math.min(enough, Math.ceil(total / 2))) return undefined
  const share = (failed * 100) / ended
  return share >= percent ? kept('失败率达到 {percent}%，已熔断', { percent: Math.floor(share) }) : undefined
}

type SendOutcome = Awaited<ReturnType<RolloutKind['send']>>

const success = 200
const offline = (final: boolean): SendOutcome => ({
  result: 'failed',
  code: errors.notOnline.code,
  msg: kept('设备离线'),
  final,
})

interface Sending {
  run: RolloutRun
  row: RolloutRow
  plan: SentPlan
}

async function sendConfig(deps: TasksDeps, { row, plan }: Sending): Promise<SendOutcome> {
  const sent = await sendConfigTo(deps.remoteConfig, row, plan.configID ?? undefined)
  return sent.delivered
    ? { result: 'done', code: success, msg: kept('配置 {configID} 已下发', { configID: sent.configID }) }
    : offline(false)
}

/** The answer comes by itself (answers.ts), within the task's own time. */
async function sendCommand(deps: TasksDeps, { run, row, plan }: Sending): Promise<SendOutcome> {
  const options = {
    source: 'task',
    isAsync: true,
    userName: run.userName,
    clientToken: row.clientToken,
  } as const
  const timeoutMs = plan.timeout * 1000
  if (plan.taskType === TaskType.action) {
    const call = { actionID: plan.actionID ?? '', inputs: readObject(plan.inputParams || '{}', 'inputParams') }
    await sendActionTo(deps.commands, row, call, options)
    return { result: 'sent', timeoutMs }
  }
  const { shadowControl } = plan
  const values = readObject(plan.data ?? '', 'data')
  const { code, msg } = await sendPropertyTo(deps.commands, row, values, { ...options, shadowControl })
  // Written as a desired value: over at once.
  return code === success ? { result: 'done', code, msg } : { result: 'sent', timeoutMs }
}

/** A device that is gone, or a value that the model does not take any more, will be no better the next time. */
const hopeless: number[] = [errors.notFound.code, errors.parameter.code, errors.outOfRange.code]

function explain(error: AppError, { taskType, shadowControl }: SentPlan): SendOutcome {
  if (error.code === errors.notOnline.code) {
    return offline(taskType === TaskType.property && shadowControl === ShadowControl.live)
  }
  return { result: 'failed', code: error.code, msg: error.kept(), final: hopeless.includes(error.code) }
}

async function send(deps: TasksDeps, sending: Sending): Promise<SendOutcome> {
  try {
    return sending.plan.taskType === TaskType.config
      ? await sendConfig(deps, sending)
      : await sendCommand(deps, sending)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return explain(error, sending.plan)
  }
}

/** @param isPatient the platform has just started: its devices are still on their way back */
export function taskKind(deps: TasksDeps, answers: Pick<Answers, 'sending'>, isPatient: () => boolean): RolloutKind {
  const planOf = makePlanCache(deps)
  return {
    kind: 'task',
    // decisions.md 2 "Device task status": cancelled is 4 with the reason 已取消.
    statuses: {
      waiting: DeployStatus.waiting,
      sent: DeployStatus.running,
      success: DeployStatus.success,
      failed: DeployStatus.failed,
      cancelled: DeployStatus.failed,
    },
    async send(run, row) {
      const plan = await planOf(run)
      if (!plan) return { result: 'failed', code: errors.notFound.code, msg: kept('任务已被删除'), final: true }
      const outcome = await answers.sending(row, () => send(deps, { run, row, plan }))
      const away = outcome.result === 'failed' && outcome.code === errors.notOnline.code
      return away && isPatient() ? { result: 'offline', msg: kept('等待设备重新连接') } : outcome
    },
    // Setting a property or a configuration twice does no harm; whether an action was called nobody knows.
    lost: ({ detail }) =>
      detail.taskType === TaskType.action
        ? { then: 'failed', msg: kept('结果未知：平台在下发时停止') }
        : { then: 'again' },
    async review(tx, run, { byState }) {
      const plan = await planOf(run, tx)
      const total = Object.values(byState).reduce((sum, count) => sum + count, 0)
      const counts = { total, success: byState[RowState.success], failed: byState[RowState.failed] }
      const halt = plan && failStop(plan.failStop, counts)
      return halt ? { halt } : {}
    },
  }
}
