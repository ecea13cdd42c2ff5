/** What the header's bell needs, too: apart from the other queries, because every page starts with it. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  alarmTopic,
  countAlarmLogs,
  countAlarmRecords,
  listAlarmLogs,
  listAlarmRecords,
  listDealRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { safetyPace, useLive, useLiveConnected } from '#api/live.ts'

/** screens.md 25: without notices the queue asks by itself every 10 s. */
const queuePace = 10_000

export const recordPaths = [listAlarmRecords, countAlarmRecords, listAlarmLogs, countAlarmLogs, listDealRecords]
const liveQueries = { info: recordPaths.map(({ path }) => [path]) }

/** Everything about records follows the topic; the answer is the pace of asking without it. */
export function useAlarmLive(): number {
  useLive(alarmTopic, liveQueries)
  return useLiveConnected() ? safetyPace : queuePace
}

export type RecordFilter = BodyInput<typeof countAlarmRecords>

/** @param make presets move with the clock, so the filter is made at each read */
export const recordsQuery = (key: unknown, make: () => BodyInput<typeof listAlarmRecords>, pace: number | false) =>
  queryOptions({
    queryKey: [listAlarmRecords.path, key],
    refetchInterval: pace,
    queryFn: ({ signal }) => call(listAlarmRecords, make(), { quiet: true, signal }),
  })

export const recordCountQuery = (key: unknown, make: () => RecordFilter, pace: number | false) =>
  queryOptions({
    queryKey: [countAlarmRecords.path, key],
    refetchInterval: pace,
    queryFn: ({ signal }) => call(countAlarmRecords, make(), { quiet: true, signal }),
  })
