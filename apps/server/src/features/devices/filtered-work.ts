/** One act on all devices of a filter: a job that knows them from its beginning. */
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { filteredResult, multiUpdateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { maxByFilter } from '@ithings/contract/features/devices/bulk.ts'
import type { DeviceSet } from '@ithings/contract/features/devices/info.ts'
import { type JobKindName, jobKindLabels } from '@ithings/contract/features/jobs.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type * as z from 'zod'
import { type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { type TakenDevice, takeDevices } from './take-devices.ts'

type Outcome = DataOf<typeof multiUpdateDevices>

export interface FilteredWork<Input extends object> {
  kind: JobKindName
  /** On some of the devices; a repeated try may find it done. */
  act(deps: DevicesDeps, input: Input & { list: TakenDevice[] }): Promise<Pick<Outcome, 'success' | 'failed'>>
  /** The act deletes devices: one that is gone meanwhile counts as done. */
  removes?: true
  limit?(input: Input): number
}

const step = 1_000
/** The result is read by people; the file of a longer list would help nobody. */
const namedFailures = 1_000

export async function startFiltered<Input extends object>(
  deps: DevicesDeps,
  work: FilteredWork<Input>,
  input: Input,
  filter: DeviceSet,
  user: SignedInUser,
) {
  const devices = await takeDevices(deps.db, filter, work.limit?.(input) ?? maxByFilter)
  const total = devices.length
  const jobID = await startJob(deps.jobs, {
    kind: work.kind,
    title: kept('{kind}：{count, number} 台', { kind: kept(jobKindLabels[work.kind]), count: total }),
    input: { act: input, ids: devices.map((one) => one.deviceID) },
    total,
    user,
  })
  return { total, success: 0, failed: [], jobID }
}

async function run<Input extends object>(
  deps: DevicesDeps,
  work: FilteredWork<Input>,
  { input, progress }: JobContext<{ act: Input; ids: number[] }>,
): Promise<z.output<typeof filteredResult>> {
  const { act, ids } = input
  const failed: Outcome['failed'] = []
  let success = 0
  for (let at = 0; at < ids.length; at += step) {
    await progress(at, ids.length)
    const some = ids.slice(at, at + step)
    const { rows: list } = await sql<TakenDevice>`
      select device_id as "deviceID", product_id as "productID", device_name as "deviceName" from device
      where device_id = any(${some}::bigint[]) order by device_id`.execute(deps.db)
    const answer = await work.act(deps, { ...act, list })
    failed.push(...answer.failed)
    success += answer.success + (work.removes ? some.length - list.length : 0)
  }
  return { total: ids.length, success, failedCount: failed.length, failed: failed.slice(0, namedFailures) }
}

export const filteredJob = <Input extends object>(deps: DevicesDeps, work: FilteredWork<Input>): JobKind => ({
  kind: work.kind,
  run: (context) => run(deps, work, context as JobContext<{ act: Input; ids: number[] }>),
})
