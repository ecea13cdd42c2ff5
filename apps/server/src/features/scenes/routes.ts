import * as contract from '@ithings/contract/features/scenes/info.ts'
import * as logs from '@ithings/contract/features/scenes/log.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { countScenes } from './count-scenes.ts'
import { createScene } from './create-scene.ts'
import { deleteScene } from './delete-scene.ts'
import { listSceneLogs } from './list-scene-logs.ts'
import { listScenes } from './list-scenes.ts'
import { readScene } from './read-scene.ts'
import type { ScenesDeps } from './scenes-deps.ts'
import { triggerScene } from './trigger-scene.ts'
import { updateScene } from './update-scene.ts'

export const scenesRoutes = (deps: ScenesDeps): MountedEndpoint[] => [
  on(contract.createScene, (input, ctx) => createScene(deps, input, ctx.user)),
  on(contract.updateScene, (input, ctx) => updateScene(deps, input, ctx.user)),
  on(contract.deleteScene, (input) => deleteScene(deps, input)),
  on(contract.readScene, (input, ctx) => readScene(deps, input, ctx.user)),
  on(contract.listScenes, (input, ctx) => listScenes(deps, input, ctx.user)),
  on(contract.countScenes, () => countScenes(deps)),
  on(contract.triggerScene, (input, ctx) => triggerScene(deps, input, ctx.user.userName)),
  on(logs.listSceneLogs, (input) => listSceneLogs(deps.db, input)),
]
