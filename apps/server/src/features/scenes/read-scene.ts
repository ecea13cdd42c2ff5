import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { hideReceivers } from './hidden-receivers.ts'
import { toScenes } from './scene-wire.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { findScene } from './store.ts'

export async function readScene(deps: ScenesDeps, { id }: { id: number }, user: SignedInUser): Promise<Scene> {
  const scenes = await toScenes(deps, [await findScene(deps.db, id)], user.language)
  const [scene] = await hideReceivers(deps, user.role, scenes)
  return scene as Scene
}
