/** What became of each device of a run, as a CSV file made by a job. */
import { Readable } from 'node:stream'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { exportTask as endpoint, TaskDevice } from '@ithings/contract/features/task-results.ts'
import { type DeployStatus, deployStatusLabels } from '@ithings/contract/features/tasks.ts'
import { csvHead, csvLine, type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { type DeviceFilter, devicesOfRun, toTaskDevices } from './list-task-devices.ts'
import { findRun, findTask } from './store.ts'
import type { TasksKit } from './tasks-kit.ts'

const exportKind = 'task.export'
const step = 1_000

interface Input {
  runID: number
  filter: DeviceFilter
}

export async function exportTask(kit: TasksKit, input: BodyOutput<typeof endpoint>, user: SignedInUser) {
  const { taskID, runID, ...filter } = input
  const task = await findTask(kit.db, taskID)
  const run = await findRun(kit.db, task, runID)
  if (!run) throw new AppError(errors.parameter, { detail: '任务还没有执行过，没有可导出的结果' })
  const job: Input = { runID: run.run_id, filter }
  const title = `导出设备任务「${task.name}」的结果`
  return { jobID: await startJob(kit.jobs, { kind: exportKind, title, input: job, total: run.total, user }) }
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

const line = (row: TaskDevice): string =>
  csvLine([
    row.deviceName,
    row.deviceAlias,
    deployStatusLabels[row.status as DeployStatus],
    String(row.code),
    row.msg,
    String(row.attempts),
    time(row.sentTime),
    time(row.doneTime),
    row.clientToken,
    row.reply,
  ])

async function run({ db }: TasksKit, { input, progress, keepFile }: JobContext<Input>) {
  const { runID, filter } = input
  let written = 0
  async function* content() {
    yield csvHead(heads)
    for (let last = 0; ; ) {
      const rows = await devicesOfRun(db, runID, filter)
        .selectAll()
        .where('position', '>', last)
        .orderBy('position')
        .limit(step)
        .execute()
      written += rows.length
      await progress(written, written)
      yield (await toTaskDevices(db, rows)).map(line).join('')
      last = rows.at(-1)?.position ?? last
      if (rows.length < step) return
    }
  }
  await keepFile('task-results.csv', Readable.from(content()))
  return { total: written }
}

export const exportJob = (kit: TasksKit): JobKind => ({
  kind: exportKind,
  run: (context) => run(kit, context as JobContext<Input>),
})
