/** What became of each device of a run, as a CSV file made by a job. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { exportTask as endpoint, TaskDevice } from '@ithings/contract/features/task-results.ts'
import { type DeployStatus, deployStatusLabels } from '@ithings/contract/features/tasks.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { exportCsv, inPortions, type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { type DeviceFilter, devicesOfRun, toTaskDevices } from './list-task-devices.ts'
import { findRun, findTask } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

const exportKind = 'task.export'

interface Input {
  runID: number
  filter: DeviceFilter
}

export async function exportTask(deps: TasksDeps, input: BodyOutput<typeof endpoint>, user: SignedInUser) {
  const { taskID, runID, ...filter } = input
  const task = await findTask(deps.db, taskID)
  const run = await findRun(deps.db, task, runID)
  if (!run) throw new AppError(errors.parameter, { detail: phrase('任务还没有执行过，没有可导出的结果') })
  const job: Input = { runID: run.run_id, filter }
  const title = kept('导出设备任务「{name}」的结果', { name: task.name })
  return { jobID: await startJob(deps.jobs, { kind: exportKind, title, input: job, total: run.total, user }) }
}

const heads = [
  '设备名称',
  '设备别名',
  '状态',
  '结果码',
  '结果说明',
  '尝试次数',
  '下发时间',
  '完成时间',
  'clientToken',
  '设备回复',
]
const time = (ms: number): string => (ms === 0 ? '' : new Date(ms).toISOString())

const cells = (row: TaskDevice): string[] => [
  row.deviceName,
  row.deviceAlias,
  kept(deployStatusLabels[row.status as DeployStatus], { context: 'state' }),
  String(row.code),
  row.msg,
  String(row.attempts),
  time(row.sentTime),
  time(row.doneTime),
  row.clientToken,
  row.reply,
]

async function run({ db }: TasksDeps, context: JobContext<Input>) {
  const { runID, filter } = context.input
  const devices = await devicesOfRun(db, runID, filter)
  const stored = inPortions(
    (after, limit) => devices().selectAll().where('position', '>', after).orderBy('position').limit(limit).execute(),
    (row) => row.position,
  )
  async function* portions() {
    for await (const rows of stored) yield toTaskDevices(db, rows)
  }
  return exportCsv(context, { fileName: 'task-results.csv', heads, portions: portions(), cells })
}

export const exportJob = (deps: TasksDeps): JobKind => ({
  kind: exportKind,
  run: (context) => run(deps, context as JobContext<Input>),
})
