/** One tick of a server: time-outs, then the turn of each run that has something to do. */

import type { Common } from '#common-deps.ts'
import type { Notices } from './notices.ts'
import { type OpenRun, type RunMemory, readOpenRuns } from './open-runs.ts'
import type { RolloutKind, RolloutKindName } from './rollout-kind.ts'
import type { RowWriter } from './row-writer.ts'
import type { Sender } from './sender.ts'
import { takeTurn } from './take-turn.ts'

export interface WorkParts extends Common<'db' | 'clock' | 'log'> {
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

interface Job {
  runID: number
  review: boolean
  /** It was found among the open runs; else it is paused or over, and only looked at because rows moved. */
  listed: boolean
}

export interface RunWork {
  /** @returns how many runs are open */
  tick(): Promise<number>
}

export function makeRunWork(parts: WorkParts): RunWork {
  const { db, clock, log, serverID, kinds, memory, notices, sender, writer, openRuns } = parts
  let overdueAt = 0
  /** Runs whose turn failed the last time, so that the log says it once. */
  const failing = new Set<number>()

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

  const turn = async ({ runID, review, listed }: Job): Promise<void> => {
    const now = clock.now()
    const giveBack = memory.takeBack(runID)
    // What moves from now on is counted the next time.
    if (review) memory.counted(runID, now)
    const again = () => {
      memory.giveBack(runID, giveBack)
      if (review) memory.touch(runID)
    }
    try {
      const most = sender.room()
      const done = await takeTurn(db, { runID, now, serverID, kinds, review, giveBack, most, wait: !listed })
      failing.delete(runID)
      // Another server has it in hand; or it is over, and nothing is left to count.
      if (!done) return listed ? again() : memory.forget(runID)
      const { run, claimed, countMs, changed } = done
      if (review) memory.tookLong(runID, countMs)
      sender.add(run, claimed, now)
      if (changed) notices.tell(run)
    } catch (error) {
      again()
      if (!failing.has(runID)) log.warn({ err: error, runID }, 'a run over devices cannot go on, trying again')
      failing.add(runID)
    }
  }

  const isDue = (run: OpenRun, review: boolean, now: number) =>
    run.turning || review || (memory.mayTake(run, now) && sender.room() > 0)

  return {
    async tick() {
      const now = clock.now()
      await endOverdue(now)
      const runs = await readOpenRuns(db, now)
      const open = new Set(runs.map((run) => run.runID))
      openRuns(runs.length)
      const work: Job[] = runs.flatMap((run) => {
        const review = memory.needsReview(run.runID, kinds.get(run.kind), now)
        return isDue(run, review, now) ? [{ runID: run.runID, review, listed: true }] : []
      })
      // Paused ones, whose last devices may have come to their end.
      for (const runID of memory.dirtyRuns()) if (!open.has(runID)) work.push({ runID, review: true, listed: false })
      const next = async (): Promise<void> => {
        for (let job = work.shift(); job; job = work.shift()) await turn(job)
      }
      await Promise.all(Array.from({ length: turnsAtOnce }, next))
      memory.keepOnly(open)
      for (const runID of failing) if (!open.has(runID)) failing.delete(runID)
      return runs.length
    },
  }
}
