/**
 * scene_hold: states that last, and what was fired for. Written in batches and only when something changes; whoever
 * sets fired_at fires, so one of several servers does, also after a restart.
 */
import { sql } from 'kysely'
import type { Background } from '#background/background.ts'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { makeBatchedChanges, rowsAtOnce } from './batched-changes.ts'

/** due_at of a state that was asked about and did not fire: a report asks again, or the next minute (ask-again.ts). */
export const parked = Number.MAX_SAFE_INTEGER

export interface HoldRow {
  sceneID: number
  no: number
  rev: number
  device: DeviceRef
  since: number
  dueAt: number
  firedAt: number | null
  seen: { value?: unknown; traceID?: string }
}

type HoldKey = Pick<HoldRow, 'sceneID' | 'no' | 'device'>
type Change = { row: HoldRow } | { gone: HoldKey }

interface StoredHold {
  scene_id: number
  trigger_no: number
  rev: number
  device_id: number
  product_id: string
  device_name: string
  since: number
  due_at: number
  fired_at: number | null
  seen: HoldRow['seen']
}

const toRow = (stored: StoredHold): HoldRow => ({
  sceneID: stored.scene_id,
  no: stored.trigger_no,
  rev: stored.rev,
  device: { productID: stored.product_id, deviceName: stored.device_name, deviceID: stored.device_id },
  since: stored.since,
  dueAt: stored.due_at,
  firedAt: stored.fired_at,
  seen: stored.seen,
})

const columns = sql`
  select h.scene_id, h.trigger_no, h.rev, h.device_id, d.product_id, d.device_name, h.since, h.due_at, h.fired_at, h.seen
  from scene_hold h join device d using (device_id)`

const idOf = ({ sceneID, no, device }: HoldKey) => `${sceneID}/${no}/${device.deviceID}`

async function writeRows(db: Db, rows: HoldRow[]): Promise<void> {
  if (rows.length === 0) return
  // Scenes and devices may be gone by now; in one order, so that two servers do not wait for each other.
  await sql`
    insert into scene_hold (scene_id, trigger_no, rev, device_id, since, due_at, fired_at, seen)
    select given.scene_id, no, given.rev, given.device_id, since, due_at, fired_at, seen::jsonb
    from unnest(
      ${rows.map((row) => row.sceneID)}::integer[], ${rows.map((row) => row.no)}::smallint[],
      ${rows.map((row) => row.rev)}::integer[], ${rows.map((row) => row.device.deviceID)}::bigint[],
      ${rows.map((row) => row.since)}::bigint[], ${rows.map((row) => row.dueAt)}::bigint[],
      ${rows.map((row) => row.firedAt)}::bigint[], ${rows.map((row) => jsonText(row.seen))}::text[]
    ) as given (scene_id, no, rev, device_id, since, due_at, fired_at, seen)
    join scene on scene.id = given.scene_id join device on device.device_id = given.device_id
    order by 1, 2, 4
    on conflict (scene_id, trigger_no, device_id) do update set rev = excluded.rev, since = excluded.since,
      due_at = excluded.due_at, fired_at = excluded.fired_at, seen = excluded.seen`.execute(db)
}

async function dropRows(db: Db, keys: HoldKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    delete from scene_hold using unnest(
      ${keys.map((key) => key.sceneID)}::integer[], ${keys.map((key) => key.no)}::smallint[],
      ${keys.map((key) => key.device.deviceID)}::bigint[]
    ) as gone (scene_id, no, device_id)
    where scene_hold.scene_id = gone.scene_id and trigger_no = no and scene_hold.device_id = gone.device_id`.execute(db)
}

async function writeChanges(db: Db, changes: Change[]): Promise<void> {
  const gone = changes.flatMap((change) => ('gone' in change ? change.gone : []))
  const rows = changes.flatMap((change) => ('row' in change ? change.row : []))
  await dropRows(db, gone)
  await writeRows(db, rows)
}

export function makeHoldStore(deps: { db: Db; clock: Clock; background: Background }) {
  const { db } = deps
  const changes = makeBatchedChanges<Change>(deps, 'scenes.holds', (list) =>
    db.transaction().execute((tx) => writeChanges(tx, list)),
  )
  const { settled } = changes

  return {
    put: (row: HoldRow) => changes.set(idOf(row), { row }),
    remove: (key: HoldKey) => changes.set(idOf(key), { gone: key }),
    settled,
    /**
     * @param online what a state of presence says: another server may have written that it is over
     * @returns whether this server is the one that fires
     */
    async claim({ sceneID, no, rev, device, since }: HoldRow, now: number, online?: boolean): Promise<boolean> {
      await settled()
      const { deviceID } = device
      const still =
        online === undefined
          ? sql``
          : sql`and exists (select from device where device_id = ${deviceID} and is_online = ${online ? 1 : 2})`
      const { numAffectedRows } = await sql`
        update scene_hold set fired_at = ${now}
        where scene_id = ${sceneID} and trigger_no = ${no} and device_id = ${deviceID} and rev = ${rev}
          and since = ${since} and fired_at is null ${still}`.execute(db)
      return numAffectedRows === 1n
    },
    /** A silence: one that began after the last firing is another one. @returns whether this server fires */
    async claimSilence({ sceneID, no, rev, device, since }: HoldRow, now: number): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into scene_hold (scene_id, trigger_no, rev, device_id, since, due_at, fired_at)
        select ${sceneID}::integer, ${no}::smallint, ${rev}::integer, device_id, ${since}::bigint, ${parked}::bigint,
          ${now}::bigint
        from device where device_id = ${device.deviceID} and exists (select from scene where id = ${sceneID})
        on conflict (scene_id, trigger_no, device_id) do update
          set rev = excluded.rev, since = excluded.since, fired_at = excluded.fired_at
          where scene_hold.rev < excluded.rev or scene_hold.fired_at <= excluded.since`.execute(db)
      return numAffectedRows === 1n
    },
    async load(deviceIDs: number[] | undefined): Promise<HoldRow[]> {
      await settled()
      const which = deviceIDs ? sql`where h.device_id = any (${deviceIDs}::bigint[])` : sql`order by h.since desc`
      const { rows } = await sql<StoredHold>`${columns} ${which} limit 200000`.execute(db)
      return rows.map(toRow)
    },
    /** What these scenes, as they are now, have fired for with these devices. */
    async firedOf(sceneIDs: number[], deviceIDs: number[]) {
      const { rows } = await sql<{ id: string; deviceID: number; firedAt: number }>`
        select concat_ws('/', scene_id, trigger_no, device_id) as id, device_id as "deviceID", fired_at as "firedAt"
        from scene_hold join scene on scene.id = scene_hold.scene_id
        where scene_id = any (${sceneIDs}::integer[]) and device_id = any (${deviceIDs}::bigint[])
          and scene.rev = scene_hold.rev and fired_at is not null`.execute(db)
      return rows
    },
    /** Due for longer than `before`: nobody has asked, because its server is gone. */
    async overdue(before: number): Promise<HoldRow[]> {
      const { rows } = await sql<StoredHold>`
        ${columns} where h.fired_at is null and h.due_at < ${before} order by h.due_at limit 500`.execute(db)
      return rows.map(toRow)
    },
    /** Asked about, and not fired: of these scenes, those that come after the given one. */
    async parkedOf(sceneIDs: number[], after: HoldKey | undefined): Promise<HoldRow[]> {
      await settled()
      const { rows } = await sql<StoredHold>`
        ${columns} where h.fired_at is null and h.due_at = ${parked} and h.scene_id = any (${sceneIDs}::integer[])
          and (h.scene_id, h.trigger_no, h.device_id)
            > (${after?.sceneID ?? 0}, ${after?.no ?? 0}, ${after?.device.deviceID ?? 0})
        order by h.scene_id, h.trigger_no, h.device_id limit ${rowsAtOnce}`.execute(db)
      return rows.map(toRow)
    },
    /** Rows of scenes that were edited since, are switched off, or are gone. */
    async dropStale(sceneIDs: number[]): Promise<void> {
      await settled()
      await sql`
        delete from scene_hold using scene
        where scene_hold.scene_id = any (${sceneIDs}::integer[]) and scene.id = scene_hold.scene_id
          and (scene.status <> 1 or scene_hold.rev < scene.rev)`.execute(db)
    },
    get waiting() {
      return changes.waiting
    },
    stop: changes.stop,
  }
}

export type HoldStore = ReturnType<typeof makeHoldStore>
