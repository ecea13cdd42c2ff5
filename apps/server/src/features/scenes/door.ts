import { RunResult, runResultLabels } from '@ithings/contract/features/scenes/info.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export type { AlarmDoor, RaisingRun } from './alarm-door.ts'
export { withSeen } from './engine/check-conditions.ts'
export { maskActions, revealReceivers } from './hidden-receivers.ts'
export { refuseTooManyScenes } from './link-alarms.ts'
export { findSceneReferences, scenesUsingChannel } from './scene-references.ts'
export { partsOf } from './store.ts'

export interface TracedScene {
  /** '' when it did not fire. */
  runID: string
  sceneID: number
  sceneName: string
  ok: boolean
  /** For people: what became of it, or why it did not fire. */
  text: string
}

interface TracedRow {
  run_id: number | null
  scene_id: number
  name: string
  result: number
  reason: string
  steps: number
}

const mostTraced = 100

function tracedText({ result, reason, steps }: TracedRow): string {
  const label = phrase(runResultLabels[result as RunResult])
  if (result === RunResult.missed) return kept('{label}：{reason}', { label, reason })
  if (reason === '') return kept('{label}，{count} 个动作', { label, count: steps })
  return kept('{label}，{count} 个动作：{reason}', { label, count: steps, reason })
}

/** The scenes that a message started, or nearly did: for its trace. */
export async function scenesOfTrace(db: Db, traceID: string): Promise<TracedScene[]> {
  if (traceID === '') return []
  const { rows } = await sql<TracedRow>`
    select l.*, s.name from (
      select run_id, scene_id, result, reason, jsonb_array_length(actions) as steps, started_at as at
        from scene_run where trace_id = ${traceID}
      union all select null, scene_id, ${RunResult.missed}::smallint, reason, 0, at
        from scene_miss where trace_id = ${traceID}
      order by at limit ${mostTraced}) l
    join scene s on s.id = l.scene_id order by l.at`.execute(db)
  return rows.map((row) => ({
    runID: row.run_id === null ? '' : String(row.run_id),
    sceneID: row.scene_id,
    sceneName: row.name,
    ok: row.result !== RunResult.failed && row.result !== RunResult.partly && row.result !== RunResult.missed,
    text: tracedText(row),
  }))
}
