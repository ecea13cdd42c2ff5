/** One upgrade at a time: of the tasks that want a module of a device at the same moment one gets it. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type RolloutRow, RowState } from '#features/rollouts/door.ts'
import { mayOverwrite, type StoredTask } from './task-store.ts'

interface Rival {
  id: number
  taskID: number
  taskUid: string
  module: number
  clientToken: string
  /** Pushed, or about to be. */
  took: boolean
}

/**
 * Claimed rows of a device are locked together, in the order of their ids as everywhere: who comes second waits here
 * and finds the mark of the first. That somebody else has only claimed it too is no reason to step back, or both would.
 * @returns why the device cannot be taken; undefined: it is ours
 */
export async function takeDevice(
  pool: Db,
  task: StoredTask,
  { id, deviceID, clientToken }: Pick<RolloutRow, 'id' | 'deviceID' | 'clientToken'>,
): Promise<string | undefined> {
  return pool.transaction().execute(async (db) => {
    const { rows } = await sql<Rival>`
      select one.id, task.task_id as "taskID", task.task_uid as "taskUid", firmware.module,
        one.client_token as "clientToken",
        one.sent_at <> 0 or coalesce(one.detail ->> 'took' = one.client_token, false) as took
      from rollout_device one join ota_task task using (run_id) join firmware using (firmware_id)
      where one.device_id = ${deviceID} and one.state = ${sql.lit(RowState.sent)}
      order by one.id for update of one`.execute(db)
    const rival = rows.find(
      (row) => row.id !== id && row.took && row.module === task.module && !mayOverwrite(task, row),
    )
    if (rival) return `设备正在升级任务 ${rival.taskUid} 中升级`
    // Cancelled since it was claimed, by a person or by a newer task.
    if (!rows.some((row) => row.id === id && row.clientToken === clientToken)) return '升级已取消'
    // Of this try: the mark of an earlier one must not keep others away.
    await sql`
      update rollout_device set detail = detail || jsonb_build_object('took', client_token) where id = ${id}`.execute(
      db,
    )
    return undefined
  })
}
