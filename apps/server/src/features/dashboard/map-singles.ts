import type { HomeCluster } from '@ithings/contract/features/home.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

interface DeviceRow {
  nr: number
  productID: string
  deviceName: string
  deviceAlias: string
}

/** A cluster of one is a device: found by its place, which is exact when nothing was added to it. */
export async function nameSingles(db: Db, clusters: HomeCluster[], productID: string): Promise<HomeCluster[]> {
  const singles = clusters.filter(({ total }) => total === 1)
  if (singles.length === 0) return clusters
  const { rows } = await sql<DeviceRow>`
    select (nr - 1)::integer as nr, found.product_id as "productID", found.device_name as "deviceName",
      found.device_alias as "deviceAlias"
    from unnest(${singles.map(({ longitude }) => longitude)}::float8[], ${singles.map(({ latitude }) => latitude)}::float8[])
      with ordinality as given (longitude, latitude, nr)
    cross join lateral (
      select product_id, device_name, device_alias from device
      where device.latitude = given.latitude and device.longitude = given.longitude
        and (device.longitude <> 0 or device.latitude <> 0)
        ${productID === '' ? sql`` : sql`and device.product_id = ${productID}`} limit 1) found`.execute(db)
  const found = new Map(rows.map(({ nr, ...device }) => [singles[nr], device]))
  return clusters.map((cluster) => ({ ...cluster, ...found.get(cluster) }))
}
