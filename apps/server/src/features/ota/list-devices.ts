import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import type { listOtaDevices, otaDeviceSortFields } from '@ithings/contract/features/ota/device.ts'
import { pageWindow, SortDirection } from '@ithings/contract/paging.ts'
import { type RawBuilder, sql } from 'kysely'
import { sortColumn } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { type DeviceColumns, deviceColumns, deviceCondition, deviceTables, deviceWire } from './device-rows.ts'
import { requireTask } from './task-store.ts'

type Input = BodyOutput<typeof listOtaDevices>

const sortColumns: Record<(typeof otaDeviceSortFields)[number], RawBuilder<unknown>> = {
  deviceName: sql`one.device_name`,
  status: sql`one.status`,
  updatedTime: sql`one.updated_at`,
  step: sql`case when one.status = 401 then (one.detail ->> 'step')::integer end`,
}

/** In the order in which they are pushed, unless another one is wanted. */
function orderOf({ page }: Input): RawBuilder<unknown> {
  const orders = (page?.orders ?? []).map(({ field, sort }) => {
    const column = sortColumn(sortColumns, field)
    return sort === SortDirection.desc ? sql`${column} desc nulls last` : sql`${column} nulls first`
  })
  return sql.join([...orders, sql`one.position`])
}

export async function listDevices(db: Db, input: Input): Promise<DataOf<typeof listOtaDevices>> {
  const order = orderOf(input)
  const task = await requireTask(db, { taskUid: input.taskUid })
  const condition = await deviceCondition(db, task, input)
  const { rows: counted } = await sql<{ total: number; all_devices: number }>`
    select count(*)::integer as total, (select run.total from rollout run where run.run_id = ${task.runID}) as all_devices
    from rollout_device one where ${condition}`.execute(db)
  const { total = 0, all_devices: all = 0 } = counted[0] ?? {}
  const { limit, offset } = pageWindow(input.page, total)
  // Only ids are sorted: whole rows are read for one page.
  const { rows } = await sql<DeviceColumns>`
    select ${deviceColumns} from ${deviceTables} where one.id = any (array(
      select one.id from rollout_device one where ${condition} order by ${order} limit ${limit} offset ${offset}))
    order by ${order}`.execute(db)
  return { list: rows.map(deviceWire(task, all)), total }
}
