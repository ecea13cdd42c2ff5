/** The devices of a filter, or chosen ones, as a CSV file; begins with the columns of the import, without secrets. */
import { Readable } from 'node:stream'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type exportDevices as exportEndpoint, importColumns } from '@ithings/contract/features/devices/bulk.ts'
import {
  type DeviceStatus,
  deviceStatusLabels,
  type LogLevel,
  logLevelLabels,
} from '@ithings/contract/features/devices/info.ts'
import { type DeviceType, deviceTypeLabels } from '@ithings/contract/features/products/info.ts'
import { sql } from 'kysely'
import { findByKeys } from '#db/device-keys.ts'
import { type DeviceRow, devicesByID } from '#db/device-rows.ts'
import type { Db } from '#db/schema.ts'
import { csvHead, csvLine, type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { resolveScope, scopeCondition } from './device-scope.ts'
import type { DevicesKit } from './devices-kit.ts'

type Input = BodyOutput<typeof exportEndpoint>

export const exportKind = 'device.export'
/** Ids are found in large steps, because a rare filter visits the same index for each; rows are read in small ones. */
const idStep = 50_000
const rowStep = 1_000

export async function startExport(kit: DevicesKit, input: Input, user: SignedInUser) {
  return { jobID: await startJob(kit.jobs, { kind: exportKind, title: '导出设备', input, user }) }
}

const heads = [
  ...importColumns.map(([, title]) => title),
  '产品ID',
  '设备类型',
  '设备状态',
  '固件版本',
  '是否启用',
  '创建时间',
  '激活时间',
  '最后上线时间',
]

const time = (value: Date | null): string => (value ? value.toISOString() : '')

const line = (row: DeviceRow): string =>
  csvLine([
    row.product_name,
    row.device_name,
    row.device_alias,
    '',
    logLevelLabels[row.log_level as LogLevel] ?? '',
    row.tags.map((tag) => `${tag.key}:${tag.value}`).join(';'),
    row.longitude === 0 && row.latitude === 0 ? '' : `${row.longitude},${row.latitude}`,
    row.address,
    '',
    row.product_id,
    deviceTypeLabels[row.device_type as DeviceType] ?? '',
    deviceStatusLabels[row.status as DeviceStatus],
    row.version,
    row.is_enable === 1 ? '是' : '否',
    time(row.created_at),
    time(row.first_login),
    time(row.last_login),
  ])

async function* idsOf(db: Db, { list, ...filter }: Input): AsyncGenerator<number[]> {
  if (list) {
    const { found } = await findByKeys(db, list)
    yield found.map((one) => one.deviceID)
    return
  }
  const scope = await resolveScope(db, filter)
  for (let last = 0; !scope.empty; ) {
    const { rows } = await sql<{ device_id: number }>`
      select device_id from device where ${scopeCondition(scope)} and device_id > ${last}
      order by device_id limit ${idStep}`.execute(db)
    yield rows.map((row) => row.device_id)
    if (rows.length < idStep) return
    last = rows.at(-1)?.device_id ?? last
  }
}

async function run({ db }: DevicesKit, { input, progress, keepFile }: JobContext<Input>) {
  let written = 0
  let known = 0
  async function* content() {
    yield csvHead(heads)
    for await (const ids of idsOf(db, input)) {
      known += ids.length
      for (let at = 0; at < ids.length; at += rowStep) {
        const rows = await devicesByID(db, ids.slice(at, at + rowStep))
        written += rows.length
        await progress(written, known)
        yield rows.map(line).join('')
      }
    }
  }
  await keepFile('devices.csv', Readable.from(content()))
  await progress(written, written)
  return { total: written }
}

export const exportJob = (kit: DevicesKit): JobKind => ({
  kind: exportKind,
  run: (context) => run(kit, context as JobContext<Input>),
})
