import { randomUUID } from 'node:crypto'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { kept } from '@ithings/contract/text.ts'
import { toStr } from '@ithings/contract/wire.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { findScene } from './store.ts'

/** rules.md 4: only enabled (100021) and manual (100006) ones; the conditions are not asked. */
export async function triggerScene(deps: ScenesDeps, { id }: { id: number }, userName: string) {
  const scene = await findScene(deps.db, id)
  if (scene.status !== SceneStatus.enabled) throw refusal(errors.notEnabled, '场景「{name}」', { name: scene.name })
  if (scene.trigger_type !== 'manual') throw refusal(errors.parameter, '只有手动触发的场景可以手动执行')
  const runID = await deps.runner.trigger({
    sceneID: id,
    cause: `manual:${randomUUID()}`,
    device: undefined,
    triggerText: kept('{userName} 手动执行', { userName }),
    seen: {},
    conditions: [],
    traceID: '',
    firedAt: deps.clock.now(),
    depth: 0,
    userName,
  })
  return { runID: toStr(runID) }
}
