import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { hideReceivers } from './hidden-receivers.ts'
import { toScenes } from './scene-wire.ts'
import type { ScenesKit } from './scenes-kit.ts'
import { findScene } from './store.ts'

export async function readScene(kit: ScenesKit, { id }: { id: number }, role: number): Promise<Scene> {
  const [scene] = await hideReceivers(kit, role, await toScenes(kit, [await findScene(kit.db, id)]))
  return scene as Scene
}
