import { dayMs } from '@ithings/contract/durations.ts'
import type { BodyInput, Endpoint } from '@ithings/contract/endpoint.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { listCommands } from '@ithings/contract/features/commands.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { listGroups, listGroupsOfDevice, rootGroupID } from '@ithings/contract/features/groups.ts'
import { type HubAction, listEventLog, listHubLog, listPropertyLog } from '@ithings/contract/features/history.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { listScenes, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { deviceProductQuery, groupsOfDeviceQuery } from '#blocks/device/queries.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { buildSeries } from '#blocks/history-chart/series.ts'
import { useMay } from '#kit/rights.tsx'
import { toMillis } from '#kit/time.ts'
import type { TimeChoice } from '#kit/time-choice.ts'
import { useMemo } from '#language/use-memo.ts'
import { readPropertyLog } from '../live-queries.ts'
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

interface Range {
  from: number
  to: number
}

/** What marks the chart, with the range it was asked for. Who may not read it sees the chart without. */
function useMarks<E extends Endpoint>(
  endpoint: E,
  key: readonly unknown[],
  enabled: boolean,
  time: TimeChoice,
  bodyOf: (range: Range) => BodyInput<E>,
) {
  const may = useMay()
  const { data } = useQuery({
    queryKey: [endpoint.path, ...key],
    enabled: enabled && may(endpoint),
    queryFn: async ({ signal }) => {
      const range = rangeOf(time, Date.now())
      return { ...range, answer: await call(endpoint, bodyOf(range), { quiet: true, signal }) }
    },
  })
  return data
}

/** One answer is enough to mark a chart; more of them would only be a grey wall. */
const shownMessages = 500
/** Comings and goings, upgrades, configurations. */
const markedActions: HubAction[] = ['connected', 'disconnected', 'otaLog', 'config']
const page = { page: 1, size: 50 }

/** What happened to the device in the range, for the chart of one device. */
export function useHappenings(device: Device, model: ThingModel, { time }: HistoryChoice, alone: boolean) {
  const { productID, deviceName } = device
  const of = { productID, deviceName }
  const bodyOf = ({ from, to }: Range) => ({ productID, timeStart: from, timeEnd: to, page })
  const logDays = useQuery(deviceProductQuery(productID)).data?.logDays ?? 1
  const messages = useMarks(listHubLog, ['marks', of, time], alone, time, (range) => {
    return { ...bodyOf(range), deviceName, actions: markedActions, page: { page: 1, size: shownMessages } }
  })
  // Before its first sign-in it was not away, and beyond the kept log nobody knows.
  const activated = toMillis(device.firstLogin) ?? 0
  const bands = useMemo(() => {
    if (!alone || !messages) return undefined
    const { answer, from, to } = messages
    return offlineBands(answer.list, Math.max(from, activated, to - logDays * dayMs), to)
  }, [alone, messages, activated, logDays])
  const upgraded = messages?.answer.list.some(({ action }) => action === 'otaLog') ?? false
  const tasks = useMarks(listOtaTasks, [of, 'marks'], upgraded, time, () => ({ ...of, page }))
  const commands = useMarks(listCommands, [of, 'marks', time], alone, time, (range) => ({
    ...bodyOf(range),
    deviceName,
  }))
  const events = useMarks(listEventLog, ['marks', of, time], alone && model.events.length > 0, time, (range) => ({
    ...bodyOf(range),
    deviceNames: [deviceName],
  }))
  const alarms = useMarks(listAlarmRecords, ['marks', of, time], alone, time, ({ from, to }) => ({
    ...of,
    timeRange: { start: from, end: to },
    page,
  }))
  const happenings = useMemo(() => {
    if (!alone) return []
    const fired = alarms?.answer.list.flatMap((record) => firedIn(record, alarms.from, alarms.to))
    const told = { events: events?.answer.list, commands: commands?.answer.list, messages: messages?.answer.list }
    const place = { device: { productID, deviceName }, model, tasks: tasks?.answer.list }
    return happeningsOf({ ...told, alarms: fired }, place)
  }, [alone, productID, deviceName, model, events, commands, messages, alarms, tasks])
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
  const { data } = useQuery({
    queryKey: [listScenes.path, 'limits', productID],
    enabled: enabled && may(listScenes),
    queryFn: ({ signal }) => {
      const wanted = { productID, triggerType: 'device', status: SceneStatus.enabled } as const
      return call(listScenes, { ...wanted, page: { page: 1, size: mostScenes } }, { quiet: true, signal })
    },
  })
  return useMemo(
    () => data && limitsOf(data.list, { productID, deviceName, groups }),
    [data, productID, deviceName, groups],
  )
}
