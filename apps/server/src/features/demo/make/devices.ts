import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import { makeSecret } from '#db/secrets.ts'
import { type NewDeviceRow, sealedRow } from '#features/devices/door.ts'
import type { Loading } from '../demo-deps.ts'
import { makeChance } from '../fleet/chance.ts'
import type { DemoDevice } from '../fleet/devices.ts'

export interface MadeDevice {
  deviceID: number
  planned: DemoDevice
}

/** First sign-ins: some weeks ago, one after the other as they were installed. */
const installedDays = 28

function rowOf(planned: DemoDevice, nr: number, { now, user }: Pick<Loading, 'now' | 'user'>): NewDeviceRow {
  const { product, deviceName, alias, longitude, latitude, address, state, awayHours, version, tags } = planned
  const chance = makeChance(`${deviceName}/row`)
  const first = state === 'new' ? null : new Date(now - installedDays * dayMs + nr * 2 * hourMs)
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(chance.next() * 10)).join('')
  const onAir = product.netType === 3
  // The operators that the platform knows are those of China, and so are cards that begin with 8986.
  const inChina = user.language === 'zh'
  return {
    product_id: product.productID,
    device_name: deviceName,
    device_alias: alias,
    secret: makeSecret(),
    longitude,
    latitude,
    address,
    tags: JSON.stringify(tags),
    version: state === 'new' ? '' : version,
    hard_info: state === 'new' ? '' : 'HW-B2',
    soft_info: state === 'new' ? '' : `FW-${version}`,
    imei: onAir ? `86${digits(13)}` : '',
    mac: onAir ? '' : Array.from({ length: 6 }, () => digits(2)).join(':'),
    mobile_operator: onAir && inChina ? 1 + (nr % 3) : 0,
    phone: null,
    iccid: onAir ? `${inChina ? '8986' : '8944'}${digits(16)}` : null,
    first_login: first,
    last_login: first && new Date(now - Math.max(awayHours, 0.2) * hourMs),
    created_at: new Date(now - (installedDays + 1) * dayMs + nr * hourMs),
  }
}

export async function makeDevices(loading: Loading, planned: DemoDevice[]): Promise<MadeDevice[]> {
  const { deps, now } = loading
  return deps.db.transaction().execute(async (db) => {
    const rows = await db
      .insertInto('device')
      .values(planned.map((one, nr) => sealedRow(db, rowOf(one, nr, loading))))
      .returning(['device_id', 'product_id', 'device_name', 'version'])
      .execute()
    const ids = new Map(rows.map((row) => [`${row.product_id}/${row.device_name}`, row.device_id]))
    const made = planned.map((one) => ({
      deviceID: ids.get(`${one.product.productID}/${one.deviceName}`) ?? 0,
      planned: one,
    }))
    const gateways = new Map(made.map(({ planned: { deviceName }, deviceID }) => [deviceName, deviceID]))
    const children = made.filter(({ planned: one }) => one.gateway !== '')
    await db
      .insertInto('gateway_device')
      .values(
        children.map(({ deviceID, planned: one }) => ({
          gateway_id: gateways.get(one.gateway) ?? 0,
          device_id: deviceID,
        })),
      )
      .execute()
    const known = rows.filter(({ version }) => version !== '')
    await db
      .insertInto('device_module')
      .values(
        known.map(({ device_id, version }) => ({
          device_id,
          module: 3,
          name: 'main',
          version,
          reported_at: now - dayMs,
        })),
      )
      .execute()
    // Since when they are away would otherwise be counted from now.
    const away = made.filter(({ planned: { state } }) => state === 'away')
    await sql`
      insert into home_away (device_id, since)
      select * from unnest(${away.map(({ deviceID }) => deviceID)}::bigint[],
        ${away.map(({ planned: { awayHours } }) => now - awayHours * hourMs)}::bigint[])
      on conflict (device_id) do update set since = excluded.since`.execute(db)
    return made
  })
}
