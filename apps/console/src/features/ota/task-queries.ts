import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  cancelOtaDevice,
  cancelOtaDevices,
  exportOtaDevices,
  listOtaDevices,
  retryOtaDevice,
  retryOtaDevices,
} from '@ithings/contract/features/ota/device.ts'
import { OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import {
  adjustOtaTask,
  analyseOtaTask,
  cancelOtaTask,
  createOtaTask,
  listOtaTasks,
  otaTopic,
  pauseOtaTask,
  previewOtaTask,
  readOtaTask,
  resumeOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { type LiveQueries, useLive } from '#api/live.ts'

const quiet = { quiet: true }

/** @param key what the answer depends on; a moving time range is resolved at each read */
export const tasksQuery = (key: unknown, body: () => BodyInput<typeof listOtaTasks>) =>
  queryOptions({
    queryKey: [listOtaTasks.path, key],
    queryFn: ({ signal }) => call(listOtaTasks, body(), { signal }),
  })

/** How many tasks there are of each status (the strip above the list). */
export const taskCountQuery = (filter: { productID?: string | undefined }) =>
  queryOptions({
    queryKey: [listOtaTasks.path, 'count', filter],
    queryFn: async ({ signal }) => {
      const count = async (status: OtaTaskStatus) => {
        const body = { productID: filter.productID ?? '', status, page: { page: 1, size: 1 } }
        return [status, (await call(listOtaTasks, body, { quiet: true, signal })).total] as const
      }
      return Object.fromEntries(await Promise.all(Object.values(OtaTaskStatus).map(count)))
    },
  })

/** Without the names of its devices: it is read again with every notice, and there may be 100,000. */
export const taskQuery = (taskID: number) =>
  queryOptions({
    queryKey: [readOtaTask.path, { taskID }],
    queryFn: ({ signal }) => call(readOtaTask, { taskID, withDevices: false }, { quiet: true, signal }),
  })

/** What a copy begins with. The plan of a task never changes, so notices do not read it again. */
export const taskPlanQuery = (taskID: number) =>
  queryOptions({
    queryKey: [readOtaTask.path, 'plan', { taskID }],
    queryFn: ({ signal }) => call(readOtaTask, { taskID }, { quiet: true, signal }),
    staleTime: 'static',
  })

export const analysisQuery = (taskUid: string) => endpointQuery(analyseOtaTask, { taskUid }, { quiet: true })

export const taskDevicesQuery = (body: BodyInput<typeof listOtaDevices>) =>
  endpointQuery(listOtaDevices, body, { quiet: true })

export const previewQuery = (body: BodyInput<typeof previewOtaTask>) =>
  queryOptions({
    ...endpointQuery(previewOtaTask, body, { quiet: true }),
    // Devices change their versions while somebody thinks.
    staleTime: 0,
  })

const liveQueries: LiveQueries = {
  info: [[readOtaTask.path], [analyseOtaTask.path], [listOtaDevices.path]],
  values: [[readOtaTask.path], [analyseOtaTask.path], [listOtaDevices.path]],
}

/** The open task follows the platform's notices. */
export const useTaskLive = (taskUid: string | undefined): void =>
  useLive(taskUid === undefined ? undefined : otaTopic(taskUid), liveQueries)

/** What changes tasks and their devices; everything about tasks is read again afterwards. */
export function useTaskWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const paths = [listOtaTasks.path, readOtaTask.path, analyseOtaTask.path, listOtaDevices.path]
    const then = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work
      } finally {
        // A refusal often means that the task went on meanwhile, so it is read again as well.
        await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })))
      }
    }
    return {
      create: (body: BodyInput<typeof createOtaTask>) => then(call(createOtaTask, body, quiet)),
      cancel: (taskID: number) => then(call(cancelOtaTask, { taskID }, quiet)),
      pause: (taskID: number) => then(call(pauseOtaTask, { taskID }, quiet)),
      resume: (taskID: number, force = false) => then(call(resumeOtaTask, { taskID, ...(force && { force }) }, quiet)),
      adjust: (body: BodyInput<typeof adjustOtaTask>) => then(call(adjustOtaTask, body, quiet)),
      /** How it stands this moment, and why devices failed. */
      look: async ({ taskID, taskUid }: { taskID: number; taskUid: string }) => {
        const [task, { reasons }] = await Promise.all([
          client.fetchQuery({ ...taskQuery(taskID), staleTime: 0 }),
          client.fetchQuery({ ...analysisQuery(taskUid), staleTime: 0 }),
        ])
        return { task, reasons }
      },
      exportDevices: (body: BodyInput<typeof exportOtaDevices>) => call(exportOtaDevices, body, quiet),
      retryOne: (id: number) => then(call(retryOtaDevice, { id }, quiet)),
      cancelOne: (id: number) => then(call(cancelOtaDevice, { id }, quiet)),
      retryMany: (body: BodyInput<typeof retryOtaDevices>) => then(call(retryOtaDevices, body, quiet)),
      cancelMany: (body: BodyInput<typeof cancelOtaDevices>) => then(call(cancelOtaDevices, body, quiet)),
    }
  }, [client])
}
