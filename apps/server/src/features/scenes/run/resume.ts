/** Runs that go on: after their delay, also when the server that began them was restarted or died meanwhile. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { failed } from './actions/action-kit.ts'
import { runDelay } from './actions/delay.ts'
import { concludeGroup, type ExecuteKit, endRun, executeRun, groupAt, type Tried } from './execute-run.ts'
import { type LookLoop, makeLookLoop } from './look-loop.ts'
import type { OpenRun } from './open-run.ts'
import { persist } from './persist.ts'
import { claimDue, nextDue, replaceStep, takeOver } from './run-store.ts'
import { success } from './summarise.ts'

const everyMs = 1_000
const claimedAtOnce = 100
export const interruptedText = '服务中断，结果未知'

/** The delays that the run waited for are over now. */
async function endDelays(kit: ExecuteKit, run: OpenRun): Promise<void> {
  for (const [step, action] of run.actions.entries()) {
    if (action.executor !== 'delay' || action.endTime !== 0) continue
    action.endTime = kit.clock.now()
    action.code = success
    await persist(kit, () => replaceStep(kit.db, run.runID, step, action))
  }
}

async function goOn(kit: ExecuteKit, run: OpenRun & { enabled: boolean }): Promise<void> {
  await endDelays(kit, run)
  // Whoever switches a scene off wants it to do nothing more.
  if (run.enabled) await executeRun(kit, run)
  else await endRun(kit, run, '场景已禁用，其余动作未执行')
}

/** When the step in flight began: with the run, or when those before it were over. */
const begunAt = ({ startedAt, actions }: OpenRun): number =>
  actions.reduce((latest, { endTime }) => Math.max(latest, endTime), startedAt)

/**
 * Whether the step in flight was done nobody knows: doing it twice may be worse than not at all. A delay does nothing:
 * what comes after it must not come early, so it is waited for from when it began.
 */
async function goOnAfterCrash(kit: ExecuteKit, run: OpenRun): Promise<void> {
  await endDelays(kit, run)
  const now = kit.clock.now()
  const startTime = begunAt(run)
  const group = groupAt(run.plan, run.step)
  const tried = group.map(
    (action): Tried =>
      action.executor === 'delay'
        ? { outcome: runDelay(action), startTime, endTime: now }
        : { outcome: { ...failed(new AppError(errors.system)), msg: interruptedText }, startTime: now, endTime: now },
  )
  if (await concludeGroup(kit, run, group, tried, startTime)) await executeRun(kit, run)
}

export interface ResumeParts {
  kit: ExecuteKit
  /** Runs that this server is at. */
  open(): number[]
  /** Room for more. */
  room(): number
  enqueue(run: OpenRun, work: () => Promise<void>): void
  lookMs?: number | undefined
}

export function makeResume({ kit, open, room, enqueue, lookMs = everyMs }: ResumeParts): LookLoop {
  const { db, clock, serverID } = kit
  return makeLookLoop(kit, lookMs, async () => {
    const most = Math.min(room(), claimedAtOnce)
    if (most <= 0) return undefined
    const due = await claimDue(db, { serverID, now: clock.now(), most })
    for (const run of due) enqueue(run, () => goOn(kit, run))
    const lost = await takeOver(db, { serverID, now: clock.now(), most, open: open() })
    for (const run of lost) enqueue(run, () => goOnAfterCrash(kit, run))
    // More than one round holds are looked for at once.
    return due.length + lost.length >= most ? clock.now() : nextDue(db)
  })
}
