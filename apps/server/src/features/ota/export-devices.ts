/** The devices of a task as a CSV file, made by a job. */
import { Readable } from 'node:stream'
import type { OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { type OtaStatus, otaStatusLabels } from '@ithings/contract/features/ota/states.ts'
import { sql } from 'kysely'
import { csvHead, csvLine, type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import {
  type DeviceColumns,
  type DeviceFilter,
  deviceColumns,
  deviceCondition,
  deviceTables,
  deviceWire,
} from './device-rows.ts'
import type { OtaKit } from './ota-kit.ts'
import { requireTask } from './task-store.ts'

export const exportKind = 'ota.export'
const rowStep = 1_000

export async function startExport(kit: OtaKit, input: DeviceFilter, user: SignedInUser) {
  const { taskUid } = await requireTask(kit.db, input)
  return { jobID: await startJob(kit.jobs, { kind: exportKind, title: `导出升级任务 ${taskUid}`, input, user }) }
}

const heads = ['设备名称', '设备别名', '原版本', '目标版本', '状态', '进度', '详情', '推送次数', '推送时间', '结束时间']
const time = (seconds: number): string => (seconds === 0 ? '' : new Date(seconds * 1000).toISOString())

const line = (row: OtaDevice): string =>
  csvLine([
    row.deviceName,
    row.deviceAlias,
    row.version,
    row.destVersion,
    otaStatusLabels[row.status as OtaStatus],
    row.step === 0 ? '' : String(row.step),
    row.detail,
    String(row.attempts),
    time(row.pushedTime),
    time(row.doneTime),
  ])

async function run({ db }: OtaKit, { input, progress, keepFile }: JobContext<DeviceFilter>) {
  const task = await requireTask(db, input)
  const condition = await deviceCondition(db, task, input)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from rollout_device one where ${condition}`.execute(db)
  const total = counted[0]?.total ?? 0
  const spell = deviceWire(task, total)
  let written = 0
  async function* content() {
    yield csvHead(heads)
    for (let last = 0; ; ) {
      const { rows } = await sql<DeviceColumns>`
        select ${deviceColumns} from ${deviceTables} where ${condition} and one.position > ${last}
        order by one.position limit ${rowStep}`.execute(db)
      written += rows.length
      await progress(written, Math.max(total, written))
      yield rows.map((row) => line(spell(row))).join('')
      if (rows.length < rowStep) return
      last = rows.at(-1)?.position ?? last
    }
  }
  await keepFile(`upgrade-${task.taskUid}.csv`, Readable.from(content()))
  await progress(written, written)
  return { total: written }
}

export const exportJob = (kit: OtaKit): JobKind => ({
  kind: exportKind,
  run: (context) => run(kit, context as JobContext<DeviceFilter>),
})
