/** Runs that go on: after their delay, also when the server that began them was restarted or died meanwhile. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Loop } from '#background/loop.ts'
import { failed } from './actions/action-deps.ts'
import { runDelay } from './actions/delay.ts'
import { concludeGroup, type ExecuteDeps, endRun, executeRun, groupAt, type Tried } from './execute-run.ts'
import type { OpenRun } from './open-run.ts'
import { persist } from './persist.ts'
import { claimDue, nextDue, replaceStep, takeOver } from './run-store.ts'
import { success } from './summarise.ts'

const everyMs = 1_000
const claimedAtOnce = 100

/** The delays that the run waited for are over now. */
async function endDelays(deps: ExecuteDeps, run: OpenRun): Promise<void> {
  for (const [step, action] of run.actions.entries()) {
    if (action.executor !== 'delay' || action.endTime !== 0) continue
    action.endTime = deps.clock.now()
    action.code = success
    await persist(deps, () => replaceStep(deps.db, run.runID, step, action))
  }
}

async function goOn(deps: ExecuteDeps, run: OpenRun & { enabled: boolean }): Promise<void> {
  await endDelays(deps, run)
  // Whoever switches a scene off wants it to do nothing more.
  if (run.enabled) await executeRun(deps, run)
  else await endRun(deps, run, kept('场景已禁用，其余动作未执行'))
}

/** When the step in flight began: with the run, or when those before it were over. */
const begunAt = ({ startedAt, actions }: OpenRun): number =>
  actions.reduce((latest, { endTime }) => Math.max(latest, endTime), startedAt)

/**
 * Whether the step in flight was done nobody knows: doing it twice may be worse than not at all. A delay does nothing:
 * what comes after it must not come early, so it is waited for from when it began.
 */
async function goOnAfterCrash(deps: ExecuteDeps, run: OpenRun): Promise<void> {
  await endDelays(deps, run)
  const now = deps.clock.now()
  const startTime = begunAt(run)
  const group = groupAt(run.plan, run.step)
  const tried = group.map(
    (action): Tried =>
      action.executor === 'delay'
        ? { outcome: runDelay(action), startTime, endTime: now }
        : {
            outcome: { ...failed(new AppError(errors.system)), msg: kept('服务中断，结果未知') },
            startTime: now,
            endTime: now,
          },
  )
  if (await concludeGroup(deps, run, group, tried, startTime)) await executeRun(deps, run)
}

export interface ResumeParts {
  deps: ExecuteDeps
  /** Runs that this server is at. */
  open(): number[]
  /** Room for more. */
  room(): number
  enqueue(run: OpenRun, work: () => Promise<void>): void
  lookMs?: number | undefined
}

export function makeResume({ deps, open, room, enqueue, lookMs = everyMs }: ResumeParts): Loop {
  const { db, clock, serverID } = deps
  const turn = async () => {
    const most = Math.min(room(), claimedAtOnce)
    if (most <= 0) return undefined
    const due = await claimDue(db, { serverID, now: clock.now(), most })
    for (const run of due) enqueue(run, () => goOn(deps, run))
    const lost = await takeOver(db, { serverID, now: clock.now(), most, open: open() })
    for (const run of lost) enqueue(run, () => goOnAfterCrash(deps, run))
    // More than one round holds are looked for at once.
    return due.length + lost.length >= most ? clock.now() : nextDue(db)
  }
  return deps.background.loop({ name: 'scenes.resume', everyMs: lookMs, turn })
}
