import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

export interface PresenceChange {
  device: DeviceRef
  online: boolean
  /** ms */
  at: number
  reason: string
  clientID: string
  ip: string
}

interface DeviceRow {
  device_id: number
  product_id: string
  device_name: string
}

const toRef = (row: DeviceRow): DeviceRef => ({
  productID: row.product_id,
  deviceName: row.device_name,
  deviceID: row.device_id,
})

/** @returns devices that connected for the first time */
async function writeOnline(db: Db, serverID: string, changes: PresenceChange[]): Promise<DeviceRef[]> {
  if (changes.length === 0) return []
  const ids = changes.map(({ device }) => device.deviceID)
  const times = changes.map(({ at }) => at)
  const sessions = changes.filter(({ clientID }) => clientID !== '')
  // Rows are taken in the order of their key, so that two servers do not wait for each other.
  const { rows } = await sql<DeviceRow & { activated: boolean }>`
    with asked as (
      select device.device_id, told.at, device.first_login is null as activated
      from unnest(${ids}::bigint[], ${times}::bigint[]) as told (device_id, at)
      join device using (device_id) order by device.device_id for no key update of device
    )
    update device set is_online = 1, last_login = to_timestamp(asked.at / 1000.0),
      first_login = coalesce(first_login, to_timestamp(asked.at / 1000.0))
    from asked where device.device_id = asked.device_id
    returning device.device_id, device.product_id, device.device_name, asked.activated`.execute(db)
  const known = new Set(rows.map((row) => row.device_id))
  const kept = sessions.filter(({ device }) => known.has(device.deviceID))
  await sql`
    insert into device_session (device_id, server_id, client_id, ip, connected_at)
    select device_id, ${serverID}, client_id, ip, at from unnest(
      ${kept.map(({ device }) => device.deviceID)}::bigint[], ${kept.map(({ clientID }) => clientID)}::text[],
      ${kept.map(({ ip }) => ip)}::text[], ${kept.map(({ at }) => at)}::bigint[]
    ) as told (device_id, client_id, ip, at) order by device_id
    on conflict (device_id) do update set server_id = excluded.server_id, client_id = excluded.client_id,
      ip = excluded.ip, connected_at = excluded.connected_at`.execute(db)
  return rows.filter((row) => row.activated).map(toRef)
}

/** With their children: a sub-device is reached through its gateway (device-protocol.md 6). */
async function writeOffline(db: Db, serverID: string, changes: PresenceChange[]): Promise<PresenceChange[]> {
  if (changes.length === 0) return []
  const byID = new Map(changes.map((change) => [change.device.deviceID, change]))
  const ids = [...byID.keys()]
  // A device that is connected to another server by now stays online.
  const elsewhere = sql`select device_id from device_session where device_id = any (${ids}) and server_id <> ${serverID}`
  const { rows } = await sql<DeviceRow & { gateway_id: number | null }>`
    with gone as (
      select id as device_id, null::bigint as gateway_id from unnest(${ids}::bigint[]) as told (id)
      where id not in (${elsewhere})
      union all
      select gateway_device.device_id, gateway_device.gateway_id from gateway_device
      where gateway_device.gateway_id = any (${ids}) and gateway_device.gateway_id not in (${elsewhere})
    ), locked as (
      select device.device_id, gone.gateway_id from device join gone using (device_id)
      where device.is_online = 1 order by device.device_id for no key update of device
    )
    update device set is_online = 2 from locked where device.device_id = locked.device_id
    returning device.device_id, device.product_id, device.device_name, locked.gateway_id`.execute(db)
  await sql`delete from device_session where device_id = any (${ids}) and server_id = ${serverID}`.execute(db)
  return rows.flatMap((row) => {
    const gateway = row.gateway_id === null ? undefined : byID.get(row.gateway_id)
    return gateway && !byID.has(row.device_id)
      ? [{ device: toRef(row), online: false, at: gateway.at, reason: '网关离线', clientID: '', ip: '' }]
      : []
  })
}

export async function writePresence(db: Db, serverID: string, changes: PresenceChange[]) {
  return db.transaction().execute(async (db) => {
    const sorted = changes.toSorted((a, b) => a.device.deviceID - b.device.deviceID)
    const children = await writeOffline(
      db,
      serverID,
      sorted.filter((change) => !change.online),
    )
    const activated = await writeOnline(
      db,
      serverID,
      sorted.filter((change) => change.online),
    )
    return { activated, children }
  })
}

/** Servers that are gone: whoever was connected there, and their children, are offline. */
export async function clearServers(db: Db, servers: string[]): Promise<DeviceRef[]> {
  return db.transaction().execute(async (db) => {
    const { rows } = await sql<DeviceRow>`
      with left_over as (
        delete from device_session where server_id = any (${servers}) returning device_id
      ), gone as (
        select device_id from left_over
        union select gateway_device.device_id from gateway_device join left_over on left_over.device_id = gateway_id
      ), locked as (
        select device_id from device where is_online = 1 and device_id in (select device_id from gone)
        order by device_id for no key update
      )
      update device set is_online = 2 from locked where device.device_id = locked.device_id
      returning device.device_id, device.product_id, device.device_name`.execute(db)
    await sql`delete from platform_server where server_id = any (${servers})`.execute(db)
    return rows.map(toRef)
  })
}
