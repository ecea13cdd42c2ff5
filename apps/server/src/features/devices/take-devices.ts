import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DeviceKey, DeviceSet } from '@ithings/contract/features/devices/info.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { resolveScope, scopeCondition } from './device-scope.ts'

export interface TakenDevice extends DeviceKey {
  deviceID: number
}

/**
 * The devices that match now; whoever comes to match later is not among them. None, and more than `limit`, are refused.
 * @param productID only its devices
 */
export async function takeDevices(db: Db, set: DeviceSet, limit: number, productID?: string): Promise<TakenDevice[]> {
  const { most, ...filter } = set
  const scope = await resolveScope(db, filter)
  if (productID !== undefined) scope.tallied.push(sql<boolean>`product_id = ${productID}`)
  const { rows } = scope.empty
    ? { rows: [] }
    : await sql<TakenDevice>`
        select device_id as "deviceID", product_id as "productID", device_name as "deviceName" from device
        where ${scopeCondition(scope)} order by device_id limit ${limit + 1}`.execute(db)
  if (rows.length === 0) throw new AppError(errors.notFound, { msg: phrase('没有符合筛选条件的设备'), field: 'filter' })
  if (rows.length > limit) {
    const msg = phrase('一次最多 {most, number} 台设备，符合筛选条件的更多，请缩小筛选范围', { most: limit })
    throw new AppError(errors.outOfRange, { msg, field: 'filter' })
  }
  if (most !== undefined && rows.length > most) {
    const msg = phrase('符合筛选条件的设备已增加到 {count, number} 台，请重新确认', { count: rows.length })
    throw new AppError(errors.staleEdit, { msg, field: 'filter' })
  }
  return rows
}
