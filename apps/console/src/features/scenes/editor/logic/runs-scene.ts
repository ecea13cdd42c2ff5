/** Whether the actions of a scene (its JSON text) start that scene: choosing it would make a loop. Pure. */
import { parseScene } from '@ithings/contract/rules/scene-text.ts'

export function runsScene(then: string, sceneID: number): boolean {
  try {
    const { actions } = parseScene({ triggerType: 'manual', then })
    return actions.some(({ scene }) => scene?.sceneID === sceneID)
  } catch {
    // An unreadable scene starts nothing.
    return false
  }
}
