import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { filesOf, lockFirmware } from './store.ts'

const named = 3

/** Names of those that are not over. */
async function refuseWhileUsed(db: Db, firmwareID: number): Promise<void> {
  const open = await db
    .selectFrom('ota_task')
    .select('task_uid')
    .where('firmware_id', '=', firmwareID)
    .where('status', 'in', [1, 2])
    .orderBy('task_id')
    .execute()
  if (open.length === 0) return
  const tasks = open.slice(0, named).map((task) => task.task_uid)
  throw new AppError(errors.notEmpty, {
    msg:
      open.length > named
        ? phrase('升级任务 {tasks} 等 {count} 个尚未结束，不能删除固件包', { tasks, count: open.length })
        : phrase('升级任务 {tasks}尚未结束，不能删除固件包', { tasks }),
  })
}

/** The bytes go; a row that tasks tell of stays behind, so that they can still be read. */
export async function deleteFirmware(deps: FirmwareDeps, { firmwareID }: { firmwareID: number }): Promise<void> {
  const paths = await deps.db.transaction().execute(async (db) => {
    await lockFirmware(db, firmwareID)
    await refuseWhileUsed(db, firmwareID)
    const files = await filesOf(db, firmwareID)
    const told = await db
      .selectFrom('ota_task')
      .select('task_id')
      .where('firmware_id', '=', firmwareID)
      .limit(1)
      .execute()
    if (told.length === 0) {
      await db.deleteFrom('firmware').where('firmware_id', '=', firmwareID).execute()
    } else {
      await db.deleteFrom('firmware_file').where('firmware_id', '=', firmwareID).execute()
      await db
        .updateTable('firmware')
        .set({ deleted_at: new Date(deps.clock.now()) })
        .where('firmware_id', '=', firmwareID)
        .execute()
    }
    return files.map((file) => file.path)
  })
  for (const path of paths) await deps.files.files.remove(path)
}
