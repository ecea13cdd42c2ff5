/** What lists of devices tell beside their own rows; read for one page at a time. */
import type { Db } from '#db/schema.ts'

export async function deviceFacts(db: Db, deviceIDs: number[]) {
  if (deviceIDs.length === 0) return new Map<number, never>()
  const rows = await db
    .selectFrom('device')
    .leftJoin('device_config', 'device_config.device_id', 'device.device_id')
    .select(['device.device_id', 'device.device_name', 'device.device_alias', 'device.is_online', 'device.first_login'])
    .select(['device_config.config_id', 'device_config.delivered_at'])
    .where('device.device_id', 'in', deviceIDs)
    .execute()
  return new Map(rows.map((row) => [row.device_id, row]))
}
