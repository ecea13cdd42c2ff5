/** What a linked scene does to the alarm: its actions say so (rules.md 4, 5). Pure. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { sceneActions } from '@ithings/contract/rules/scene-parts.ts'
import { parseScene } from '@ithings/contract/rules/scene-text.ts'

export interface SceneRole {
  raises: boolean
  clears: boolean
}

function actionsOf(text: string) {
  try {
    return sceneActions.safeParse(JSON.parse(text || '[]')).data ?? []
  } catch {
    return []
  }
}

export function sceneRole({ then }: Pick<Scene, 'then'>): SceneRole {
  const modes = actionsOf(then).flatMap((action) => (action.executor === 'alarm' ? [action.alarm?.mode] : []))
  return { raises: modes.includes('trigger'), clears: modes.includes('relieve') }
}

type Watching = Pick<Scene, 'name' | 'triggerType' | 'trigger' | 'when' | 'then' | 'triggerText'>

/** Whose devices the first raising scene looks at, and what it waits for. */
export function watchedBy(scenes: readonly Watching[]) {
  const scene = scenes.find((one) => one.triggerType === 'device' && sceneRole(one).raises)
  const watched = scene && parseScene(scene).trigger.device?.[0]
  if (!watched) return undefined
  return {
    sceneName: scene.name,
    trigger: scene.triggerText.map(({ text }) => text).join(''),
    productID: watched.productID,
    deviceName: watched.selector === 'fixed' ? (watched.selectorValues?.[0] ?? '') : '',
  }
}
