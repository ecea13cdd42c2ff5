/**
 * What lists show of runs: the last one of each scene and the counters by the hour. Collected for a moment, so that a
 * scene that runs often costs one row a moment; a crash loses that moment of counters, never a run.
 */
import { hourMs } from '@ithings/contract/durations.ts'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import { sql } from 'kysely'
import { storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { RunnerDeps } from './runner-deps.ts'
import type { Summary } from './summarise.ts'

const flushMs = 100

interface Tally {
  sceneID: number
  hour: number
  fired: number
  failed: number
}

interface Last extends Summary {
  at: number
}

export interface SceneMarks {
  fired(sceneID: number, startedAt: number): void
  waits(sceneID: number, startedAt: number): void
  ended(sceneID: number, startedAt: number, summary: Summary): void
  /** A device refused after the run had ended. */
  changed(sceneID: number, startedAt: number, before: RunResult, summary: Summary): void
  start(): Promise<void>
  stop(): Promise<void>
}

const isFailure = (result: RunResult) => result === RunResult.failed || result === RunResult.partly

async function writeLast(db: Db, last: Map<number, Last>): Promise<void> {
  const list = [...last].sort(([a], [b]) => a - b)
  await sql`
    update scene set last_run_at = given.at, last_result = given.result, last_text = given.text
    from unnest(${list.map(([id]) => id)}::int[], ${list.map(([, one]) => one.at)}::bigint[],
      ${list.map(([, one]) => one.result)}::smallint[],
      ${list.map(([, one]) => storableText(one.text))}::text[]) as given (id, at, result, text)
    where scene.id = given.id and scene.last_run_at <= given.at`.execute(db)
}

async function writeTallies(db: Db, tallies: Tally[]): Promise<void> {
  const list = tallies.sort((a, b) => a.sceneID - b.sceneID || a.hour - b.hour)
  await sql`
    insert into scene_tally as tally (scene_id, hour, fired, failed)
    select given.* from unnest(${list.map((one) => one.sceneID)}::int[], ${list.map((one) => one.hour)}::bigint[],
      ${list.map((one) => one.fired)}::int[], ${list.map((one) => one.failed)}::int[])
      as given (scene_id, hour, fired, failed) join scene on scene.id = given.scene_id
    on conflict (scene_id, hour) do update
      set fired = tally.fired + excluded.fired, failed = tally.failed + excluded.failed`.execute(db)
}

/** A server that died had ended runs of which the list does not know yet. */
async function repairLast(db: Db): Promise<void> {
  await sql`
    update scene set last_run_at = run.started_at, last_result = run.result from (
      select distinct on (scene_id) scene_id, started_at, result from scene_run
      where result not in (${RunResult.running}, ${RunResult.waiting})
        and started_at > coalesce((select max(last_run_at) from scene), 0) - 60000
      order by scene_id, started_at desc) run
    where run.scene_id = scene.id and run.started_at > scene.last_run_at`.execute(db)
}

export function makeSceneMarks({
  db,
  bus,
  clock,
  background,
}: Pick<RunnerDeps, 'db' | 'bus' | 'clock' | 'background'>): SceneMarks {
  let last = new Map<number, Last>()
  let tallies = new Map<string, Tally>()

  const loop = background.loop({
    name: 'scenes.marks',
    async turn() {
      const [ended, counted] = [last, tallies]
      last = new Map()
      tallies = new Map()
      if (counted.size > 0) await writeTallies(db, [...counted.values()])
      if (ended.size > 0) await writeLast(db, ended)
      bus.emit('scene.marked', { sceneIDs: [...ended.keys()] })
      return undefined
    },
  })
  const schedule = () => loop.wake(clock.now() + flushMs)
  const count = (sceneID: number, at: number, fired: number, failed: number) => {
    const hour = at - (at % hourMs)
    const key = `${sceneID}/${hour}`
    const tally = tallies.get(key) ?? { sceneID, hour, fired: 0, failed: 0 }
    tally.fired += fired
    tally.failed += failed
    tallies.set(key, tally)
    schedule()
  }
  const keepLast = (sceneID: number, startedAt: number, summary: Summary) => {
    if ((last.get(sceneID)?.at ?? 0) <= startedAt) last.set(sceneID, { ...summary, at: startedAt })
    schedule()
  }

  return {
    fired(sceneID, startedAt) {
      count(sceneID, startedAt, 1, 0)
      keepLast(sceneID, startedAt, { result: RunResult.running, text: '' })
    },
    waits: (sceneID, startedAt) => keepLast(sceneID, startedAt, { result: RunResult.waiting, text: '' }),
    ended(sceneID, startedAt, summary) {
      if (isFailure(summary.result)) count(sceneID, startedAt, 0, 1)
      keepLast(sceneID, startedAt, summary)
    },
    changed(sceneID, startedAt, before, summary) {
      if (isFailure(summary.result) && !isFailure(before)) count(sceneID, startedAt, 0, 1)
      keepLast(sceneID, startedAt, summary)
    },
    async start() {
      await repairLast(db)
      loop.start()
    },
    async stop() {
      await loop.stop()
      await loop.flush()
    },
  }
}
