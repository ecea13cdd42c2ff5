/** Which runs have work for this server now, and how often each is counted. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { allowance } from './pace.ts'
import type { RolloutKind, RolloutKindName } from './rollout-kind.ts'

export interface OpenRun {
  runID: number
  kind: RolloutKindName
  perMinute: number
  pacedFrom: number
  pacedCount: number
  /** It is about to begin or to end by the clock. */
  turning: boolean
  /** Has rows that may be taken. */
  ready: boolean
}

/** As many as a tick looks at: those that can go on first, then the oldest. */
const mostRuns = 1_000

/**
 * Without runs of which only devices wait that are away: there may be thousands (a configuration for devices that never
 * come), and nothing is to be done. What their other devices do is counted by whoever writes it.
 */
export async function readOpenRuns(db: Db, now: number): Promise<OpenRun[]> {
  const { rows } = await sql<OpenRun>`
    select "runID", kind, "perMinute", "pacedFrom", "pacedCount", turning, ready from (
      select run_id as "runID", kind, per_minute as "perMinute", paced_from as "pacedFrom", paced_count as "pacedCount",
        start_at, state = 1 or end_at between 1 and ${now} as turning,
        state = 2 and exists (select from rollout_device one where one.run_id = run.run_id and one.state = 1
          and one.due_at < 9000000000000000 and one.due_at <= ${now}
          and one.position <= coalesce(run.limit_to, 2147483647)) as ready
      from rollout run
      where state in (1, 2, 5) and start_at <= ${now} and (state <> 5 or end_at between 1 and ${now})
        and (state <> 2 or end_at between 1 and ${now}
          or exists (select from rollout_device one
            where one.run_id = run.run_id and one.state = 1 and one.due_at < 9000000000000000)
          or not exists (select from rollout_device one
            where one.run_id = run.run_id and one.state = 1 and one.due_at >= 9000000000000000))
    ) open
    order by (turning or ready) desc, start_at limit ${mostRuns}`.execute(db)
  return rows
}

/** What this server remembers of a run. */
interface Memory {
  /** Whether rows have moved since they were last counted. */
  dirty: boolean
  countedAt: number
  countMs: number
  giveBack: number
}

const reviewMs = 1_000
const countAnywayMs = 5_000
/** Counting takes at most one part in so many of the time. */
const countShare = 20

export interface RunMemory {
  touch(runID: number): void
  giveBack(runID: number, count: number): void
  /** Takes what is to be given back. */
  takeBack(runID: number): number
  /** Asked without a lock, so that runs with nothing to do cost no transaction. */
  mayTake(run: OpenRun, now: number): boolean
  needsReview(runID: number, kind: RolloutKind | undefined, now: number): boolean
  counted(runID: number, now: number): void
  tookLong(runID: number, countMs: number): void
  dirtyRuns(): number[]
  /** Forgets all others, unless they are still to be counted. */
  keepOnly(runs: ReadonlySet<number>): void
  forget(runID: number): void
}

export function makeRunMemory(): RunMemory {
  const runs = new Map<number, Memory>()
  const of = (runID: number): Memory => {
    const found = runs.get(runID) ?? { dirty: false, countedAt: 0, countMs: 0, giveBack: 0 }
    runs.set(runID, found)
    return found
  }
  return {
    touch(runID) {
      of(runID).dirty = true
    },
    giveBack(runID, count) {
      of(runID).giveBack += count
    },
    takeBack(runID) {
      const memory = of(runID)
      const { giveBack } = memory
      memory.giveBack = 0
      return giveBack
    },
    mayTake({ runID, ready, pacedFrom, pacedCount, perMinute }, now) {
      const count = pacedCount - (runs.get(runID)?.giveBack ?? 0)
      return ready && allowance({ from: pacedFrom, count }, perMinute, now).allowed > 0
    },
    needsReview(runID, kind, now) {
      const { dirty, countedAt, countMs } = of(runID)
      const gap = dirty ? 0 : kind?.review ? reviewMs : countAnywayMs
      const since = now - countedAt
      // A clock that was set back must not keep it from being counted.
      return since < 0 || since >= Math.max(gap, countMs * countShare)
    },
    counted(runID, now) {
      Object.assign(of(runID), { dirty: false, countedAt: now })
    },
    tookLong(runID, countMs) {
      of(runID).countMs = countMs
    },
    dirtyRuns: () => [...runs].filter(([, memory]) => memory.dirty).map(([runID]) => runID),
    keepOnly(open) {
      for (const [runID, { dirty }] of runs) if (!dirty && !open.has(runID)) runs.delete(runID)
    },
    forget: (runID) => void runs.delete(runID),
  }
}
