/** Which version each device got last (screens.md 20 "Device view"). */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { ConfigHeld, type listConfigDevices as endpoint } from '@ithings/contract/features/remote-config.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'
import { findLatest, unknownProduct } from './store.ts'

const columns = {
  deviceName: 'device.device_name',
  configID: 'device_config.config_id',
  deliveredTime: 'device_config.delivered_at',
} as const

export async function listConfigDevices(
  { db, products }: RemoteConfigKit,
  { productID, deviceName, held, page }: BodyOutput<typeof endpoint>,
) {
  if (!(await products.get(productID))) throw unknownProduct(productID)
  const newest = (await findLatest(db, productID))?.id ?? 0
  const heldNow = sql<ConfigHeld>`case
    when device_config.config_id is null then ${sql.lit(ConfigHeld.none)}
    when device_config.config_id = ${newest} then ${sql.lit(ConfigHeld.newest)}
    else ${sql.lit(ConfigHeld.older)} end`
  const filtered = db
    .selectFrom('device')
    .leftJoin('device_config', 'device_config.device_id', 'device.device_id')
    .where('device.product_id', '=', productID)
    .$if(deviceName !== undefined, (q) => q.where('device.device_name', 'ilike', containsPattern(deviceName ?? '')))
    .$if(held !== undefined, (q) => q.where(sql<boolean>`${heldNow} = ${held}`))
  const found = await fetchPage(
    filtered,
    (q) =>
      q
        .select(['device.device_name', 'device.device_alias', 'device.is_online', 'device.first_login'])
        .select(['device_config.config_id', 'device_config.delivered_at', heldNow.as('held')]),
    page,
    { columns, fallback: { column: 'device.device_id', desc: false } },
  )
  const list = found.list.map((row) => ({
    deviceName: row.device_name,
    deviceAlias: row.device_alias,
    isOnline: row.is_online,
    firstLogin: toSecondsStr(row.first_login),
    configID: row.config_id ?? 0,
    held: row.held,
    deliveredTime: row.delivered_at ?? 0,
  }))
  return { list, total: found.total }
}
