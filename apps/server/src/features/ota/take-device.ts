/** One upgrade at a time: of the tasks that want a module of a device at the same moment one gets it. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type RolloutRow, RowState } from '#features/rollouts/door.ts'

interface Rival {
  id: number
  taskUid: string
  module: number
  /** Pushed, or about to be. */
  took: boolean
}

/**
 * Claimed rows of a device are locked together, in the order of their ids as everywhere: who comes second waits here
 * and finds the mark of the first. That somebody else has only claimed it too is no reason to step back, or both would.
 * @returns the number of the task that has the device; undefined: it is ours
 */
export async function takeDevice(
  pool: Db,
  { id, deviceID }: Pick<RolloutRow, 'id' | 'deviceID'>,
): Promise<string | undefined> {
  return pool.transaction().execute(async (db) => {
    const { rows } = await sql<Rival>`
      select one.id, task.task_uid as "taskUid", firmware.module,
        one.sent_at <> 0 or coalesce((one.detail ->> 'took')::boolean, false) as took
      from rollout_device one join ota_task task using (run_id) join firmware using (firmware_id)
      where one.device_id = ${deviceID} and one.state = ${sql.lit(RowState.sent)}
      order by one.id for update of one`.execute(db)
    const mine = rows.find((row) => row.id === id)
    const rival = rows.find((row) => row.id !== id && row.took && row.module === mine?.module)
    if (rival) return rival.taskUid
    await sql`update rollout_device set detail = detail || '{"took": true}' where id = ${id}`.execute(db)
    return undefined
  })
}
