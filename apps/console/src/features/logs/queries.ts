import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { LogResult, listLoginLogs, listOperationLogs } from '@ithings/contract/features/logs.ts'
import { readSettings } from '@ithings/contract/features/settings.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { suspectsOf } from './brute-force.ts'
import { dateRangeOf } from './log-period.ts'

type Without<E> = Omit<E, 'dateRange' | 'date' | 'page'>
/** `time` is the text of the time filter; it is turned into a range at each read, so presets move with the clock. */
export type LoginLogFilter = Without<BodyInput<typeof listLoginLogs>> & { time?: string | undefined }
export type OperationLogFilter = Without<BodyInput<typeof listOperationLogs>> & { time?: string | undefined }

type Paging = BodyInput<typeof listLoginLogs>['page']

export const loginLogsQuery = (page: Paging, { time, ...filter }: LoginLogFilter) =>
  queryOptions({
    queryKey: [listLoginLogs.path, { page, time, ...filter }],
    queryFn: ({ signal }) => call(listLoginLogs, { page, ...filter, dateRange: dateRangeOf(time) }, { signal }),
  })

export const operationLogsQuery = (page: Paging, { time, ...filter }: OperationLogFilter) =>
  queryOptions({
    queryKey: [listOperationLogs.path, { page, time, ...filter }],
    queryFn: ({ signal }) => call(listOperationLogs, { page, ...filter, dateRange: dateRangeOf(time) }, { signal }),
  })

/** How many of the latest failures are looked at; the hint says so when there are more. */
export const lookedAtFailures = 1000

/** Failures of the period whatever else is filtered by. A failing hint is no reason to disturb anybody. */
export const suspectsQuery = (time: string | undefined) =>
  queryOptions({
    queryKey: [listLoginLogs.path, 'suspects', time],
    queryFn: async ({ signal }) => {
      const { list, total } = await call(
        listLoginLogs,
        { page: { page: 1, size: lookedAtFailures }, result: LogResult.failure, dateRange: dateRangeOf(time) },
        { quiet: true, signal },
      )
      return { suspects: suspectsOf(list), complete: total <= list.length }
    },
  })

/** Only for the note on retention; who may not read the settings sees the log without it. */
export const retentionQuery = endpointQuery(readSettings, {}, { quiet: true })
