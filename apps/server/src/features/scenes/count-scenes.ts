import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { sql } from 'kysely'
import type { ScenesDeps } from './scenes-deps.ts'

/** Enough for a percentile, and a bounded read however many there were. */
const sampled = 10_000

interface Tally {
  fired: number
  fired_before: number
  failed: number
  failed_scenes: number
}

/** The counters above the list: the last 24 hours, the running one included, against the 24 before. */
export async function countScenes({ db, clock }: Pick<ScenesDeps, 'db' | 'clock'>) {
  const now = clock.now()
  const from = now - (now % hourMs) - dayMs + hourMs
  const [scenes, tally, latency] = await Promise.all([
    db
      .selectFrom('scene')
      .select([
        sql<number>`count(*)`.as('total'),
        sql<number>`count(*) filter (where status = ${SceneStatus.enabled})`.as('enabled'),
      ])
      .executeTakeFirstOrThrow(),
    sql<Tally>`
      select coalesce(sum(fired) filter (where hour >= ${from}), 0)::int as fired,
        coalesce(sum(fired) filter (where hour < ${from}), 0)::int as fired_before,
        coalesce(sum(failed) filter (where hour >= ${from}), 0)::int as failed,
        count(distinct scene_id) filter (where hour >= ${from} and failed > 0) as failed_scenes
      from scene_tally where hour >= ${from - dayMs}`.execute(db),
    sql<{ p99: number | null }>`
      select percentile_disc(0.99) within group (order by latency) as p99 from (
        select latency from scene_run where started_at > ${now - dayMs} order by started_at desc limit ${sampled}) recent
      where latency >= 0`.execute(db),
  ])
  const counted = tally.rows[0]
  return {
    total: scenes.total,
    enabled: scenes.enabled,
    fired: counted?.fired ?? 0,
    firedBefore: counted?.fired_before ?? 0,
    failed: counted?.failed ?? 0,
    failedScenes: counted?.failed_scenes ?? 0,
    actionP99: latency.rows[0]?.p99 ?? -1,
  }
}
