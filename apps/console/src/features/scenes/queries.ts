import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listAlarms, readAlarm } from '@ithings/contract/features/alarms/config.ts'
import {
  countScenes,
  createScene,
  deleteScene,
  listScenes,
  readScene,
  type Scene,
  triggerScene,
  updateScene,
} from '@ithings/contract/features/scenes/info.ts'
import { listSceneLogs, scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { type LiveQueries, useLive } from '#api/live.ts'
import { readAgain, thenReadAgain } from '#api/use-change.ts'
import { useMemo } from '#language/use-memo.ts'

export const scenesQuery = (body: BodyInput<typeof listScenes>) => endpointQuery(listScenes, body)

export const sceneQuery = (id: number) => endpointQuery(readScene, { id }, { quiet: true })

export const sceneCountQuery = () => endpointQuery(countScenes, {}, { quiet: true })

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

/** All that match, page by page: for files and for names that are taken. */
const pageSize = 1000
async function readAll(filter: Omit<BodyInput<typeof listScenes>, 'page'>): Promise<Scene[]> {
  const all: Scene[] = []
  for (let page = 1; ; page++) {
    const { list, total } = await call(listScenes, { ...filter, page: { page, size: pageSize } }, quiet)
    all.push(...list)
    if (list.length === 0 || all.length >= total) return all
  }
}

/** A scene as it is sent back, without what the platform adds for lists. */
export const bodyOf = ({ name, desc, status, triggerType, trigger, when, then }: Scene) => ({
  name,
  desc,
  status,
  triggerType,
  trigger,
  when,
  then,
})

/** What changes scenes; lists, counters and details are read again afterwards. */
export function useSceneWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const lists = [listScenes, countScenes]
    // Alarms count the scenes that raise them.
    const touched = [...lists, readScene, listAlarms, readAlarm]
    const refresh = () => readAgain(client, touched)
    const then = <T>(work: Promise<T>) => thenReadAgain(work, client, touched)
    return {
      refresh,
      readAll,
      takenNames: async (contained = '') => new Set((await readAll({ name: contained })).map(({ name }) => name)),
      /** One of many: the caller refreshes once at the end. */
      add: (body: BodyInput<typeof createScene>) => call(createScene, body, quiet),
      create: (body: BodyInput<typeof createScene>) => then(call(createScene, body, quiet)),
      update: (body: BodyInput<typeof updateScene>) => then(call(updateScene, body, quiet)),
      setStatus: (scene: Scene, status: number) =>
        then(call(updateScene, { ...bodyOf(scene), id: scene.id, rev: scene.rev, status }, quiet)),
      trigger: async (id: number) => {
        const run = await call(triggerScene, { id }, quiet)
        await readAgain(client, [...lists, listSceneLogs])
        return run
      },
      // A deleted scene's own page must not be asked for again, so only the lists are.
      remove: async (id: number) => {
        await call(deleteScene, { id }, quiet)
        await readAgain(client, lists)
      },
    }
  }, [client])
}

const queries: LiveQueries = {
  log: [[listScenes.path], [countScenes.path], [listSceneLogs.path]],
  info: [[listScenes.path], [countScenes.path]],
}

/** A run was added or ended: what is on the screen about scenes is read again. */
export const useScenesLive = (): void => useLive(scenesTopic, queries)
