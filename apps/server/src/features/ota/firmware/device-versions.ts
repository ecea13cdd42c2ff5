import { sql } from 'kysely'
import { versionColumn } from '../module-store.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { requireFirmware } from './store.ts'

/** What the product's devices last reported for the package's module; who never did counts as ''. */
export async function readDeviceVersions({ db }: FirmwareDeps, { firmwareID }: { firmwareID: number }) {
  const { product_id, module } = await requireFirmware(db, firmwareID)
  const { rows } = await sql<{ version: string; count: number; online: number }>`
    select ${versionColumn(module)} as version, count(*) as count,
      count(*) filter (where device.is_online = 1) as online
    from device
    left join device_module module on module.device_id = device.device_id and module.module = ${module}
    where device.product_id = ${product_id}
    group by 1
    order by 2 desc, 1 desc`.execute(db)
  const versions = rows.map((row) => row.version).filter((version) => version !== '')
  return { versions: JSON.stringify(versions), list: rows }
}
