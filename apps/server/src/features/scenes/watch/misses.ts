/** "Did not fire because ...": at most one a second of each scene, the last 20 are kept. */
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import { sql } from 'kysely'
import type { Background } from '#background/background.ts'
import { jsonText, storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

const everyMs = 1_000
const keptOfScene = 20
/** Of all scenes together in a flush: writing about what did not happen must not cost what happens its room. */
const mostWaiting = 1_000

export interface Miss {
  sceneID: number
  reason: string
  triggerText: string
  conditions: CheckedCondition[]
  device: DeviceRef | undefined
  traceID: string
}

export interface Misses {
  /** False: one was kept a moment ago; do not even put it into words. */
  wants(sceneID: number): boolean
  add(miss: Miss): void
  flush(): Promise<boolean>
  start(): void
  stop(): Promise<void>
}

/** What the list shows last; a run under way and one that failed are more important to see. */
async function markScenes(db: Db, rows: Array<Miss & { at: number }>): Promise<void> {
  const over = [RunResult.success, RunResult.missed]
  const newest = [...new Map(rows.map((row) => [row.sceneID, row])).values()].sort((a, b) => a.sceneID - b.sceneID)
  await sql`
    update scene set last_run_at = given.at, last_result = ${RunResult.missed}, last_text = given.reason
    from unnest(${newest.map((row) => row.sceneID)}::integer[], ${newest.map((row) => row.at)}::bigint[],
      ${newest.map((row) => storableText(row.reason))}::text[]) as given (id, at, reason)
    where scene.id = given.id and scene.last_run_at <= given.at
      and scene.last_result = any(${[0, ...over]}::smallint[])`.execute(db)
}

async function write(db: Db, rows: Array<Miss & { at: number }>): Promise<void> {
  const scenes = [...new Set(rows.map((row) => row.sceneID))]
  await sql`
    insert into scene_miss (scene_id, at, reason, trigger_text, conditions, product_id, device_name, trace_id)
    select scene_id, at, reason, given.trigger_text, given.conditions::jsonb, product_id, device_name, trace_id
    from unnest(
      ${rows.map((row) => row.sceneID)}::integer[], ${rows.map((row) => row.at)}::bigint[],
      ${rows.map((row) => storableText(row.reason))}::text[], ${rows.map((row) => storableText(row.triggerText))}::text[],
      ${rows.map((row) => jsonText(row.conditions))}::text[], ${rows.map((row) => row.device?.productID ?? '')}::text[],
      ${rows.map((row) => row.device?.deviceName ?? '')}::text[], ${rows.map((row) => row.traceID)}::text[]
    ) as given (scene_id, at, reason, trigger_text, conditions, product_id, device_name, trace_id)
    join scene on scene.id = given.scene_id`.execute(db)
  await sql`
    delete from scene_miss where miss_id in (
      select miss_id from (
        select miss_id, row_number() over (partition by scene_id order by miss_id desc) as place
        from scene_miss where scene_id = any (${scenes}::integer[])
      ) ranked where place > ${keptOfScene}
    )`.execute(db)
  await markScenes(db, rows)
}

export function makeMisses({ db, clock, background }: { db: Db; clock: Clock; background: Background }): Misses {
  const toldAt = new Map<number, number>()
  let waiting: Array<Miss & { at: number }> = []

  const wants = (sceneID: number): boolean =>
    waiting.length < mostWaiting && clock.now() - (toldAt.get(sceneID) ?? Number.NEGATIVE_INFINITY) >= everyMs

  const loop = background.loop({
    name: 'scenes.misses',
    everyMs,
    async turn() {
      const rows = waiting
      waiting = []
      const limit = clock.now() - everyMs
      for (const [sceneID, at] of toldAt) if (at < limit) toldAt.delete(sceneID)
      if (rows.length > 0) await write(db, rows)
      return undefined
    },
  })

  return {
    wants,
    add(miss) {
      if (!wants(miss.sceneID)) return
      const at = clock.now()
      toldAt.set(miss.sceneID, at)
      waiting.push({ ...miss, at })
    },
    flush: () => loop.flush(),
    start: loop.start,
    async stop() {
      await loop.stop()
      await loop.flush()
    },
  }
}
