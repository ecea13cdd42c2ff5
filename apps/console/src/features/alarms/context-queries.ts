/** What surrounds a record: the property's history, the message and the run of the scene (screens.md 25). */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listPropertyLog, readTrace } from '@ithings/contract/features/history.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'

const quiet = { quiet: true }

export const propertyLogQuery = (body: BodyInput<typeof listPropertyLog>) => endpointQuery(listPropertyLog, body, quiet)

export const traceQuery = (tranceID: string) => endpointQuery(readTrace, { tranceID }, quiet)

/** The run of the scene that raised it. */
export const runQuery = (runID: string) =>
  queryOptions({
    ...endpointQuery(listSceneLogs, { runID, page: { page: 1, size: 1 } }, quiet),
    select: ({ list }) => list[0] ?? null,
  })
