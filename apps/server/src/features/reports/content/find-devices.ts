/** Which devices a report is about; looked up anew by each run. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type ReportPlan, ReportTarget, reportLimits } from '@ithings/contract/features/reports.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { takeDevices } from '#features/devices/door.ts'

export interface ReportDevice {
  deviceID: number
  productID: string
  productName: string
  deviceName: string
  /** The alias, where there is one. */
  label: string
  online: boolean
  /** Milliseconds; undefined: it was never there. */
  firstLogin: number | undefined
}

type Choice = Pick<ReportPlan, 'target' | 'productID' | 'groupID' | 'tags' | 'deviceNames'>

async function idsOf(db: Db, { target, productID, groupID, tags, deviceNames }: Choice): Promise<number[]> {
  if (target === ReportTarget.devices) {
    const { rows } = await sql<{ id: number }>`
      select device_id as id from device where product_id = ${productID} and device_name = any(${deviceNames}::text[])
      order by device_name`.execute(db)
    return rows.map((row) => row.id)
  }
  const found = await takeDevices(
    db,
    {
      ...(productID && { productID }),
      ...(target === ReportTarget.group && { inGroupID: groupID, includeChildren: true }),
      ...(target === ReportTarget.tags && { tags }),
    },
    reportLimits.devices,
  )
  return found.map((one) => one.deviceID)
}

/** In the order of their names; none is a refusal. @param most only so many of them, with the number of all */
export async function findReportDevices(
  db: Db,
  choice: Choice,
  most: number = reportLimits.devices,
): Promise<{ devices: ReportDevice[]; total: number }> {
  const ids = await idsOf(db, choice)
  if (ids.length === 0) throw new AppError(errors.notFound, { detail: phrase('没有符合条件的设备'), field: 'target' })
  const { rows } = await sql<Omit<ReportDevice, 'firstLogin'> & { firstLogin: number | null }>`
    select device_id as "deviceID", product_id as "productID", product_name as "productName", device_name as "deviceName",
      coalesce(nullif(device_alias, ''), device_name) as label, is_online = 1 as online,
      (extract(epoch from first_login) * 1000)::bigint as "firstLogin"
    from device join product using (product_id) where device_id = any(${ids}::bigint[])
    order by product_name, product_id, device_name limit ${most}`.execute(db)
  return { devices: rows.map((row) => ({ ...row, firstLogin: row.firstLogin ?? undefined })), total: ids.length }
}
