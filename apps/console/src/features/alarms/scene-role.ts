/** What a linked scene does to the alarm: its actions say so (rules.md 4, 5). Pure. */
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { sceneActions } from '@ithings/contract/rules/scene-parts.ts'

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
