import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listGroups } from '@ithings/contract/features/groups.ts'
import { listConfigs } from '@ithings/contract/features/remote-config.ts'
import { exportTask, listTaskDevices, listTaskRuns } from '@ithings/contract/features/task-results.ts'
import {
  cancelTask,
  createTask,
  deleteTask,
  listTasks,
  previewTask,
  readTask,
  retryTask,
  runTask,
  setTaskStatus,
  updateTask,
} from '@ithings/contract/features/tasks.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

/** Dialogs and drawers show the refusal themselves: no notification beside it. */
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

/** What changes tasks; everything that is on the screen about them is read again afterwards. */
export function useTaskWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const again = (paths: readonly string[]) =>
      Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })))
    const then = async <T>(work: Promise<T>): Promise<T> => {
      const result = await work
      await again([listTasks.path, readTask.path, listTaskRuns.path, listTaskDevices.path])
      return result
    }
    return {
      create: (body: BodyInput<typeof createTask>) => then(call(createTask, body, quiet)),
      update: (body: BodyInput<typeof updateTask>) => then(call(updateTask, body, quiet)),
      run: (taskID: number) => then(call(runTask, { taskID }, quiet)),
      cancel: (body: BodyInput<typeof cancelTask>) => then(call(cancelTask, body, quiet)),
      retry: (body: BodyInput<typeof retryTask>) => then(call(retryTask, body, quiet)),
      setEnabled: (taskID: number, isEnable: 1 | 2) => then(call(setTaskStatus, { taskID, isEnable }, quiet)),
      exportResult: (body: BodyInput<typeof exportTask>) => call(exportTask, body, quiet),
      // A deleted task's own page must not be asked for again, so only the lists are.
      remove: async (taskID: number) => {
        await call(deleteTask, { taskID }, quiet)
        await again([listTasks.path])
      },
    }
  }, [client])
}
