import { AppError, errors } from '@ithings/contract/errors.ts'
import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { OpenRun } from '../open-run.ts'
import { type ActionKit, type ActionOutcome, done, failed, noteFirst } from './action-kit.ts'

/** Like a manual run: the conditions of the other scene are not asked; the device that started this one goes along. */
export async function runScene(
  kit: ActionKit,
  run: OpenRun,
  step: number,
  { sceneID }: { sceneID: number },
): Promise<ActionOutcome> {
  const other = await kit.db.selectFrom('scene').select(['name', 'status']).where('id', '=', sceneID).executeTakeFirst()
  if (!other) return failed(new AppError(errors.notFound, { detail: `场景 ${sceneID} 不存在` }))
  if (other.status !== SceneStatus.enabled) {
    return failed(new AppError(errors.notEnabled, { detail: `场景「${other.name}」` }))
  }
  const depth = run.depth + 1
  if (depth > kit.bounds.chainDepth) {
    return failed(new AppError(errors.outOfRange, { detail: `场景连续执行超过 ${kit.bounds.chainDepth} 层` }))
  }
  const refused = kit.fire({
    sceneID,
    cause: `scene:${run.runID}:${step}`,
    device: run.device,
    triggerText: `由场景「${run.sceneName}」执行`,
    seen: run.seen,
    conditions: [],
    traceID: run.traceID,
    firedAt: kit.clock.now(),
    depth,
    userName: `场景「${run.sceneName}」`,
  })
  if (refused) return failed(new AppError(errors.rateLimited, { detail: `场景「${other.name}」${refused}` }))
  noteFirst(kit, run)
  return done(`已执行场景「${other.name}」`)
}
