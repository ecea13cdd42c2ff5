/** One tick of a server: time-outs, then the turn of each run that has something to do. */
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { Notices } from './notices.ts'
import { mayTake, type OpenRun, type RunMemory, readOpenRuns } from './open-runs.ts'
import type { RolloutKind, RolloutKindName } from './rollout-kind.ts'
import type { RowWriter } from './row-writer.ts'
import type { Sender } from './sender.ts'
import { takeTurn } from './take-turn.ts'

export interface WorkParts {
  db: Db
  clock: Clock
  serverID: string
  kinds: ReadonlyMap<RolloutKindName, RolloutKind>
  memory: RunMemory
  notices: Notices
  sender: Sender
  writer: RowWriter
  openRuns(count: number): void
}

const turnsAtOnce = 4
const overdueEveryMs = 1_000
const overdueAtOnce = 1_000

export interface RunWork {
  /** @returns how many runs are open */
  tick(): Promise<number>
}

export function makeRunWork(parts: WorkParts): RunWork {
  const { db, clock, serverID, kinds, memory, notices, sender, writer, openRuns } = parts
  let overdueAt = 0

  const endOverdue = async (now: number) => {
    if (now - overdueAt < overdueEveryMs && now >= overdueAt) return
    const late = await db
      .selectFrom('rollout_device')
      .select('id')
      .where('state', '=', 2)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(overdueAtOnce)
      .execute()
    await Promise.all(late.map(({ id }) => writer.write({ id }, { type: 'overdue' })))
    // More of them: at the next tick, not after a second.
    if (late.length < overdueAtOnce) overdueAt = now
  }

  const turn = async (runID: number, review: boolean, now: number) => {
    const giveBack = memory.takeBack(runID)
    if (review) memory.counted(runID, now, 0)
    try {
      const done = await takeTurn(db, { runID, now, serverID, kinds, review, giveBack, most: sender.room() })
      if (!done) {
        // Somebody else has it in hand; what was to be counted still is.
        if (review) memory.touch(runID)
        return false
      }
      const { run, claimed, countMs, changed } = done
      if (review) memory.counted(runID, now, countMs)
      sender.add(run, claimed, now)
      if (changed) notices.tell(run)
      return true
    } catch (error) {
      if (review) memory.touch(runID)
      throw error
    }
  }

  const isDue = (run: OpenRun, review: boolean, now: number) =>
    run.turning || review || (mayTake(run, now) && sender.room() > 0)

  return {
    async tick() {
      const now = clock.now()
      await endOverdue(now)
      const runs = await readOpenRuns(db, now)
      const open = new Set(runs.map((run) => run.runID))
      openRuns(runs.length)
      const work = runs.flatMap((run) => {
        const review = memory.needsReview(run.runID, kinds.get(run.kind), now)
        return isDue(run, review, now) ? [{ runID: run.runID, review }] : []
      })
      // Paused ones, whose last devices may have come to their end.
      for (const runID of memory.dirtyRuns()) if (!open.has(runID)) work.push({ runID, review: true })
      const failures: unknown[] = []
      const next = async (): Promise<void> => {
        for (let job = work.shift(); job; job = work.shift()) {
          const { runID, review } = job
          const known = await turn(runID, review, clock.now()).catch((error: unknown) => {
            failures.push(error)
            return true
          })
          if (!known && !open.has(runID)) memory.forget(runID)
        }
      }
      await Promise.all(Array.from({ length: turnsAtOnce }, next))
      memory.keepOnly(open)
      if (failures.length > 0) throw failures[0]
      return runs.length
    },
  }
}
