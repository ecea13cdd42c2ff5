import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { hideReceivers } from './hidden-receivers.ts'
import { toScenes } from './scene-wire.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { findScene } from './store.ts'

export async function readScene(deps: ScenesDeps, { id }: { id: number }, role: number): Promise<Scene> {
  const [scene] = await hideReceivers(deps, role, await toScenes(deps, [await findScene(deps.db, id)]))
  return scene as Scene
}
