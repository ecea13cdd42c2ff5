/** The devices of a filter, or chosen ones, as a file; begins with the columns of the import, without secrets. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type exportDevices as exportEndpoint, importColumns } from '@ithings/contract/features/devices/bulk.ts'
import {
  type DeviceStatus,
  deviceStatusLabels,
  type LogLevel,
  logLevelContext,
  logLevelLabels,
} from '@ithings/contract/features/devices/info.ts'
import { type DeviceType, deviceTypeLabels } from '@ithings/contract/features/products.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import {
  type Cell,
  exportTable,
  type JobContext,
  type JobKind,
  startJob,
  type TableColumn,
} from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { findByKeys } from './device-keys.ts'
import { type DeviceRow, devicesByID } from './device-rows.ts'
import { resolveScope, scopeCondition } from './device-scope.ts'
import type { DevicesDeps } from './devices-deps.ts'

type Input = BodyOutput<typeof exportEndpoint>

export const exportKind = 'device.export'
/** Ids are found in large steps, because a rare filter visits the same index for each; rows are read in small ones. */
const idStep = 50_000
const rowStep = 1_000

export async function startExport(deps: DevicesDeps, input: Input, user: SignedInUser) {
  return { jobID: await startJob(deps.jobs, { kind: exportKind, title: kept('导出设备'), input, user }) }
}

const texts = [...importColumns.map(([, title]) => title), '产品ID', '设备类型', '设备状态', '固件版本', '是否启用']
const columns: TableColumn[] = [
  ...texts.map((head) => ({ head, type: 'text' as const })),
  ...['创建时间', '激活时间', '最后上线时间'].map((head) => ({ head, type: 'time' as const })),
]

const time = (value: Date | null): Cell => value?.getTime()

const label = (words: string | undefined): string => (words === undefined ? '' : kept(words, { context: 'state' }))

const cells = (row: DeviceRow): Cell[] => [
  row.product_name,
  row.device_name,
  row.device_alias,
  '',
  kept(logLevelLabels[row.log_level as LogLevel], logLevelContext(row.log_level as LogLevel)),
  row.tags.map((tag) => `${tag.key}:${tag.value}`).join(';'),
  row.longitude === 0 && row.latitude === 0 ? '' : `${row.longitude},${row.latitude}`,
  row.address,
  '',
  row.product_id,
  label(deviceTypeLabels[row.device_type as DeviceType]),
  label(deviceStatusLabels[row.status as DeviceStatus]),
  row.version,
  kept(row.is_enable === 1 ? '是' : '否'),
  time(row.created_at),
  time(row.first_login),
  time(row.last_login),
]

async function* idsOf(db: Db, { list, format: _, ...filter }: Input): AsyncGenerator<number[]> {
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

async function run({ db }: DevicesDeps, context: JobContext<Input>) {
  let known = 0
  async function* portions() {
    for await (const ids of idsOf(db, context.input)) {
      known += ids.length
      for (let at = 0; at < ids.length; at += rowStep) yield devicesByID(db, ids.slice(at, at + rowStep))
    }
  }
  const { format } = context.input
  return exportTable(context, { name: 'devices', format, columns, portions: portions(), cells, total: () => known })
}

export const exportJob = (deps: DevicesDeps): JobKind => ({
  kind: exportKind,
  run: (context) => run(deps, context as JobContext<Input>),
})
