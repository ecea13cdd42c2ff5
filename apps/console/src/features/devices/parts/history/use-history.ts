import { dayMs } from '@ithings/contract/durations.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { listCommands } from '@ithings/contract/features/devices/interact.ts'
import { type HubAction, listEventLog, listHubLog, listPropertyLog } from '@ithings/contract/features/devices/msg.ts'
import { listGroups, listGroupsOfDevice, rootGroupID } from '@ithings/contract/features/groups.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { listScenes, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { buildSeries } from '#blocks/history-chart/series.ts'
import { useMay } from '#kit/rights.tsx'
import { toMillis } from '#kit/time.ts'
import { readPropertyLog } from '../../live-queries.ts'
import { deviceProductQuery, groupsOfDeviceQuery } from '../../queries.ts'
import { firedIn, happeningsOf } from './happenings.ts'
import { type HistoryChoice, isDrawable, rangeOf, readHistory } from './history-plan.ts'
import { groupsMeaning, limitsOf } from './limits.ts'
import { offlineBands } from './offline-bands.ts'

/** Presets move with the clock, so the range is worked out at each read. */
export function useHistory(choice: HistoryChoice) {
  const ids = choice.properties.map(({ identifier }) => identifier)
  const asked = { ...choice, properties: ids }
  const result = useQuery({
    queryKey: [listPropertyLog.path, 'history', asked],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const answer = await readHistory(choice, Date.now(), (body) => readPropertyLog(body, signal))
      return { ...answer, asked }
    },
  })
  const { data } = result
  const { properties, deviceNames, func } = choice
  const series = useMemo(() => {
    if (!data) return []
    const drawn = properties.filter(isDrawable)
    return buildSeries({ rows: data.rows, properties: drawn, deviceNames, interval: data.interval, func })
  }, [data, properties, deviceNames, func])
  return { ...result, series }
}

/** One answer is enough to mark a chart; more of them would only be a grey wall. */
const shownMessages = 500
/** Comings and goings, upgrades, configurations. */
const markedActions: HubAction[] = ['connected', 'disconnected', 'otaLog', 'config']
const shownMarks = 50

/** What happened to the device in the range, for the chart of one device. Who may not read it sees the chart without. */
export function useHappenings(device: Device, model: ThingModel, { time }: HistoryChoice, alone: boolean) {
  const may = useMay()
  const { productID, deviceName } = device
  const of = { productID, deviceName }
  const body = (size: number) => {
    const { from, to } = rangeOf(time, Date.now())
    return { productID, timeStart: from, timeEnd: to, page: { page: 1, size } }
  }
  const logDays = useQuery(deviceProductQuery(productID)).data?.logDays ?? 1
  const messages = useQuery({
    queryKey: [listHubLog.path, 'marks', of, time],
    enabled: alone && may(listHubLog),
    queryFn: async ({ signal }) => {
      const asked = { ...body(shownMessages), deviceName, actions: markedActions }
      return { ...asked, ...(await call(listHubLog, asked, { quiet: true, signal })) }
    },
  })
  // Before its first sign-in it was not away, and beyond the kept log nobody knows.
  const activated = toMillis(device.firstLogin) ?? 0
  const bands = useMemo(() => {
    if (!alone || !messages.data) return undefined
    const { list, timeStart, timeEnd } = messages.data
    return offlineBands(list, Math.max(timeStart, activated, timeEnd - logDays * dayMs), timeEnd)
  }, [alone, messages.data, activated, logDays])
  const tasks = useQuery({
    queryKey: [listOtaTasks.path, of, 'marks'],
    enabled: may(listOtaTasks) && (messages.data?.list.some(({ action }) => action === 'otaLog') ?? false),
    queryFn: ({ signal }) =>
      call(listOtaTasks, { ...of, page: { page: 1, size: shownMarks } }, { quiet: true, signal }),
  })
  const commands = useQuery({
    queryKey: [listCommands.path, of, 'marks', time],
    enabled: alone && may(listCommands),
    queryFn: ({ signal }) => call(listCommands, { ...body(shownMarks), deviceName }, { quiet: true, signal }),
  })
  const events = useQuery({
    queryKey: [listEventLog.path, 'marks', of, time],
    enabled: alone && model.events.length > 0 && may(listEventLog),
    queryFn: ({ signal }) =>
      call(listEventLog, { ...body(shownMarks), deviceNames: [deviceName] }, { quiet: true, signal }),
  })
  const alarms = useQuery({
    queryKey: [listAlarmRecords.path, 'marks', of, time],
    enabled: alone && may(listAlarmRecords),
    queryFn: async ({ signal }) => {
      const { timeStart: start, timeEnd: end, page } = body(shownMarks)
      const asked = { ...of, timeRange: { start, end }, page }
      const { list } = await call(listAlarmRecords, asked, { quiet: true, signal })
      return list.flatMap((record) => firedIn(record, start, end))
    },
  })
  const happenings = useMemo(() => {
    const told = { events: events.data?.list, commands: commands.data?.list, messages: messages.data?.list }
    const place = { device: { productID, deviceName }, model, tasks: tasks.data?.list }
    return alone ? happeningsOf({ ...told, alarms: alarms.data }, place) : []
  }, [alone, productID, deviceName, model, events.data, commands.data, messages.data, alarms.data, tasks.data])
  return { bands, happenings }
}

const mostScenes = 200

/** The groups that mean the device: its own, and those above them. */
function useGroups(device: Device, enabled: boolean) {
  const may = useMay()
  const own = useQuery({ ...groupsOfDeviceQuery(device), enabled: enabled && may(listGroupsOfDevice) }).data?.list
  const below = own?.some(({ parentID }) => parentID !== String(rootGroupID)) ?? false
  const { data: all } = useQuery({ ...allGroupsQuery, enabled: below && may(listGroups) })
  return useMemo(() => groupsMeaning(own ?? [], all ?? []), [own, all])
}

/** Where scenes of the product start for the device. */
export function useLimits(device: Device, enabled: boolean) {
  const may = useMay()
  const { productID, deviceName } = device
  const groups = useGroups(device, enabled)
  const page = { page: 1, size: mostScenes }
  const { data } = useQuery({
    queryKey: [listScenes.path, 'limits', productID],
    enabled: enabled && may(listScenes),
    queryFn: ({ signal }) =>
      call(
        listScenes,
        { productID, triggerType: 'device', status: SceneStatus.enabled, page },
        { quiet: true, signal },
      ),
  })
  return useMemo(
    () => data && limitsOf(data.list, { productID, deviceName, groups }),
    [data, productID, deviceName, groups],
  )
}
