/**
 * A scene as it is being edited, and the way to the wire and back (rules.md 1 to 4). The parts keep the shape of the
 * contract, so that everything existing consoles wrote goes back unchanged; a key tells items apart while they move.
 */
import { type Scene, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { DeviceTrigger } from '@ithings/contract/rules/device-trigger.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import type { Condition, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { parseScene, type SceneParts, sceneTexts } from '@ithings/contract/rules/scene-text.ts'

export interface TriggerItem {
  key: string
  part: DeviceTrigger
}
export interface ConditionItem {
  key: string
  part: Omit<Condition, 'terms'>
  terms: ConditionItem[]
}
export interface ActionItem {
  key: string
  part: SceneAction
}

export interface SceneDraft {
  name: string
  desc: string
  status: number
  triggerType: TriggerType
  /** Of device scenes: any one of them starts the scene. */
  triggers: TriggerItem[]
  /** Of timer scenes. */
  cron: string
  conditions: ConditionItem[]
  actions: ActionItem[]
  /** That its steps raise and clear. */
  alarmIDs: number[]
}

let lastKey = 0
export const newKey = (): string => {
  lastKey += 1
  return `k${lastKey}`
}

const itemOf = <P>(part: P): { key: string; part: P } => ({ key: newKey(), part })

export const conditionItem = ({ terms, ...part }: Condition): ConditionItem => ({
  key: newKey(),
  part,
  terms: (terms ?? []).map(conditionItem),
})

export function conditionPart({ part, terms }: ConditionItem): Condition {
  // An absent list stays absent: what was never nested is written as it was read.
  return terms.length > 0 ? { ...part, terms: terms.map(conditionPart) } : part
}

/** A tree of conditions as one list, parents before their children. */
export const flatConditions = (list: readonly ConditionItem[]): ConditionItem[] =>
  list.flatMap((item) => [item, ...flatConditions(item.terms)])

type SavedScene = Pick<Scene, 'name' | 'desc' | 'status' | 'triggerType' | 'trigger' | 'when' | 'then'> &
  Partial<Pick<Scene, 'alarms'>>

/** @throws AppError when a text is none that the platform takes */
export function draftOf(scene: SavedScene): SceneDraft {
  const { trigger, conditions, actions } = parseScene(scene)
  return {
    name: scene.name,
    desc: scene.desc,
    status: scene.status,
    triggerType: scene.triggerType,
    triggers: (trigger.device ?? []).map(itemOf),
    cron: trigger.timer?.cron ?? '',
    conditions: conditions.map(conditionItem),
    actions: actions.map(itemOf),
    alarmIDs: (scene.alarms ?? []).map(({ id }) => id),
  }
}

export const emptyTrigger = (productID = ''): TriggerItem =>
  itemOf({ productID, selector: 'all', operator: 'reportProperty', operationSchema: { dataID: [] } })

/** A new device scene asks for its first trigger at once; timers start with a time that people mean. */
export const emptyDraft = (triggerType: TriggerType, name = ''): SceneDraft => ({
  name,
  desc: '',
  status: SceneStatus.enabled,
  triggerType,
  triggers: triggerType === 'device' ? [emptyTrigger()] : [],
  cron: triggerType === 'timer' ? '0 0 8 * * *' : '',
  conditions: [],
  actions: [],
  alarmIDs: [],
})

export const partsOf = ({ triggerType, triggers, cron, conditions, actions }: SceneDraft): SceneParts => ({
  triggerType,
  trigger: {
    device: triggerType === 'device' ? triggers.map(({ part }) => part) : null,
    timer: triggerType === 'timer' ? { type: 'cron', cron } : null,
  },
  conditions: conditions.map(conditionPart),
  actions: actions.map(({ part }) => part),
})

/** What is saved, tried and replayed: the three texts with the type. */
export const textsOf = (draft: SceneDraft) => ({ triggerType: draft.triggerType, ...sceneTexts(partsOf(draft)) })
