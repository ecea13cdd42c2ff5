import { countScenes, listScenes } from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs, scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import { type LiveQueries, useLive } from '#api/live.ts'

const queries: LiveQueries = {
  log: [[listScenes.path], [countScenes.path], [listSceneLogs.path]],
  info: [[listScenes.path], [countScenes.path]],
}

/** A run was added or ended: what is on the screen about scenes is read again. */
export const useScenesLive = (): void => useLive(scenesTopic, queries)
