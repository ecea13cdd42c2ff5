import * as contract from '@ithings/contract/features/scenes/info.ts'
import * as logs from '@ithings/contract/features/scenes/log.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { countScenes } from './count-scenes.ts'
import { createScene } from './create-scene.ts'
import { deleteScene } from './delete-scene.ts'
import { listSceneLogs } from './list-scene-logs.ts'
import { listScenes } from './list-scenes.ts'
import { readScene } from './read-scene.ts'
import type { ScenesKit } from './scenes-kit.ts'
import { triggerScene } from './trigger-scene.ts'
import { updateScene } from './update-scene.ts'

export const scenesRoutes = (kit: ScenesKit): MountedEndpoint[] => [
  on(contract.createScene, (input, ctx) => createScene(kit, input, ctx.user)),
  on(contract.updateScene, (input, ctx) => updateScene(kit, input, ctx.user)),
  on(contract.deleteScene, (input) => deleteScene(kit, input)),
  on(contract.readScene, (input, ctx) => readScene(kit, input, ctx.user.role)),
  on(contract.listScenes, (input, ctx) => listScenes(kit, input, ctx.user.role)),
  on(contract.countScenes, () => countScenes(kit)),
  on(contract.triggerScene, (input, ctx) => triggerScene(kit, input, ctx.user.userName)),
  on(logs.listSceneLogs, (input) => listSceneLogs(kit.db, input)),
]
