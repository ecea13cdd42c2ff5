/** What surrounds a record: the property's history, the message and the run of the scene (screens.md 25). */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listPropertyLog, readTrace } from '@ithings/contract/features/devices/msg.ts'
import { readTsl } from '@ithings/contract/features/products/schema.ts'
import { listSceneLogs } from '@ithings/contract/features/scenes/log.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

export const modelQuery = (productID: string) =>
  queryOptions({
    ...endpointQuery(readTsl, { productID }, { quiet: true }),
    select: ({ tsl }) => readTslText(tsl).model,
  })

export const propertyLogQuery = (body: BodyInput<typeof listPropertyLog>) =>
  endpointQuery(listPropertyLog, body, { quiet: true })

export const traceQuery = (tranceID: string) => endpointQuery(readTrace, { tranceID }, { quiet: true })

/** The run of the scene that raised it. */
export const runQuery = (runID: string) =>
  queryOptions({
    queryKey: [listSceneLogs.path, { runID }],
    queryFn: ({ signal }) => call(listSceneLogs, { runID, page: { page: 1, size: 1 } }, { quiet: true, signal }),
    select: ({ list }) => list[0] ?? null,
  })
