/** What the machinery of runs has to know about device tasks (screens.md 7.3). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { ShadowControl } from '@ithings/contract/features/devices/interact.ts'
import { DeployStatus, TaskType } from '@ithings/contract/features/tasks.ts'
import { readObject, sendActionTo, sendPropertyTo } from '#features/commands/door.ts'
import { sendConfigTo } from '#features/remote-config/door.ts'
import { type RolloutKind, type RolloutRow, type RolloutRun, RowState } from '#features/rollouts/door.ts'
import type { Answers } from './answers.ts'
import { failStop } from './fail-stop.ts'
import { makePlanBook, type SentPlan } from './plan-book.ts'
import type { TasksKit } from './tasks-kit.ts'

type SendOutcome = Awaited<ReturnType<RolloutKind['send']>>

const success = 200
const offline = (final: boolean): SendOutcome => ({
  result: 'failed',
  code: errors.notOnline.code,
  msg: '设备离线',
  final,
})

interface Sending {
  run: RolloutRun
  row: RolloutRow
  plan: SentPlan
}

async function sendConfig(kit: TasksKit, { row, plan }: Sending): Promise<SendOutcome> {
  const sent = await sendConfigTo(kit.remoteConfig, row, plan.configID ?? undefined)
  return sent.delivered ? { result: 'done', code: success, msg: `配置 ${sent.configID} 已下发` } : offline(false)
}

/** The answer comes by itself (answers.ts), within the task's own time. */
async function sendCommand(kit: TasksKit, { run, row, plan }: Sending): Promise<SendOutcome> {
  const options = {
    source: 'task',
    isAsync: true,
    userName: run.userName,
    clientToken: row.clientToken,
  } as const
  const timeoutMs = plan.timeout * 1000
  if (plan.taskType === TaskType.action) {
    const call = { actionID: plan.actionID ?? '', inputs: readObject(plan.inputParams || '{}', 'inputParams') }
    await sendActionTo(kit.commands, row, call, options)
    return { result: 'sent', timeoutMs }
  }
  const { shadowControl } = plan
  const values = readObject(plan.data ?? '', 'data')
  const { code, msg } = await sendPropertyTo(kit.commands, row, values, { ...options, shadowControl })
  // Written as a desired value: over at once.
  return code === success ? { result: 'done', code, msg } : { result: 'sent', timeoutMs }
}

/** A device that is gone, or a value that the model does not take any more, will be no better the next time. */
const hopeless: number[] = [errors.notFound.code, errors.parameter.code, errors.outOfRange.code]

function explain(error: AppError, { taskType, shadowControl }: SentPlan): SendOutcome {
  if (error.code === errors.notOnline.code) {
    return offline(taskType === TaskType.property && shadowControl === ShadowControl.live)
  }
  return { result: 'failed', code: error.code, msg: error.message, final: hopeless.includes(error.code) }
}

async function send(kit: TasksKit, sending: Sending): Promise<SendOutcome> {
  try {
    return sending.plan.taskType === TaskType.config ? await sendConfig(kit, sending) : await sendCommand(kit, sending)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return explain(error, sending.plan)
  }
}

/** @param isPatient the platform has just started: its devices are still on their way back */
export function taskKind(kit: TasksKit, answers: Pick<Answers, 'sending'>, isPatient: () => boolean): RolloutKind {
  const planOf = makePlanBook(kit)
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
      if (!plan) return { result: 'failed', code: errors.notFound.code, msg: '任务已被删除', final: true }
      const outcome = await answers.sending(row, () => send(kit, { run, row, plan }))
      const away = outcome.result === 'failed' && outcome.code === errors.notOnline.code
      return away && isPatient() ? { result: 'offline', msg: '等待设备重新连接' } : outcome
    },
    // Setting a property or a configuration twice does no harm; whether an action was called nobody knows.
    lost: ({ detail }) =>
      detail.taskType === TaskType.action ? { then: 'failed', msg: '结果未知：平台在下发时停止' } : { then: 'again' },
    async review(tx, run, { byState }) {
      const plan = await planOf(run, tx)
      const total = Object.values(byState).reduce((sum, count) => sum + count, 0)
      const counts = { total, success: byState[RowState.success], failed: byState[RowState.failed] }
      const halt = plan && failStop(plan.failStop, counts)
      return halt ? { halt } : {}
    },
  }
}
