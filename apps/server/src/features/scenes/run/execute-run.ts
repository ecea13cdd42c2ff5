/** The steps of a run, one group after the other; each group's results are stored before the next begins. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { RunResult, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { kept } from '@ithings/contract/text.ts'
import type { ActionTexts } from './action-texts.ts'
import { type ActionDeps, type ActionOutcome, asAppError, done, failed, noteFirst } from './actions/action-deps.ts'
import { runDelay } from './actions/delay.ts'
import { runDevice } from './actions/device.ts'
import { runNotify } from './actions/notify.ts'
import type { DeviceReplies } from './device-replies.ts'
import { type OpenRun, toRaising } from './open-run.ts'
import { persist } from './persist.ts'
import { type RunChange, saveRun, storedActions } from './run-store.ts'
import type { SceneMarks } from './scene-marks.ts'
import { summarise } from './summarise.ts'

/** Like a manual run: the conditions of the other scene are not asked; the device that started this one goes along. */
async function runScene(
  deps: ActionDeps,
  run: OpenRun,
  step: number,
  { sceneID }: { sceneID: number },
): Promise<ActionOutcome> {
  const other = await deps.db
    .selectFrom('scene')
    .select(['name', 'status'])
    .where('id', '=', sceneID)
    .executeTakeFirst()
  if (!other) return failed(refusal(errors.notFound, '场景 {sceneID} 不存在', { sceneID }))
  if (other.status !== SceneStatus.enabled) {
    return failed(refusal(errors.notEnabled, '场景「{name}」', { name: other.name }))
  }
  const depth = run.depth + 1
  if (depth > deps.bounds.chainDepth) {
    return failed(
      refusal(errors.outOfRange, '场景连续执行超过 {chainDepth} 层', { chainDepth: deps.bounds.chainDepth }),
    )
  }
  const refused = deps.fire({
    sceneID,
    cause: `scene:${run.runID}:${step}`,
    device: run.device,
    triggerText: kept('由场景「{name}」执行', { name: run.sceneName }),
    seen: run.seen,
    conditions: [],
    traceID: run.traceID,
    firedAt: deps.clock.now(),
    depth,
    userName: kept('场景「{name}」', { name: run.sceneName }),
  })
  if (refused) return failed(refusal(errors.rateLimited, '场景「{name}」{refused}', { name: other.name, refused }))
  noteFirst(deps, run)
  return done(kept('已执行场景「{name}」', { name: other.name }))
}

async function runAlarm(
  deps: ActionDeps,
  run: OpenRun,
  { mode }: { mode: 'trigger' | 'relieve' },
): Promise<ActionOutcome> {
  const { text } =
    mode === 'trigger' ? await deps.alarms.raise(toRaising(run)) : await deps.alarms.clear(toRaising(run))
  noteFirst(deps, run)
  return done(text)
}

export interface ExecuteDeps extends ActionDeps {
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

async function act(deps: ActionDeps, run: OpenRun, action: SceneAction, step: number): Promise<ActionOutcome> {
  const { device, alarm, notify, scene, executor } = action
  if (executor === 'delay') {
    noteFirst(deps, run)
    return runDelay(action)
  }
  if (device) return runDevice(deps, run, device)
  if (alarm) return runAlarm(deps, run, alarm)
  if (notify) return runNotify(deps, run, step, notify)
  if (scene) return runScene(deps, run, step, scene)
  return {
    ...failed(refusal(errors.parameter, '暂不支持的操作类型:{executor}', { executor })),
    fatal: true,
  }
}

export interface Tried {
  outcome: ActionOutcome
  startTime: number
  endTime: number
}

async function tryAction(deps: ActionDeps, run: OpenRun, action: SceneAction, step: number): Promise<Tried> {
  const startTime = deps.clock.now()
  let outcome: ActionOutcome
  try {
    outcome = await act(deps, run, action, step)
  } catch (error) {
    const known = asAppError(error)
    if (known !== error) deps.log.error({ err: error, runID: run.runID, step }, 'an action of a scene failed')
    outcome = failed(known)
  }
  return { outcome, startTime, endTime: deps.clock.now() }
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

async function save(deps: ExecuteDeps, run: OpenRun, change: RunChange): Promise<boolean> {
  const saved = await persist(deps, () => saveRun(deps.db, deps.serverID, run, change))
  if (!saved) deps.log.warn({ runID: run.runID, sceneID: run.sceneID }, 'a run was taken away')
  return saved
}

async function end(deps: ExecuteDeps, run: OpenRun, added: LoggedAction[], reason: string): Promise<void> {
  const actions = run.resumed
    ? [...(await persist(deps, () => storedActions(deps.db, run.runID))), ...added]
    : run.actions
  const summary = summarise(actions, reason)
  if (!(await save(deps, run, { added, result: summary.result, reason, now: deps.clock.now() }))) return
  deps.marks.ended(run.sceneID, run.startedAt, summary)
  deps.count(summary.result)
  deps.bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: summary.result })
}

/** Ends it without doing what is left of it. */
export const endRun = (deps: ExecuteDeps, run: OpenRun, reason: string): Promise<void> => end(deps, run, [], reason)

/**
 * What a group of steps came to is stored, and what follows from it.
 * @param startedAt of the group: delays begin with it
 * @returns whether there are more steps to do at once; else it is over, waits or is no longer ours
 */
export async function concludeGroup(
  deps: ExecuteDeps,
  run: OpenRun,
  group: SceneAction[],
  tried: Tried[],
  startedAt: number,
): Promise<boolean> {
  const first = run.step
  const texts = await deps.texts(run.sceneID, run.plan)
  const added = tried.map((one, i) => toLogged(group[i] as SceneAction, texts[first + i] ?? '', one))
  run.actions.push(...added)
  run.step = first + group.length
  const expectReplies = () => {
    for (const [i, action] of added.entries()) deps.replies.expect(run, first + i, action)
  }
  const fatal = tried.find(({ outcome }) => outcome.fatal)
  if (fatal) {
    await end(deps, run, added, fatal.outcome.msg)
    return false
  }
  const waitMs = Math.max(...tried.map(({ outcome }) => outcome.waitMs ?? 0))
  if (waitMs > 0) {
    const resumeAt = startedAt + waitMs
    if (!(await save(deps, run, { added, result: RunResult.waiting, now: deps.clock.now(), resumeAt }))) return false
    expectReplies()
    deps.marks.waits(run.sceneID, run.startedAt)
    deps.bus.emit('scene.ran', { sceneID: run.sceneID, runID: run.runID, result: RunResult.waiting })
    deps.expectDue(resumeAt)
    return false
  }
  if (run.step >= run.plan.length) {
    await end(deps, run, added, '')
    expectReplies()
    return false
  }
  const saved = await save(deps, run, { added, result: RunResult.running, now: deps.clock.now() })
  expectReplies()
  return saved
}

/** One group of steps. @returns whether there are more to do at once */
export async function executeGroup(deps: ExecuteDeps, run: OpenRun): Promise<boolean> {
  if (run.step >= run.plan.length) {
    await end(deps, run, [], '')
    return false
  }
  const { step } = run
  const group = groupAt(run.plan, step)
  const startedAt = deps.clock.now()
  const tried = await Promise.all(group.map((action, i) => tryAction(deps, run, action, step + i)))
  return concludeGroup(deps, run, group, tried, startedAt)
}

/** Until it is over or waits. A server that stops lets another go on, which finds it like a delay that is over. */
export async function executeRun(deps: ExecuteDeps, run: OpenRun): Promise<void> {
  do {
    if (deps.stopping()) {
      const now = deps.clock.now()
      await save(deps, run, { added: [], result: RunResult.waiting, now, resumeAt: now })
      return
    }
  } while (await executeGroup(deps, run))
}
