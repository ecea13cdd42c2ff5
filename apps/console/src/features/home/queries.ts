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
import { endpointQuery } from '#api/endpoint-query.ts'
import { type LiveQueries, useLive } from '#api/live.ts'

// Quiet: each panel shows its own failure, and a screen on a wall has nobody to close notices.
const quiet = { quiet: true }

export const summaryQuery = endpointQuery(readHomeSummary, {}, quiet)

export const trendBody = (kind: TrendKind) => ({ kind, hours: 24 })
export const trendQuery = (kind: TrendKind) => endpointQuery(readHomeTrend, trendBody(kind), quiet)

export const mapQuery = (body: BodyInput<typeof readHomeMap>) =>
  queryOptions({ ...endpointQuery(readHomeMap, body, quiet), placeholderData: keepPreviousData })

export const attentionQuery = endpointQuery(readHomeAttention, { limit: 20 }, quiet)

export const attentionPageSize = 20
export const attentionPageQuery = (kind: AttentionKind, page: number) =>
  queryOptions({
    ...endpointQuery(readHomeAttention, { kind, page, limit: attentionPageSize }, quiet),
    placeholderData: keepPreviousData,
  })

/** Curves gain a point every few minutes: they keep their own pace. */
export const trendPace = 60_000

const liveQueries: LiveQueries = { info: [[readHomeSummary.path], [readHomeMap.path], [readHomeAttention.path]] }

/** The figures are asked again when the platform says that they moved. */
export const useHomeLive = (): void => useLive(homeTopic, liveQueries)
