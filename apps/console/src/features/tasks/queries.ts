import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listGroups } from '@ithings/contract/features/groups.ts'
import { listConfigs } from '@ithings/contract/features/remote-config.ts'
import { listTaskDevices, listTaskRuns } from '@ithings/contract/features/task-results.ts'
import { listTasks, previewTask, readTask, taskTopic } from '@ithings/contract/features/tasks.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useLive } from '#api/live.ts'
import { useSend } from '#blocks/rollout/use-acts.ts'

/** Drawers show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export const tasksQuery = (body: BodyInput<typeof listTasks>) => endpointQuery(listTasks, body)

/** Of the other filters: the counters are the filter of the status. */
export const taskFactsQuery = (filter: Omit<BodyInput<typeof listTasks>, 'page' | 'status'>) =>
  queryOptions({
    queryKey: [listTasks.path, 'facts', filter],
    queryFn: async ({ signal }) => {
      const { counts } = await call(listTasks, { ...filter, page: { page: 1, size: 1 } }, { ...quiet, signal })
      return counts
    },
  })

/** The tree of groups, with the product's devices counted. */
export const groupsOfProductQuery = (countOf: string) =>
  queryOptions({
    queryKey: [listGroups.path, 'all', { countOf }],
    queryFn: async ({ signal }) =>
      (await call(listGroups, { countOf, page: { page: 1, size: 1 } }, { ...quiet, signal })).listAll,
  })

export const taskQuery = (taskID: number) => endpointQuery(readTask, { taskID }, quiet)

export const taskRunsQuery = (body: BodyInput<typeof listTaskRuns>) => endpointQuery(listTaskRuns, body, quiet)

export const taskDevicesQuery = (body: BodyInput<typeof listTaskDevices>) => endpointQuery(listTaskDevices, body, quiet)

export const previewQuery = (body: BodyInput<typeof previewTask> | undefined) =>
  queryOptions({
    queryKey: [previewTask.path, body],
    enabled: body !== undefined,
    // Devices come and go while somebody writes the task.
    staleTime: 15_000,
    queryFn: ({ signal }) => call(previewTask, body as BodyInput<typeof previewTask>, { ...quiet, signal }),
  })

/** The newest versions; older ones are restored before they are pushed. */
const shownVersions = 50
export const configVersionsQuery = (productID: string) =>
  queryOptions({
    queryKey: [listConfigs.path, 'choice', { productID }],
    queryFn: async ({ signal }) =>
      (await call(listConfigs, { productID, page: { page: 1, size: shownVersions } }, { ...quiet, signal })).list,
  })

/** A device of the task moved on: its drawer and its row are read again. */
export function useTaskLive(taskID: number): void {
  useLive(taskTopic(taskID), {
    info: [[readTask.path, { taskID }], [listTaskRuns.path], [listTaskDevices.path], [listTasks.path]],
  })
}

const aboutTasks = [listTasks, readTask, listTaskRuns, listTaskDevices]
/** What changes a task. */
export const useTaskSend = () => useSend(aboutTasks)

const listsOfTasks = [listTasks]
/** What deletes a task: its own page must not be asked for again, so only the lists are. */
export const useTaskRemoval = () => useSend(listsOfTasks)
