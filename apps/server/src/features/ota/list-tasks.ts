import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import { OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import type { listOtaTasks, otaTaskSortFields } from '@ithings/contract/features/ota/task.ts'
import { pageWindow, SortDirection } from '@ithings/contract/paging.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern, sortColumn } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { type TaskRow, taskColumns, taskTables, toTasks } from './task-wire.ts'

type Input = BodyOutput<typeof listOtaTasks>

const sortColumns: Record<(typeof otaTaskSortFields)[number], RawBuilder<unknown>> = {
  createdTime: sql`task.task_id`,
  status: sql`task.status`,
  version: sql`firmware.version`,
}

/** Of all filters but the status, which is what is counted. */
function conditionOf(input: Input): RawBuilder<boolean> {
  const { firmwareID, taskUid, productID, deviceName, type, upgradeType, timeStart, timeEnd } = input
  const parts = [
    ...(firmwareID ? [sql`task.firmware_id = ${firmwareID}`] : []),
    ...(taskUid ? [sql`task.task_uid ilike ${containsPattern(taskUid)}`] : []),
    ...(productID ? [sql`task.product_id = ${productID}`] : []),
    ...(deviceName
      ? [
          sql`exists (select from rollout_device one join device on device.device_id = one.device_id
            where one.run_id = task.run_id and device.product_id = task.product_id and device.device_name = ${deviceName})`,
        ]
      : []),
    ...(type ? [sql`task.plan ->> 'type' = ${String(type)}`] : []),
    ...(upgradeType ? [sql`task.plan ->> 'upgradeType' = ${String(upgradeType)}`] : []),
    ...(timeStart ? [sql`task.created_at >= ${timeStart * 1000}`] : []),
    ...(timeEnd ? [sql`task.created_at < ${(timeEnd + 1) * 1000}`] : []),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`
}

function orderOf({ page }: Input): RawBuilder<unknown> {
  const orders = (page?.orders ?? []).map(({ field, sort }) => {
    const column = sortColumn(sortColumns, field)
    return sort === SortDirection.desc ? sql`${column} desc` : column
  })
  return sql.join([...orders, sql`task.task_id desc`])
}

async function countByStatus(db: Db, condition: RawBuilder<boolean>): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: number; tasks: number }>`
    select task.status, count(*)::integer as tasks from ${taskTables} where ${condition} group by task.status`.execute(
    db,
  )
  const counts: Record<string, number> = { 0: rows.reduce((sum, { tasks }) => sum + tasks, 0) }
  for (const status of Object.values(OtaTaskStatus))
    counts[status] = rows.find((row) => row.status === status)?.tasks ?? 0
  return counts
}

export async function listTasks(db: Db, input: Input): Promise<DataOf<typeof listOtaTasks>> {
  const { status } = input
  const condition = conditionOf(input)
  const counts = await countByStatus(db, condition)
  // The counters know how many there are: no need to count again.
  const total = counts[status ?? 0] ?? 0
  const { limit, offset } = pageWindow(input.page, total)
  const { rows } = await sql<TaskRow>`
    select ${taskColumns} from ${taskTables} where ${condition} ${status ? sql`and task.status = ${status}` : sql``}
    order by ${orderOf(input)} limit ${limit} offset ${offset}`.execute(db)
  return { list: await toTasks(db, rows), total, counts }
}
