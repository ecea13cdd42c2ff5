/** scene_memory: counts and distances of triggers, so that a device may go on at another server. */
import { sql } from 'kysely'
import type { Background } from '#background/background.ts'
import type { Db } from '#db/schema.ts'
import { type DeviceRefRow, toDeviceRef } from '#features/devices/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CompiledTrigger } from '../engine/engine-types.ts'
import { makeBatchedChanges } from './batched-changes.ts'
import type { Entry } from './trigger-bucket.ts'
import type { Held } from './trigger-states.ts'

export interface MemoryRow {
  sceneID: number
  no: number
  rev: number
  device: DeviceRef
  /** -Infinity: never. */
  lastFired: number
  hits: number[]
}

interface StoredMemory extends DeviceRefRow {
  scene_id: number
  trigger_no: number
  rev: number
  last_fired: number
  hits: string[]
}

const never = Number.NEGATIVE_INFINITY

async function writeRows(db: Db, rows: MemoryRow[]): Promise<void> {
  await sql`
    insert into scene_memory (device_id, scene_id, trigger_no, rev, last_fired, hits)
    select given.device_id, given.scene_id, no, given.rev, last_fired, hits::bigint[]
    from unnest(
      ${rows.map((row) => row.device.deviceID)}::bigint[], ${rows.map((row) => row.sceneID)}::integer[],
      ${rows.map((row) => row.no)}::smallint[], ${rows.map((row) => row.rev)}::integer[],
      ${rows.map((row) => Math.max(row.lastFired, 0))}::bigint[], ${rows.map((row) => `{${row.hits.join(',')}}`)}::text[]
    ) as given (device_id, scene_id, no, rev, last_fired, hits)
    join scene on scene.id = given.scene_id join device on device.device_id = given.device_id
    order by 1, 2, 3
    on conflict (device_id, scene_id, trigger_no) do update
      set rev = excluded.rev, last_fired = excluded.last_fired, hits = excluded.hits`.execute(db)
}

const lastOf = ({ lastFired, hits }: { lastFired: number; hits: number[] }) => Math.max(lastFired, hits.at(-1) ?? never)

/** Another server has seen more of the device since it was here. */
export function recallMemory({ state }: Held, row: MemoryRow): void {
  if (lastOf(row) <= lastOf(state)) return
  state.lastFired = row.lastFired
  state.hits = row.hits
}

export function makeMemoryStore(deps: { db: Db; clock: Clock; background: Background; alone: boolean }) {
  const { db, alone } = deps
  const changes = makeBatchedChanges<MemoryRow>(deps, 'scenes.memory', (rows) => writeRows(db, rows))
  const counts = ({ times }: CompiledTrigger) => times > 1
  const put = ({ scene, trigger, key }: Entry, { device, state }: Held) => {
    const row = { sceneID: scene.sceneID, no: trigger.no, rev: scene.rev, device, lastFired: state.lastFired }
    changes.set(`${key}/${device.deviceID}`, { ...row, hits: [...state.hits] })
  }
  return {
    /** It may have been true once more. */
    judged(entry: Entry, held: Held) {
      if (!alone && counts(entry.trigger)) put(entry, held)
    },
    fired(entry: Entry, held: Held) {
      if (!alone && (counts(entry.trigger) || entry.trigger.minIntervalMs > 0)) put(entry, held)
    },
    async load(deviceIDs: number[]): Promise<MemoryRow[]> {
      await changes.settled()
      const { rows } = await sql<StoredMemory>`
        select m.scene_id, m.trigger_no, m.rev, m.last_fired, m.hits, d.device_id, d.product_id, d.device_name
        from scene_memory m join device d using (device_id)
        where m.device_id = any (${deviceIDs}::bigint[])`.execute(db)
      return rows.map((row) => ({
        sceneID: row.scene_id,
        no: row.trigger_no,
        rev: row.rev,
        device: toDeviceRef(row),
        lastFired: row.last_fired || never,
        hits: row.hits.map(Number),
      }))
    },
    settled: changes.settled,
    stop: changes.stop,
  }
}

export type MemoryStore = ReturnType<typeof makeMemoryStore>
