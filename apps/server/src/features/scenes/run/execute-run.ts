/** The steps of a run, one group after the other; each group's results are stored before the next begins. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { ActionTexts } from './action-texts.ts'
import { type ActionKit, type ActionOutcome, asAppError, failed, noteFirst } from './actions/action-kit.ts'
import { runAlarm } from './actions/alarm.ts'
import { runDelay } from './actions/delay.ts'
import { runDevice } from './actions/device.ts'
import { runNotify } from './actions/notify.ts'
import { runScene } from './actions/run-scene.ts'
import type { DeviceReplies } from './device-replies.ts'
import type { OpenRun } from './open-run.ts'
import { persist } from './persist.ts'
import { type RunChange, saveRun, storedActions } from './run-store.ts'
import type { SceneMarks } from './scene-marks.ts'
import { summarise } from './summarise.ts'

export interface ExecuteKit extends ActionKit {
  texts: ActionTexts
  marks: SceneMarks
  replies: DeviceReplies
  /** A delay ends then. */
  expectDue(at: number): void
  stopping(): boolean
  count(result: RunResult): void
}

/** A step that says `parallel` starts together with the one before it. */
export function groupAt(plan: SceneAction[], step: number): SceneAction[] {
  let end = step + 1
  while (plan[end]?.parallel) end += 1
  return plan.slice(step, end)
}

async function act(kit: ActionKit, run: OpenRun, action: SceneAction, step: number): Promise<ActionOutcome> {
  const { device, alarm, notify, scene, executor } = action
  if (executor === 'delay') {
    noteFirst(kit, run)
    return runDelay(action)
  }
  if (device) return runDevice(kit, run, device)
  if (alarm) return runAlarm(kit, run, alarm)
  if (notify) return runNotify(kit, run, step, notify)
  if (scene) return runScene(kit, run, step, scene)
  return { ...failed(new AppError(errors.parameter, { detail: `暂不支持的操作类型:${executor}` })), fatal: true }
}

export interface Tried {
  outcome: ActionOutcome
  startTime: number
  endTime: number
}

async function tryAction(kit: ActionKit, run: OpenRun, action: SceneAction, step: number): Promise<Tried> {
  const startTime = kit.clock.now()
  let outcome: ActionOutcome
  try {
    outcome = await act(kit, run, action, step)
  } catch (error) {
    const known = asAppError(error)
    if (known !== error) kit.log.error({ err: error, runID: run.runID, step }, 'an action of a scene failed')
    outcome = failed(known)
  }
  return { outcome, startTime, endTime: kit.clock.now() }
}

function toLogged(action: SceneAction, text: string, { outcome, startTime, endTime }: Tried): LoggedAction {
  const { ok, code, msg, devices } = outcome
  // A delay is under way until somebody goes on with the run.
  const waits = outcome.waitMs !== undefined && outcome.waitMs > 0
  return {
    text,
    executor: action.executor,
    ok,
    code: waits ? 0 : code,
    msg,
    startTime,
    endTime: waits ? 0 : endTime,
    devices,
  }
}

async function save(kit: ExecuteKit, run: OpenRun, change: RunChange): Promise<boolean> {
  const kept = await persist(kit, () => saveRun(kit.db, kit.serverID, run, change))
  if (!kept) kit.log.warn({ runID: run.runID, sceneID: run.sceneID }, 'a run was taken away')
  return kept
}

async function end(kit: ExecuteKit, run: OpenRun, added: LoggedAction[], reason: string): Promise<void> {
  const actions = run.resumed
    ? [...(await persist(kit, () => storedActions(kit.db, run.runID))), ...added]
    : run.actions
  const summary = summarise(actions, reason)
  if (!(await save(kit, run, { added, result: summary.result, reason, now: kit.clock.now() }))) return
  kit.marks.ended(run.sceneID, run.startedAt, summary)
  kit.count(summary.result)
  kit.bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: summary.result })
}

/** Ends it without doing what is left of it. */
export const endRun = (kit: ExecuteKit, run: OpenRun, reason: string): Promise<void> => end(kit, run, [], reason)

/**
 * What a group of steps came to is stored, and what follows from it.
 * @param startedAt of the group: delays begin with it
 * @returns whether there are more steps to do at once; else it is over, waits or is no longer ours
 */
export async function concludeGroup(
  kit: ExecuteKit,
  run: OpenRun,
  group: SceneAction[],
  tried: Tried[],
  startedAt: number,
): Promise<boolean> {
  const first = run.step
  const texts = await kit.texts(run.sceneID, run.plan)
  const added = tried.map((one, i) => toLogged(group[i] as SceneAction, texts[first + i] ?? '', one))
  run.actions.push(...added)
  run.step = first + group.length
  const expectReplies = () => {
    for (const [i, action] of added.entries()) kit.replies.expect(run, first + i, action)
  }
  const fatal = tried.find(({ outcome }) => outcome.fatal)
  if (fatal) {
    await end(kit, run, added, fatal.outcome.msg)
    return false
  }
  const waitMs = Math.max(...tried.map(({ outcome }) => outcome.waitMs ?? 0))
  if (waitMs > 0) {
    const resumeAt = startedAt + waitMs
    if (!(await save(kit, run, { added, result: RunResult.waiting, now: kit.clock.now(), resumeAt }))) return false
    expectReplies()
    kit.marks.waits(run.sceneID, run.startedAt)
    kit.bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: RunResult.waiting })
    kit.expectDue(resumeAt)
    return false
  }
  if (run.step >= run.plan.length) {
    await end(kit, run, added, '')
    expectReplies()
    return false
  }
  const kept = await save(kit, run, { added, result: RunResult.running, now: kit.clock.now() })
  expectReplies()
  return kept
}

/** One group of steps. @returns whether there are more to do at once */
export async function executeGroup(kit: ExecuteKit, run: OpenRun): Promise<boolean> {
  if (run.step >= run.plan.length) {
    await end(kit, run, [], '')
    return false
  }
  const { step } = run
  const group = groupAt(run.plan, step)
  const startedAt = kit.clock.now()
  const tried = await Promise.all(group.map((action, i) => tryAction(kit, run, action, step + i)))
  return concludeGroup(kit, run, group, tried, startedAt)
}

/** Until it is over or waits. A server that stops lets another go on, which finds it like a delay that is over. */
export async function executeRun(kit: ExecuteKit, run: OpenRun): Promise<void> {
  do {
    if (kit.stopping()) {
      const now = kit.clock.now()
      await save(kit, run, { added: [], result: RunResult.waiting, now, resumeAt: now })
      return
    }
  } while (await executeGroup(kit, run))
}
