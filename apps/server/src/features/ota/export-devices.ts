/** The devices of a task as a file, made by a job. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { exportOtaDevices, OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { type OtaStatus, otaStatusLabels } from '@ithings/contract/features/ota/states.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
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
import { type DeviceColumns, deviceColumns, deviceCondition, deviceTables, deviceWire } from './device-rows.ts'
import type { OtaDeps } from './ota-deps.ts'
import { requireTask } from './task-store.ts'

export const exportKind = 'ota.export'

type Input = BodyOutput<typeof exportOtaDevices>

export async function startExport(deps: OtaDeps, input: Input, user: SignedInUser) {
  const { taskUid } = await requireTask(deps.db, input)
  const title = kept('导出升级任务 {taskUid}', { taskUid })
  return { jobID: await startJob(deps.jobs, { kind: exportKind, title, input, user }) }
}

const columns: TableColumn[] = [
  ...['设备名称', '设备别名', '原版本', '目标版本', '状态'].map((head) => ({ head, type: 'text' as const })),
  { head: '进度', type: 'integer' },
  { head: '详情', type: 'text' },
  { head: '推送次数', type: 'integer' },
  { head: '推送时间', type: 'time' },
  { head: '结束时间', type: 'time' },
]
const time = (seconds: number): Cell => (seconds === 0 ? undefined : seconds * 1000)

const cells = (row: OtaDevice): Cell[] => [
  row.deviceName,
  row.deviceAlias,
  row.version,
  row.destVersion,
  kept(otaStatusLabels[row.status as OtaStatus], { context: 'state' }),
  row.step === 0 ? undefined : row.step,
  row.detail,
  row.attempts,
  time(row.pushedTime),
  time(row.doneTime),
]

async function run({ db }: OtaDeps, context: JobContext<Input>) {
  const { input } = context
  const task = await requireTask(db, input)
  const condition = await deviceCondition(db, task, input)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from rollout_device one where ${condition}`.execute(db)
  const total = counted[0]?.total ?? 0
  const spell = deviceWire(task, total)
  const portions = inPortions<DeviceColumns>(
    async (after, limit) => {
      const { rows } = await sql<DeviceColumns>`
        select ${deviceColumns} from ${deviceTables} where ${condition} and one.position > ${after}
        order by one.position limit ${limit}`.execute(db)
      return rows
    },
    (row) => row.position,
  )
  const name = `upgrade-${task.taskUid}`
  const { format } = input
  return exportTable(context, {
    name,
    format,
    columns,
    portions,
    cells: (row) => cells(spell(row)),
    total: () => total,
  })
}

export const exportJob = (deps: OtaDeps): JobKind => ({
  kind: exportKind,
  run: (context) => run(deps, context as JobContext<Input>),
})
