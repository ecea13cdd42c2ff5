import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  type AttentionKind,
  homeTopic,
  readHomeAttention,
  readHomeMap,
  readHomeSummary,
  readHomeTrend,
  type TrendKind,
} from '@ithings/contract/features/home.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { type LiveQueries, useLive } from '#api/live.ts'

// Quiet: each panel shows its own failure, and a screen on a wall has nobody to close notices.
const quiet = true

export const summaryQuery = queryOptions({
  queryKey: [readHomeSummary.path],
  queryFn: ({ signal }) => call(readHomeSummary, {}, { signal, quiet }),
})

export const trendQuery = (kind: TrendKind) =>
  queryOptions({
    queryKey: [readHomeTrend.path, kind],
    queryFn: ({ signal }) => call(readHomeTrend, { kind, hours: 24 }, { signal, quiet }),
  })

export const mapQuery = (body: BodyInput<typeof readHomeMap>) =>
  queryOptions({
    queryKey: [readHomeMap.path, body],
    queryFn: ({ signal }) => call(readHomeMap, body, { signal, quiet }),
    placeholderData: keepPreviousData,
  })

const attentionRows = 20
export const attentionQuery = queryOptions({
  queryKey: [readHomeAttention.path],
  queryFn: ({ signal }) => call(readHomeAttention, { limit: attentionRows }, { signal, quiet }),
})

export const attentionPageSize = 20
export const attentionPageQuery = (kind: AttentionKind, page: number) =>
  queryOptions({
    queryKey: [readHomeAttention.path, kind, page],
    queryFn: ({ signal }) => call(readHomeAttention, { kind, page, limit: attentionPageSize }, { signal, quiet }),
    placeholderData: keepPreviousData,
  })

/** Curves gain a point every few minutes: they keep their own pace. */
export const trendPace = 60_000

const liveQueries: LiveQueries = { info: [[readHomeSummary.path], [readHomeMap.path], [readHomeAttention.path]] }

/** The figures are asked again when the platform says that they moved. */
export const useHomeLive = (): void => useLive(homeTopic, liveQueries)
