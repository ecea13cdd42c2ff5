/** Devices by the pair that people and the wire use; for the features that take lists of such pairs. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import type { Db } from './schema.ts'

export const unknownDevice = ({ productID, deviceName }: DeviceKey) =>
  new AppError(errors.notFound, { detail: `产品 ${productID} 下没有设备 ${deviceName}` })

export interface FoundKeys {
  /** Device ids in the order of the keys; a key that is given twice counts once. */
  found: Array<DeviceKey & { deviceID: number; deviceType: number }>
  missing: DeviceKey[]
}

/** Thousands of keys in one round trip. */
export async function findByKeys(db: Db, keys: DeviceKey[]): Promise<FoundKeys> {
  const rows = await sql<{ device_id: number; product_id: string; device_name: string; device_type: number }>`
    select d.device_id, d.product_id, d.device_name, p.device_type
    from unnest(${keys.map((key) => key.productID)}::text[], ${keys.map((key) => key.deviceName)}::text[])
      as asked (product_id, device_name)
    join device d using (product_id, device_name)
    join product p using (product_id)`.execute(db)
  const spell = (productID: string, deviceName: string) => `${productID}/${deviceName}`
  const known = new Map(rows.rows.map((row) => [spell(row.product_id, row.device_name), row]))
  const seen = new Set<string>()
  const result: FoundKeys = { found: [], missing: [] }
  for (const { productID, deviceName } of keys) {
    const name = spell(productID, deviceName)
    if (seen.has(name)) continue
    seen.add(name)
    const row = known.get(name)
    if (row) result.found.push({ productID, deviceName, deviceID: row.device_id, deviceType: row.device_type })
    else result.missing.push({ productID, deviceName })
  }
  return result
}

/** For all-or-nothing operations: the sentence names the first few that do not exist. */
export function refuseMissing(missing: DeviceKey[]): void {
  const [first] = missing
  if (!first) return
  if (missing.length === 1) throw unknownDevice(first)
  const named = missing.slice(0, 5).map(({ productID, deviceName }) => `${productID}/${deviceName}`)
  throw new AppError(errors.notFound, {
    detail: `${missing.length} 台设备不存在：${named.join('、')}${missing.length > 5 ? ' 等' : ''}`,
  })
}
