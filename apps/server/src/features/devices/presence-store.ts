import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { SessionDevice } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { upstreamClientID } from '#ports/upstream.ts'
import { type DeviceRefRow, toDeviceRef } from './device-keys.ts'

export interface PresenceChange {
  device: DeviceRef
  online: boolean
  /** ms, by the clock of its server */
  at: number
  reason: string
  /** '' for a sub-device that its gateway speaks for. */
  clientID: string
  ip: string
  /** Of its connection: a newer one has a higher number, on whatever server. The database gives it, if it has none. */
  epoch?: number | undefined
  /** Its connection has written the line of the hub log itself. */
  logged?: boolean
  /** Of the connection that has ended, for that line. */
  session?: { ip: string; seconds: number }
  /** Another server had taken ours for dead and written that it is gone. */
  again?: boolean
  /** It was heard, which is no new connection: news only if it was away. */
  heard?: boolean
  /** It is gone again before its coming was written. */
  came?: PresenceChange
}

/** A connection of another server that a newer one here has replaced. */
export interface TakenSession {
  deviceID: number
  serverID: string
  /** Of the newer one. */
  epoch: number
}

interface WrittenSessions {
  epochs: Map<number, number>
  taken: TakenSession[]
}

/** The database's clock less what the change has waited here: the clocks of two servers never agree. */
const timeOfChange = sql`statement_timestamp() - make_interval(secs => told.age / 1000.0)`
const agesOf = (changes: PresenceChange[], clock: Clock): number[] => {
  const now = clock.now()
  return changes.map(({ at }) => Math.max(0, now - at))
}

/** Who has a connection here; an older one does not replace a newer one on another server. */
async function writeSessions(db: Db, server: PresenceServer, changes: PresenceChange[]): Promise<WrittenSessions> {
  const { serverID, clock } = server
  const { rows } = await sql<{ device_id: number; epoch: number; before: string | null }>`
    with told as (
      select device_id, client_id, ip, (extract(epoch from ${timeOfChange}) * 1000)::bigint as at, coalesce(epoch, nextval('device_session_epoch')) as epoch from unnest(
        ${changes.map(({ device }) => device.deviceID)}::bigint[], ${changes.map(({ clientID }) => clientID)}::text[],
        ${changes.map(({ ip }) => ip)}::text[], ${agesOf(changes, clock)}::bigint[],
        ${changes.map(({ epoch }) => epoch ?? null)}::bigint[]
      ) as told (device_id, client_id, ip, age, epoch) join device using (device_id) order by device_id
    ), before as (
      select device_id, server_id from device_session where device_id in (select device_id from told)
    ), written as (
      insert into device_session (device_id, server_id, client_id, ip, connected_at, epoch)
      select device_id, ${serverID}, client_id, ip, at, epoch from told
      on conflict (device_id) do update set server_id = excluded.server_id, client_id = excluded.client_id,
        ip = excluded.ip, connected_at = excluded.connected_at, epoch = excluded.epoch
      where device_session.epoch <= excluded.epoch
      returning device_id, epoch
    )
    select device_id, written.epoch, before.server_id as before from written left join before using (device_id)`.execute(
    db,
  )
  return {
    epochs: new Map(rows.map((row) => [row.device_id, row.epoch])),
    taken: rows.flatMap(({ device_id: deviceID, epoch, before }) =>
      before === null || before === serverID ? [] : { deviceID, serverID: before, epoch },
    ),
  }
}

/** Of these connections of a server those that a newer one on another server has replaced. */
export async function findReplaced(db: Db, serverID: string, changes: PresenceChange[]): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    select device_id from unnest(
      ${changes.map(({ device }) => device.deviceID)}::bigint[], ${changes.map(({ epoch }) => epoch ?? null)}::bigint[]
    ) as told (device_id, epoch) join device_session using (device_id)
    where device_session.server_id <> ${serverID} and device_session.epoch > told.epoch`.execute(db)
  return rows.map((row) => row.device_id)
}

/**
 * All of them, the children of those that leave and the gateways of those who are spoken for. Another server may be
 * writing that they are there, for seconds when the standby does not answer: what is read after this shows it.
 */
async function lockDevices(db: Db, changes: PresenceChange[]): Promise<void> {
  const idsOf = (list: PresenceChange[]) => list.map(({ device }) => device.deviceID)
  const unconnected = idsOf(changes.filter(({ clientID }) => clientID === ''))
  if (unconnected.length === 0) return
  await sql`
    select from device where device_id in (
      select unnest(${idsOf(changes)}::bigint[])
      union select device_id from gateway_device where gateway_id = any (${unconnected}::bigint[])
      union select gateway_id from gateway_device where device_id = any (${unconnected}::bigint[])
    ) order by device_id for no key update`.execute(db)
}

/** @returns devices that are online now, and whether they were before */
async function writeOnline(db: Db, clock: Clock, changes: PresenceChange[]) {
  if (changes.length === 0) return []
  // Rows are taken in the order of their key, so that two servers do not wait for each other. A sub-device is there
  // only as long as it is enabled and its gateway is there: that may have left in the same moment.
  const { rows } = await sql<{ device_id: number; was_online: boolean }>`
    with asked as (
      select device.device_id, ${timeOfChange} as at, device.is_online = 1 as was_online
      from unnest(
        ${changes.map(({ device }) => device.deviceID)}::bigint[], ${agesOf(changes, clock)}::bigint[],
        ${changes.map(({ clientID }) => clientID !== '')}::boolean[]
      ) as told (device_id, age, connected)
      join device using (device_id)
      where told.connected or device.is_enable = 1 and exists (
        select from gateway_device join device_session on device_session.device_id = gateway_id
        where gateway_device.device_id = device.device_id)
      order by device.device_id for no key update of device
    )
    update device set is_online = 1, last_login = asked.at, first_login = coalesce(first_login, asked.at)
    from asked where device.device_id = asked.device_id
    returning device.device_id, asked.was_online`.execute(db)
  return rows
}

/** With their children: a sub-device is reached through its gateway (device-protocol.md 6). @returns who was online */
async function writeOffline(db: Db, serverID: string, changes: PresenceChange[]): Promise<PresenceChange[]> {
  if (changes.length === 0) return []
  const byID = new Map(changes.map((change) => [change.device.deviceID, change]))
  const ids = [...byID.keys()]
  // A device that is connected to another server by now stays online; so does a child with a connection of its own.
  const elsewhere = sql`select device_id from device_session where device_id = any (${ids}) and server_id <> ${serverID}`
  const { rows } = await sql<DeviceRefRow & { gateway_id: number | null }>`
    with gone as (
      select id as device_id, null::bigint as gateway_id from unnest(${ids}::bigint[]) as told (id)
      where id not in (${elsewhere})
      union all
      select gateway_device.device_id, gateway_device.gateway_id from gateway_device
      where gateway_device.gateway_id = any (${ids}) and gateway_device.gateway_id not in (${elsewhere})
        and gateway_device.device_id <> all (${ids})
        and not exists (select from device_session where device_session.device_id = gateway_device.device_id)
    ), locked as (
      select device.device_id, gone.gateway_id from device join gone using (device_id)
      where device.is_online = 1 order by device.device_id for no key update of device
    )
    update device set is_online = 2 from locked where device.device_id = locked.device_id
    returning device.device_id, device.product_id, device.device_name, locked.gateway_id`.execute(db)
  await sql`delete from device_session where device_id = any (${ids}) and server_id = ${serverID}`.execute(db)
  return rows.flatMap((row) => {
    if (row.gateway_id === null) return byID.get(row.device_id) ?? []
    const gateway = byID.get(row.gateway_id)
    return gateway
      ? { device: toDeviceRef(row), online: false, at: gateway.at, reason: kept('网关离线'), clientID: '', ip: '' }
      : []
  })
}

export interface WrittenPresence {
  /** What has really changed, or was said again, in its order. */
  changed: PresenceChange[]
  /** Of these the real changes that nobody else writes into the hub log. */
  unlogged: PresenceChange[]
  /** Of the connections that came: the number of each. One that is missing is older than one of another server. */
  epochs: Map<number, number>
  taken: TakenSession[]
}

export interface PresenceServer {
  serverID: string
  /** The one that the changes have their time from. */
  clock: Clock
}

export async function writePresence(
  db: Db,
  server: PresenceServer,
  changes: PresenceChange[],
): Promise<WrittenPresence> {
  return db.transaction().execute(async (db) => {
    const sorted = changes.toSorted((a, b) => a.device.deviceID - b.device.deviceID)
    const gone = sorted.filter((change) => !change.online)
    const changed: PresenceChange[] = []
    const unlogged: PresenceChange[] = []
    const sessions: WrittenSessions = { epochs: new Map(), taken: [] }
    await lockDevices(db, sorted)
    const comeIn = async (list: PresenceChange[]) => {
      const rows = await writeOnline(db, server.clock, list)
      const before = new Map(rows.map((row) => [row.device_id, row.was_online]))
      const isNews = ({ device, heard }: PresenceChange) =>
        before.has(device.deviceID) && !(heard && before.get(device.deviceID))
      changed.push(...list.filter(isNews))
      unlogged.push(...list.filter(({ device, logged }) => !logged && before.get(device.deviceID) === false))
    }
    await comeIn(gone.flatMap(({ came }) => came ?? []))
    const left = await writeOffline(db, server.serverID, gone)
    changed.push(...left)
    unlogged.push(...left.filter(({ logged }) => !logged))
    const came = sorted.filter((change) => change.online)
    // Gateways before those they speak for.
    const connected = came.filter(({ clientID }) => clientID !== '')
    await comeIn(connected)
    if (connected.length > 0) Object.assign(sessions, await writeSessions(db, server, connected))
    await comeIn(came.filter(({ clientID }) => clientID === ''))
    return { changed, unlogged, ...sessions }
  })
}

/**
 * Servers that are gone: whoever was connected there, and their children, are offline.
 * @param keepUpstream devices of a broker that others run are connected to that one, which another server hears now
 */
export async function clearServers(db: Db, servers: string[], keepUpstream: boolean): Promise<DeviceRef[]> {
  const spared = keepUpstream ? upstreamClientID : null
  return db.transaction().execute(async (db) => {
    const { rows } = await sql<DeviceRefRow>`
      with left_over as (
        delete from device_session where server_id = any (${servers}) and client_id is distinct from ${spared}::text
        returning device_id
      ), gone as (
        select device_id from left_over
        union select gateway_device.device_id from gateway_device join left_over on left_over.device_id = gateway_id
        where not exists (select from device_session
          where device_session.device_id = gateway_device.device_id and server_id <> all (${servers}))
      ), locked as (
        select device_id from device where is_online = 1 and device_id in (select device_id from gone)
        order by device_id for no key update
      )
      update device set is_online = 2 from locked where device.device_id = locked.device_id
      returning device.device_id, device.product_id, device.device_name`.execute(db)
    await sql`delete from platform_server where server_id = any (${servers})`.execute(db)
    return rows.map(toDeviceRef)
  })
}

/** Devices that are reached by way of a broker that others run. */
export async function findUpstream(db: Db): Promise<Array<{ device: SessionDevice; at: number; ip: string }>> {
  const { rows } = await sql<DeviceRefRow & { device_type: number; connected_at: number; ip: string }>`
    select device_id, product_id, device_name, device_type, connected_at, ip
    from device_session join device using (device_id) join product using (product_id)
    where client_id = ${upstreamClientID}`.execute(db)
  return rows.map((row) => ({
    device: { ...toDeviceRef(row), deviceType: row.device_type },
    at: row.connected_at,
    ip: row.ip,
  }))
}
