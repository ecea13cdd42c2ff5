/** The words of a scene's actions for its log, looked up once for many runs. */
import { describeAction } from '@ithings/contract/rules/describe-action.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { keeping } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import type { ProductCache } from '#features/products/door.ts'
import { loadWorld } from '../rule-world.ts'
import { makeNames } from '../scene-names.ts'
import { mentionsOf } from '../scene-references.ts'
import { linkedAlarmNames } from '../store.ts'

/** Names of groups, channels and devices may change without the scene being told. */
const freshMs = 60_000
const mostScenes = 1_000

interface Kit extends Common<'db' | 'clock'> {
  products: ProductCache
}

export type ActionTexts = (sceneID: number, plan: SceneAction[]) => Promise<string[]>

async function load(deps: Kit, sceneID: number, plan: SceneAction[]): Promise<string[]> {
  const raises = plan.some(({ alarm }) => alarm)
  const [world, alarms] = await Promise.all([
    loadWorld(deps, [mentionsOf({ trigger: { device: null, timer: null }, conditions: [], actions: plan })]),
    raises ? linkedAlarmNames(deps.db, sceneID) : [],
  ])
  const names = makeNames(world, alarms, '')
  return plan.map((action) => keeping(() => describeAction(action, names)))
}

export function makeActionTexts(deps: Kit): ActionTexts {
  const known = new Map<number, { plan: string; texts: Promise<string[]>; at: number }>()
  return (sceneID, plan) => {
    const text = JSON.stringify(plan)
    const now = deps.clock.now()
    const before = known.get(sceneID)
    if (before && before.plan === text && now - before.at < freshMs) return before.texts
    // Words that cannot be looked up are no reason for a run to fail.
    const texts = load(deps, sceneID, plan).catch(() => {
      known.delete(sceneID)
      return plan.map(({ executor }) => executor)
    })
    for (const oldest of known.keys()) {
      if (known.size < mostScenes) break
      known.delete(oldest)
    }
    known.set(sceneID, { plan: text, texts, at: now })
    return texts
  }
}
