/** What people send for a scene, checked and ready to be stored. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, badField } from '@ithings/contract/errors.ts'
import { type createScene as endpoint, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { parseScene, type SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { jsonText } from '#db/json-text.ts'
import { sealReceivers } from '#db/scene-receivers.ts'
import { findProblems } from './find-problems.ts'
import { revealReceivers } from './hidden-receivers.ts'
import { loadWorld } from './rule-world.ts'
import { nextRun } from './run/next-run.ts'
import { type Mentions, mentionsOf, type Reference } from './scene-references.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { partsOf, type SceneRow } from './store.ts'

export interface SceneDraft {
  parts: SceneParts
  references: Reference[]
  columns: {
    name: string
    status: SceneStatus
    description: string
    trigger_type: SceneParts['triggerType']
    trigger: string
    conditions: string
    actions: string
    next_run_at: number | null
    updated_by: string
  }
}

/** A scene without actions cannot be enabled. Without a word about it, it is stored as what it can be. */
function statusOf(given: SceneStatus | undefined, { actions }: SceneParts, before?: SceneRow): SceneStatus {
  if (actions.length > 0) return given ?? (before?.status as SceneStatus | undefined) ?? SceneStatus.enabled
  if (given === SceneStatus.enabled) throw badField('then', '没有动作的场景不能启用，请先添加动作')
  return SceneStatus.disabled
}

type InputDeps = Pick<ScenesDeps, 'db' | 'clock' | 'products'>

async function refuseProblems(deps: InputDeps, parts: SceneParts, mentions: Mentions, sceneID: number | undefined) {
  const world = await loadWorld(deps, [mentions])
  const context = { alarms: 0, ...(sceneID !== undefined && { sceneID }) }
  const first = () => findProblems(parts, world, context).find(({ entry }) => entry)
  const entry = first()?.entry
  if (entry) throw new AppError(entry, { detail: () => first()?.text ?? '' })
}

const isSame = (one: SceneParts, other: SceneParts): boolean => jsonText(one) === jsonText(other)

/** @param before as it is stored, when it is changed */
export async function readInput(
  deps: InputDeps,
  input: BodyOutput<typeof endpoint> & { id?: number },
  userName: string,
  before?: SceneRow,
): Promise<SceneDraft> {
  const sent = parseScene(input)
  const parts = { ...sent, actions: revealReceivers(sent.actions, before ? partsOf(deps.db, before).actions : []) }
  const mentions = mentionsOf(parts)
  // Whose device or group is gone can still be switched off: that is what people want to do with it.
  const isSwitchedOff =
    (input.status ?? input.state) === SceneStatus.disabled && before && isSame(parts, partsOf(deps.db, before))
  if (!isSwitchedOff) await refuseProblems(deps, parts, mentions, input.id)
  const status = statusOf(input.status ?? input.state, parts, before)
  return {
    parts,
    references: mentions.references,
    columns: {
      name: input.name,
      status,
      description: input.desc ?? '',
      trigger_type: parts.triggerType,
      // A run copies them into jsonb, which does not hold every character that JSON can write.
      trigger: jsonText(parts.trigger),
      conditions: jsonText(parts.conditions),
      actions: jsonText(sealReceivers(deps.db, parts.actions)),
      next_run_at: status === SceneStatus.enabled ? nextRun(parts.trigger, deps.clock.now()) : null,
      updated_by: userName,
    },
  }
}
