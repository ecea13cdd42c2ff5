/** Which version each device got last (screens.md 20 "Device view"). */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { ConfigHeld, type listConfigDevices as endpoint } from '@ithings/contract/features/remote-config.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import { deviceFacts } from './device-facts.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { findLatest, unknownProduct } from './store.ts'

const ofDevice = (column: 'config_id' | 'delivered_at') =>
  sql<number>`(select ${sql.ref(column)} from device_config c where c.device_id = device.device_id)`
const columns = {
  deviceName: 'device_name',
  configID: ofDevice('config_id'),
  deliveredTime: ofDevice('delivered_at'),
} as const

const got = (condition: RawBuilder<boolean>) =>
  sql<boolean>`exists (select 1 from device_config c where c.device_id = device.device_id and ${condition})`

function isHeld(held: ConfigHeld, newest: number): RawBuilder<boolean> {
  if (held === ConfigHeld.none) return sql<boolean>`not ${got(sql`true`)}`
  return got(held === ConfigHeld.newest ? sql`c.config_id = ${newest}` : sql`c.config_id <> ${newest}`)
}

export async function listConfigDevices(
  { db, products }: RemoteConfigDeps,
  { productID, deviceName, held, page }: BodyOutput<typeof endpoint>,
) {
  if (!(await products.get(productID))) throw unknownProduct(productID)
  const newest = (await findLatest(db, productID))?.id ?? 0
  const filtered = db
    .selectFrom('device')
    .where((eb) => asked(eb, { equal: { product_id: productID }, contains: { device_name: deviceName } }))
    .$if(held !== undefined, (q) => q.where(isHeld(held ?? ConfigHeld.none, newest)))
  const found = await fetchPage(filtered, (q) => q.select('device_id'), page, {
    columns,
    fallback: { column: 'device_id', desc: false },
  })
  const ids = found.list.map((row) => row.device_id)
  const facts = await deviceFacts(db, ids)
  const list = ids.flatMap((id) => {
    const row = facts.get(id)
    if (!row) return []
    const configID = row.config_id ?? 0
    return [
      {
        deviceName: row.device_name,
        deviceAlias: row.device_alias,
        isOnline: row.is_online,
        firstLogin: toSecondsStr(row.first_login),
        configID,
        held: configID === 0 ? ConfigHeld.none : configID === newest ? ConfigHeld.newest : ConfigHeld.older,
        deliveredTime: row.delivered_at ?? 0,
      },
    ]
  })
  return { list, total: found.total }
}
