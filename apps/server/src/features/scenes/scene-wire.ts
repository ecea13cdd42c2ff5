/** Scenes as lists and the editor see them: texts, sentences, problems, alarms and how often they fired. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { describeScene } from '@ithings/contract/rules/describe.ts'
import { type Language, sayKept, speaking } from '@ithings/contract/text.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { lastDays } from '@ithings/contract/zone-days.ts'
import { sql } from 'kysely'
import { readDayZone } from '#db/day-zone.ts'
import type { Db } from '#db/schema.ts'
import { translatorOf } from '#http/answer-language.ts'
import { findProblems } from './find-problems.ts'
import { loadWorld } from './rule-world.ts'
import { makeNames, zoneText } from './scene-names.ts'
import { mentionsOf } from './scene-references.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { partsOf, type SceneRow } from './store.ts'

const days = 7
/** Of what the last run came to. */
const shownText = 200

async function alarmsOf(db: Db, sceneIDs: number[]): Promise<Map<number, Scene['alarms']>> {
  const rows = await db
    .selectFrom('alarm_scene')
    .innerJoin('alarm', 'alarm.id', 'alarm_scene.alarm_id')
    .select(['scene_id', 'alarm.id', 'alarm.name', 'alarm.level', 'alarm.status'])
    .where('scene_id', '=', sql<number>`any(${sceneIDs}::int[])`)
    .orderBy('alarm.level', 'desc')
    .orderBy('alarm.id')
    .execute()
  const found = new Map<number, Scene['alarms']>()
  for (const { scene_id, ...alarm } of rows) found.set(scene_id, [...(found.get(scene_id) ?? []), alarm])
  return found
}

async function firingsOf(db: Db, sceneIDs: number[], now: number): Promise<Map<number, number[]>> {
  const starts = lastDays(now, days, await readDayZone(db)).map(({ start }) => start)
  const { rows } = await sql<{ scene_id: number; day: number; fired: number }>`
    select scene_id, width_bucket(hour, ${starts}::bigint[]) as day, sum(fired) as fired from scene_tally
    where scene_id = any(${sceneIDs}::int[]) and hour >= ${starts[0]} group by 1, 2`.execute(db)
  const found = new Map<number, number[]>()
  for (const { scene_id, day, fired } of rows) {
    const list = found.get(scene_id) ?? Array.from({ length: days }, () => 0)
    list[day - 1] = fired
    found.set(scene_id, list)
  }
  return found
}

export async function toScenes(
  deps: Pick<ScenesDeps, 'db' | 'clock' | 'products'>,
  rows: SceneRow[],
  language: Language,
): Promise<Scene[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const now = deps.clock.now()
  const parts = rows.map((row) => partsOf(deps.db, row))
  const [world, alarms, firings] = await Promise.all([
    loadWorld(deps, parts.map(mentionsOf)),
    alarmsOf(deps.db, ids),
    firingsOf(deps.db, ids, now),
  ])
  const zone = zoneText(now)
  const by = translatorOf(language)
  return rows.map((row, i) => {
    const own = parts[i] as (typeof parts)[number]
    const linked = alarms.get(row.id) ?? []
    const names = makeNames(
      world,
      linked.map((alarm) => alarm.name),
      zone,
    )
    const said = speaking(by, () => describeScene(own, names))
    const found = speaking(by, () => findProblems(own, world, { sceneID: row.id, alarms: linked.length }))
    return {
      id: row.id,
      name: row.name,
      status: row.status,
      desc: row.description,
      createdTime: toSeconds(row.created_at),
      triggerType: row.trigger_type,
      trigger: row.trigger,
      when: row.conditions,
      then: JSON.stringify(own.actions),
      updatedTime: toSeconds(row.updated_at),
      updatedBy: row.updated_by,
      rev: row.rev,
      triggerText: said.trigger,
      whenText: said.when,
      thenText: said.then,
      problems: found.filter(({ entry }) => entry).map(({ text }) => text),
      hints: found.filter(({ entry }) => !entry).map(({ text }) => text),
      alarms: linked,
      lastRunTime: row.last_run_at,
      lastResult: row.last_result,
      lastText: sayKept(row.last_text, by).slice(0, shownText),
      nextRunTime: row.next_run_at ?? 0,
      firedByDay: firings.get(row.id) ?? Array.from({ length: days }, () => 0),
    }
  })
}
