import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listScenes as endpoint, sceneSortFields } from '@ithings/contract/features/scenes/info.ts'
import { type ReferenceExpression, sql } from 'kysely'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { Schema } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { hideReceivers } from './hidden-receivers.ts'
import { toScenes } from './scene-wire.ts'
import type { ScenesDeps } from './scenes-deps.ts'

const columns: Record<(typeof sceneSortFields)[number], ReferenceExpression<Schema, 'scene'>> = {
  name: 'name',
  createdTime: 'created_at',
  updatedTime: 'updated_at',
  lastRunTime: 'last_run_at',
  status: 'status',
}

export async function listScenes(
  deps: ScenesDeps,
  input: BodyOutput<typeof endpoint>,
  { role, language }: SignedInUser,
) {
  const { name, triggerType, alarmID, lastResult, sceneIDs, productID, page } = input
  // Existing consoles filter by `state` (decisions.md 2 "Alarm config state").
  const status = input.status ?? input.state
  let query = deps.db.selectFrom('scene')
  if (name) query = query.where('name', 'ilike', containsPattern(name))
  if (triggerType) query = query.where('trigger_type', '=', triggerType)
  if (status) query = query.where('status', '=', status)
  if (lastResult) query = query.where('last_result', '=', lastResult)
  if (sceneIDs) query = query.where('id', '=', sql<number>`any(${sceneIDs}::int[])`)
  if (alarmID) {
    query = query.where('id', 'in', (db) =>
      db.selectFrom('alarm_scene').select('alarm_scene.scene_id').where('alarm_scene.alarm_id', '=', alarmID),
    )
  }
  if (productID) {
    query = query.where('id', 'in', (db) =>
      db
        .selectFrom('scene_reference')
        .select('scene_reference.scene_id')
        .where('scene_reference.product_id', '=', productID),
    )
  }
  const { list, total } = await fetchPage(query, (rows) => rows.selectAll(), page, {
    columns,
    fallback: { column: 'id', desc: true },
  })
  return { list: await hideReceivers(deps, role, await toScenes(deps, list, language)), total, num: list.length }
}
