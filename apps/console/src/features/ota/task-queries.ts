import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listOtaDevices } from '@ithings/contract/features/ota/device.ts'
import {
  analyseOtaTask,
  listOtaTasks,
  otaTopic,
  previewOtaTask,
  readOtaTask,
} from '@ithings/contract/features/ota/task.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useLive } from '#api/live.ts'
import { useSend } from '#blocks/rollout/use-acts.ts'

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
      const body = { productID: filter.productID ?? '', page: { page: 1, size: 1 } }
      return (await call(listOtaTasks, body, { quiet: true, signal })).counts
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

const ofOpenTask = [[readOtaTask.path], [analyseOtaTask.path], [listOtaDevices.path]]
const liveQueries = { info: ofOpenTask, values: ofOpenTask }

/** The open task follows the platform's notices. */
export const useTaskLive = (taskUid: string | undefined): void =>
  useLive(taskUid === undefined ? undefined : otaTopic(taskUid), liveQueries)

const aboutTasks = [listOtaTasks, readOtaTask, analyseOtaTask, listOtaDevices]
/** What changes tasks and their devices. */
export const useTaskSend = () => useSend(aboutTasks)
