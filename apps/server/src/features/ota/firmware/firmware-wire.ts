import type { Firmware } from '@ithings/contract/features/ota/firmware.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { FirmwareRow } from './store.ts'

interface Usage {
  product_name: string
  files: number
  /** Of its only file; several have none in common. */
  sha256: string
  tasks: number
  open_tasks: number
}

/** What other tables say of packages. */
async function readUsage(db: Db, ids: readonly number[]): Promise<Map<number, Usage>> {
  const { rows } = await sql<Usage & { firmware_id: number }>`
    select firmware.firmware_id, product.product_name, file.files, file.sha256, task.tasks, task.open_tasks
    from firmware
    join product using (product_id)
    cross join lateral (
      select count(*) as files, case when count(*) = 1 then min(sha256) else '' end as sha256
      from firmware_file where firmware_file.firmware_id = firmware.firmware_id
    ) file
    cross join lateral (
      select count(*) as tasks, count(*) filter (where status in (1, 2)) as open_tasks
      from ota_task where ota_task.firmware_id = firmware.firmware_id
    ) task
    where firmware.firmware_id = any(${ids}::integer[])`.execute(db)
  return new Map(rows.map((row) => [row.firmware_id, row]))
}

export async function toWire(db: Db, rows: readonly FirmwareRow[]): Promise<Firmware[]> {
  const usage = await readUsage(
    db,
    rows.map((row) => row.firmware_id),
  )
  return rows.map((row) => {
    const used = usage.get(row.firmware_id)
    return {
      firmwareID: row.firmware_id,
      name: row.name,
      version: row.version,
      productID: row.product_id,
      productName: used?.product_name ?? '',
      isDiff: row.is_diff,
      createdTime: toSeconds(row.created_at),
      signMethod: row.sign_method,
      desc: row.description,
      extData: row.ext_data,
      module: row.module,
      srcVersion: row.src_version,
      sha256: used?.sha256 ?? '',
      size: row.size,
      fileCount: used?.files ?? 0,
      taskCount: used?.tasks ?? 0,
      openTaskCount: used?.open_tasks ?? 0,
      userName: row.user_name,
      rev: row.rev,
    }
  })
}
