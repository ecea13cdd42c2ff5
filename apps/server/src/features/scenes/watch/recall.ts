/** What a start finds out that memory has lost: when scenes fired last, and who left while nobody watched. */
import { dayMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceRefRow, toDeviceRef } from '#features/devices/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { Fact } from '../engine/engine-types.ts'
import type { SceneIndex } from './scene-index.ts'
import type { Entry } from './trigger-bucket.ts'

const mostFirings = 100_000
/** How many devices are looked at for one trigger. */
const mostLeft = 10_000

/** Distances between firings are kept over a restart by the runs themselves. */
export async function recallFirings(
  db: Db,
  clock: Clock,
  index: SceneIndex,
  judge: { recall(entry: Entry, device: DeviceRef, at: number): void },
): Promise<void> {
  const apart = [...index.entries()].filter(({ trigger }) => trigger.minIntervalMs > 0)
  if (apart.length === 0) return
  const scenes = Map.groupBy(apart, ({ scene }) => scene.sceneID)
  const { rows } = await sql<DeviceRefRow & { scene_id: number; at: number }>`
    select scene_id, device_id, product_id, device_name, max(fired_at) as at from scene_run
    where scene_id = any (${[...scenes.keys()]}::integer[]) and started_at > ${clock.now() - dayMs} and device_id <> 0
    group by 1, 2, 3, 4 limit ${mostFirings}`.execute(db)
  for (const row of rows)
    for (const entry of scenes.get(row.scene_id) ?? []) judge.recall(entry, toDeviceRef(row), row.at)
}

/**
 * "Offline for so long": a device that was there since the scene exists, is gone now and has no state left while the
 * server was down. Its time begins with the start; when it comes back before, nothing happens.
 */
export async function findLeft(
  db: Db,
  clock: Clock,
  index: SceneIndex,
  judge: (entry: Entry, fact: Fact) => void,
): Promise<void> {
  for (const entry of [...index.entries()]) {
    const { trigger, scene } = entry
    if (trigger.operator !== 'disConnected' || trigger.keepMs === 0) continue
    const { rows } = await sql<DeviceRefRow>`
      select device_id, product_id, device_name from device
      where product_id = ${trigger.productID} and is_online = 2
        and last_login > (select updated_at from scene where id = ${scene.sceneID})
        and not exists (select from scene_hold h where h.scene_id = ${scene.sceneID} and h.trigger_no = ${trigger.no}
          and h.device_id = device.device_id)
      limit ${mostLeft}`.execute(db)
    const at = clock.now()
    for (const row of rows) judge(entry, { kind: 'presence', online: false, device: toDeviceRef(row), at, traceID: '' })
  }
}
