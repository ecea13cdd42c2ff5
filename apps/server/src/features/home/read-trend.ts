import { dayMs, hourMs, minuteMs } from '@ithings/contract/durations.ts'
import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import type { readHomeTrend, TrendKind } from '@ithings/contract/features/home.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { alarmCounts } from './alarm-counts.ts'
import type { HomeDeps } from './home-deps.ts'
import { stepOf } from './home-times.ts'
import { visiblePartsOf } from './visible-parts.ts'

/** Values by the beginning of their step; a step that is missing was not measured. */
type Series = Map<number, number>

/** The last sample of each step. */
async function onlineSeries(db: Db, from: number, stepMs: number): Promise<Series> {
  const { rows } = await sql<{ step: number; value: number }>`
    select distinct on (step) at / ${sql.lit(stepMs)} * ${sql.lit(stepMs)} as step, online as value
    from home_sample where at >= ${from} order by step, at desc`.execute(db)
  return new Map(rows.map(({ step, value }) => [step, value]))
}

/** A second, over the minutes that were measured; of the minute that is not over, over its part. */
async function messageSeries(db: Db, from: number, stepMs: number, now: number): Promise<Series> {
  const elapsed = Math.max(1, (now % minuteMs) / 1000)
  const current = now - (now % minuteMs)
  const { rows } = await sql<{ step: number; messages: number; seconds: number }>`
    select at / ${sql.lit(stepMs)} * ${sql.lit(stepMs)} as step, sum(messages)::bigint as messages,
      sum(case when at = ${current} then ${elapsed}::float8 else 60 end) as seconds
    from home_message where at >= ${from} and at <= ${current} group by 1`.execute(db)
  return new Map(rows.map(({ step, messages, seconds }) => [step, Math.round((messages / seconds) * 100) / 100]))
}

/** The log knows of all times: no entry means none. */
async function alarmSeries(db: Db, from: number, stepMs: number, now: number): Promise<Series> {
  const series: Series = new Map()
  for (let at = from; at <= now; at += stepMs) series.set(at, 0)
  for (const { at, alarms } of await alarmCounts(db, from)) {
    const step = at - (at % stepMs)
    series.set(step, (series.get(step) ?? 0) + alarms)
  }
  return series
}

const seriesOf = (db: Db, kind: TrendKind, from: number, stepMs: number, now: number): Promise<Series> =>
  kind === 'online'
    ? onlineSeries(db, from, stepMs)
    : kind === 'message'
      ? messageSeries(db, from, stepMs, now)
      : alarmSeries(db, from, stepMs, now)

export async function readTrend(
  deps: HomeDeps,
  { kind, hours }: BodyOutput<typeof readHomeTrend>,
  role: number,
): Promise<DataOf<typeof readHomeTrend>> {
  const { db, clock } = deps
  const visible = await visiblePartsOf(deps, role)
  visible.require(kind === 'alarm' ? 'alarm' : 'device')
  const now = clock.now()
  const stepMs = stepOf(kind, hours)
  const last = now - (now % stepMs)
  const first = last - hours * hourMs + stepMs
  // A day is a whole number of steps, so that yesterday's lie exactly below today's.
  const series = await seriesOf(db, kind, first - dayMs, stepMs, now)
  const points = []
  for (let at = first; at <= last; at += stepMs) {
    points.push({ at, value: series.get(at) ?? null, before: series.get(at - dayMs) ?? null })
  }
  const values = points.flatMap(({ value }) => value ?? [])
  return {
    stepMs,
    points,
    highest: values.length === 0 ? 0 : Math.max(...values),
    lowest: values.length === 0 ? 0 : Math.min(...values),
  }
}
