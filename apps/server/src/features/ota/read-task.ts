import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { requireTask } from './task-store.ts'
import { type TaskRow, taskColumns, taskTables, toTasks } from './task-wire.ts'

export async function readTask(
  db: Db,
  { taskID, withDevices }: { taskID: number; withDevices: boolean },
): Promise<OtaTask> {
  await requireTask(db, { taskID })
  const devices = withDevices ? sql`task.devices` : sql`'[]'::jsonb`
  const { rows } = await sql<TaskRow & { devices: string[] }>`
    select ${taskColumns}, ${devices} as devices from ${taskTables} where task.task_id = ${taskID}`.execute(db)
  const [task] = await toTasks(db, rows, rows[0]?.devices ?? [])
  return task as OtaTask
}
