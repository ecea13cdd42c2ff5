import type { BodyInput, Endpoint } from '@ithings/contract/endpoint.ts'
import {
  addScenes,
  createAlarm,
  deleteAlarm,
  listAlarms,
  readAlarm,
  unlinkScene,
  updateAlarm,
} from '@ithings/contract/features/alarms/config.ts'
import {
  claimRecords,
  countAlarmLogs,
  createDealRecord,
  dealRecords,
  ignoreRecords,
  listAlarmLogs,
  listAlarmRecords,
  listDealRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { thenReadAgain } from '#api/use-change.ts'
import { useMemo } from '#language/use-memo.ts'
import { recordPaths } from './record-queries.ts'
import { watchedBy } from './scene-role.ts'

/** Screens, forms and dialogs show a refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export const alarmsQuery = (body: BodyInput<typeof listAlarms>) => endpointQuery(listAlarms, body, quiet)

export const alarmQuery = (id: number) => endpointQuery(readAlarm, { id }, quiet)

export const scenesQuery = (body: BodyInput<typeof listScenes>) => endpointQuery(listScenes, body, quiet)

/** What a notice would say of a device that a linked scene watches; null while there is none. */
export const exampleQuery = (alarmID: number) =>
  queryOptions({
    queryKey: [listScenes.path, 'example', alarmID],
    queryFn: async ({ signal }) => {
      const options = { quiet: true, signal }
      const { list } = await call(listScenes, { alarmID, page: { page: 1, size: 20 } }, options)
      const watching = watchedBy(list)
      if (!watching) return null
      const { sceneName, trigger, productID, deviceName } = watching
      const found = await call(listDevices, { productID, deviceName, page: { page: 1, size: 1 } }, options)
      const device = found.list[0]
      if (!device) return null
      const { productName, deviceName: name, deviceAlias } = device
      return { sceneName, trigger, productName, deviceName: name, deviceAlias }
    },
  })

/** One record by its id; null when it is gone. */
export const recordQuery = (id: number) =>
  queryOptions({
    queryKey: [listAlarmRecords.path, { recordIDs: [id] }],
    queryFn: async ({ signal }) => {
      const { list } = await call(listAlarmRecords, { recordIDs: [id] }, { quiet: true, signal })
      return list.find((one) => one.id === id) ?? null
    },
  })

/** @param make presets move with the clock, so the filter is made at each read */
export const logsQuery = (key: unknown, make: () => BodyInput<typeof listAlarmLogs>) =>
  queryOptions({
    queryKey: [listAlarmLogs.path, key],
    queryFn: ({ signal }) => call(listAlarmLogs, make(), { quiet: true, signal }),
  })

export const newestLogQuery = (alarmRecordID: number) =>
  queryOptions({
    ...logsQuery({ alarmRecordID, newest: true }, () => ({ alarmRecordID, page: { page: 1, size: 1 } })),
    select: ({ list }) => list[0] ?? null,
  })

export const histogramQuery = (key: unknown, make: () => BodyInput<typeof countAlarmLogs>) =>
  queryOptions({
    queryKey: [countAlarmLogs.path, key],
    queryFn: ({ signal }) => call(countAlarmLogs, make(), { quiet: true, signal }),
  })

export const dealsQuery = (alarmRecordID: number, size: number) =>
  endpointQuery(listDealRecords, { alarmRecordID, page: { page: 1, size } }, quiet)

/** What changes alarms and records; whatever shows them is read again afterwards. */
export function useAlarmWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const then = <T>(work: Promise<T>, touched: readonly Endpoint[]) => thenReadAgain(work, client, touched)
    const configs = [listAlarms, readAlarm]
    const links = [listAlarms, readAlarm, listScenes]
    return {
      create: (body: BodyInput<typeof createAlarm>) => then(call(createAlarm, body, quiet), configs),
      update: (body: BodyInput<typeof updateAlarm>) => then(call(updateAlarm, body, quiet), configs),
      /** Its own page must not be asked for again, so only lists are. */
      remove: (id: number) => then(call(deleteAlarm, { id }, quiet), [listAlarms, ...recordPaths]),
      link: (alarmID: number, sceneIDs: number[]) => then(call(addScenes, { alarmID, sceneIDs }, quiet), links),
      unlink: (alarmID: number, sceneID: number) => then(call(unlinkScene, { alarmID, sceneID }, quiet), links),
      reread: (id: number) => client.fetchQuery({ ...alarmQuery(id), staleTime: 0 }),
      /** As it was read last: what is drawn may be one step behind. */
      latest: (id: number) => client.getQueryData(alarmQuery(id).queryKey),
      claim: (ids: number[], release = false) => then(call(claimRecords, { ids, release }, quiet), recordPaths),
      ignore: (ids: number[]) => then(call(ignoreRecords, { ids }, quiet), recordPaths),
      dealMany: (ids: number[], result: string) => then(call(dealRecords, { ids, result }, quiet), recordPaths),
      deal: (alarmRecordID: number, result: string) =>
        then(call(createDealRecord, { alarmRecordID, result }, quiet), recordPaths),
    }
  }, [client])
}
