/** What became of each device of a run, as a file made by a job. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import type { exportTask as endpoint, TaskDevice } from '@ithings/contract/features/task-results.ts'
import { type DeployStatus, deployStatusLabels } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import {
  type Cell,
  exportTable,
  inPortions,
  type JobContext,
  type JobKind,
  startJob,
  type TableColumn,
} from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { type DeviceFilter, devicesOfRun, toTaskDevices } from './list-task-devices.ts'
import { findRun, findTask } from './store.ts'
import type { TasksDeps } from './tasks-deps.ts'

const exportKind = 'task.export'

interface Input {
  runID: number
  format?: TableFormat
  filter: DeviceFilter
}

export async function exportTask(deps: TasksDeps, input: BodyOutput<typeof endpoint>, user: SignedInUser) {
  const { taskID, runID, format, ...filter } = input
  const task = await findTask(deps.db, taskID)
  const run = await findRun(deps.db, task, runID)
  if (!run) throw refusal(errors.parameter, '任务还没有执行过，没有可导出的结果')
  const job: Input = { runID: run.run_id, format, filter }
  const title = kept('导出设备任务「{name}」的结果', { name: task.name })
  return { jobID: await startJob(deps.jobs, { kind: exportKind, title, input: job, total: run.total, user }) }
}

const columns: TableColumn[] = [
  ...['设备名称', '设备别名', '状态'].map((head) => ({ head, type: 'text' as const })),
  { head: '结果码', type: 'integer' },
  { head: '结果说明', type: 'text' },
  { head: '尝试次数', type: 'integer' },
  { head: '下发时间', type: 'time' },
  { head: '完成时间', type: 'time' },
  { head: 'clientToken', type: 'text' },
  { head: '设备回复', type: 'text' },
]
const time = (ms: number): Cell => ms || undefined

const cells = (row: TaskDevice): Cell[] => [
  row.deviceName,
  row.deviceAlias,
  kept(deployStatusLabels[row.status as DeployStatus], { context: 'state' }),
  row.code,
  row.msg,
  row.attempts,
  time(row.sentTime),
  time(row.doneTime),
  row.clientToken,
  row.reply,
]

async function run({ db }: TasksDeps, context: JobContext<Input>) {
  const { runID, format, filter } = context.input
  const devices = await devicesOfRun(db, runID, filter)
  const stored = inPortions(
    (after, limit) => devices().selectAll().where('position', '>', after).orderBy('position').limit(limit).execute(),
    (row) => row.position,
  )
  async function* portions() {
    for await (const rows of stored) yield toTaskDevices(db, rows)
  }
  return exportTable(context, { name: 'task-results', format, columns, portions: portions(), cells })
}

export const exportJob = (deps: TasksDeps): JobKind => ({
  kind: exportKind,
  run: (context) => run(deps, context as JobContext<Input>),
})
