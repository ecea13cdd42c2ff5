import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { DeployStatus, type listTasks as endpoint, type taskSortFields } from '@ithings/contract/features/tasks.ts'
import { type ReferenceExpression, sql } from 'kysely'
import { containsPattern, fetchRows } from '#db/page.ts'
import type { Db, Schema } from '#db/schema.ts'
import { selectTasks, taskStatus } from './store.ts'
import { type TaskView, toTask } from './task-wire.ts'

type Input = BodyOutput<typeof endpoint>

const columns: Record<
  (typeof taskSortFields)[number],
  ReferenceExpression<Schema & { rollout: Schema['rollout'] }, 'device_task' | 'rollout'>
> = {
  taskName: 'device_task.name',
  createdTime: 'device_task.created_at',
  lastRunTime: 'rollout.created_at',
  nextRunTime: 'device_task.next_run_at',
  status: taskStatus,
}

function filtered(db: Db, input: Omit<Input, 'page' | 'status'>) {
  const { taskName, taskType, productID, scheduleType, timeStart, timeEnd } = input
  let query = selectTasks(db)
  if (taskName) query = query.where('device_task.name', 'ilike', containsPattern(taskName))
  if (taskType) query = query.where('device_task.task_type', '=', taskType)
  if (productID) query = query.where('device_task.product_id', '=', productID)
  if (scheduleType) query = query.where('device_task.schedule', '=', scheduleType)
  if (timeStart) query = query.where('device_task.created_at', '>=', new Date(timeStart * 1000))
  if (timeEnd) query = query.where('device_task.created_at', '<', new Date((timeEnd + 1) * 1000))
  return query
}

/** Without the names of devices: a task may have a thousand. */
const view = (query: ReturnType<typeof selectTasks>) =>
  query
    .leftJoin('product', 'product.product_id', 'device_task.product_id')
    .leftJoin('device_group', (join) =>
      join.on(sql<boolean>`device_group.group_id = (device_task.plan ->> 'groupID')::bigint`),
    )
    .select([
      'task_id',
      'device_task.name',
      'task_type',
      'device_task.product_id',
      'schedule',
      'is_enable',
      'device_task.reason',
      'last_run',
      'skipped',
      'next_run_at',
      'edited_at',
      'device_task.user_id',
      'device_task.user_name',
      'device_task.rev',
      'device_task.created_at',
      sql<number>`(device_task.plan ->> 'targetType')::int`.as('targetType'),
      sql<number>`jsonb_array_length(coalesce(nullif(device_task.plan -> 'deviceNames', 'null'), '[]'))`.as('names'),
      sql<string>`coalesce(device_task.plan ->> 'cron', '')`.as('cron'),
      sql<number>`coalesce((device_task.plan ->> 'runAt')::bigint, 0)`.as('runAt'),
      taskStatus.as('status'),
      sql<string>`coalesce(product.product_name, '')`.as('productName'),
      'device_group.group_name as groupName',
      'rollout.run_id',
      'rollout.state',
      'rollout.total',
      'rollout.success',
      'rollout.failed',
      'rollout.reason as runReason',
      'rollout.started_at',
      'rollout.created_at as runCreatedAt',
    ])

type Viewed = Awaited<ReturnType<ReturnType<typeof view>['executeTakeFirstOrThrow']>>

const toView = (row: Viewed): TaskView => ({
  ...row,
  lastRun:
    row.run_id === null
      ? undefined
      : {
          state: row.state ?? 0,
          total: row.total ?? 0,
          success: row.success ?? 0,
          failed: row.failed ?? 0,
          reason: row.runReason ?? '',
          startedAt: row.started_at || (row.runCreatedAt ?? 0),
        },
})

export async function readView(db: Db, taskID: number): Promise<TaskView | undefined> {
  const row = await view(selectTasks(db).where('task_id', '=', taskID)).executeTakeFirst()
  return row && toView(row)
}

/** In this order; one that was deleted a moment ago is left out. */
async function readViews(db: Db, taskIDs: number[]): Promise<TaskView[]> {
  if (taskIDs.length === 0) return []
  const rows = await view(selectTasks(db).where('task_id', 'in', taskIDs)).execute()
  const byID = new Map(rows.map((row) => [row.task_id, row]))
  return taskIDs.flatMap((taskID) => {
    const row = byID.get(taskID)
    return row ? [toView(row)] : []
  })
}

/** By the counters of the latest runs only: it is as quick while ten thousand devices are under way. */
export async function listTasks(db: Db, { status, page, ...filter }: Input) {
  const all = filtered(db, filter)
  const counted = await all
    .select([taskStatus.as('status'), sql<number>`count(*)`.as('tasks')])
    .groupBy(taskStatus)
    .execute()
  const counts: Record<string, number> = { 0: counted.reduce((sum, one) => sum + one.tasks, 0) }
  for (const one of Object.values(DeployStatus)) {
    counts[one] = counted.find((row) => row.status === one)?.tasks ?? 0
  }
  // The counters know how many there are: no need to count again.
  const total = counts[status ?? 0] ?? 0
  const chosen = status ? all.where(taskStatus, '=', status) : all
  const sort = { columns, fallback: { column: 'device_task.task_id', desc: true } } as const
  // First which, then what they are: plans hold thousands of names, and sorting would unpack those of all tasks.
  const keys = await fetchRows(chosen, (query) => (query as typeof all).select('task_id'), page, sort, total)
  const rows = await readViews(
    db,
    keys.map(({ task_id }) => task_id),
  )
  return { list: rows.map(toTask), total, counts }
}
