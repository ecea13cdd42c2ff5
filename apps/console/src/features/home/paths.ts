/** Every figure leads to the filtered list behind it: the addresses. Pure. */
import type { AttentionRow, HomeRun, HomeSummary } from '@ithings/contract/features/home.ts'
import { OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import { DeployStatus } from '@ithings/contract/features/tasks.ts'
import { alarmQueuePath } from '#blocks/alarm-records/alarm-paths.ts'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { timeChoiceText } from '#kit/time-choice.ts'

const deviceList = '/deviceMangers/device/index'
const upgradeList = '/operationsMonitorings/firmwareUpgrade/index'
const taskList = '/deviceMangers/createDeviceTask/index'
const configScreen = '/operationsMonitorings/remoteConfiguration/index'

export const productsPath = '/deviceMangers/product/index'
export const messagesPath = '/operationsMonitorings/logService/index'
/** Status 1: in use. */
export const scenesPath = '/ruleEngine/scene/index?status=1'

type Params = Record<string, string | number | undefined>

function withParams(path: string, params: Params): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}

/** 1 online, 2 offline, 3 never activated (decisions.md 2 "isOnline"). */
const deviceStatuses = { online: 1, offline: 2, inactive: 3 } as const
export type DeviceState = keyof typeof deviceStatuses

export const devicesPath = (filter: { state?: DeviceState; deviceType?: number; productID?: string } = {}): string => {
  const { state, deviceType, productID } = filter
  return withParams(deviceList, { status: state && deviceStatuses[state], deviceType, productID })
}

export const openAlarmsPath = (level?: number): string => withParams(alarmQueuePath, { levels: level })
/** The day as the server counted it; of today until now, so that the list goes on. */
export function dayAlarmsPath({ start, end }: { start: number; end: number }, isToday: boolean): string {
  const time = timeChoiceText({ timeStart: String(start), timeEnd: isToday ? '0' : String(end - 1) })
  return withParams(alarmQueuePath, { tab: 'all', time })
}
export const deviceAlarmsPath = ({ productID, deviceName }: { productID: string; deviceName: string }): string =>
  withParams(alarmQueuePath, { productID, deviceName })
/** The queue of open alarms with this one beside it. */
export const alarmPath = (id: number): string => withParams(alarmQueuePath, { record: id })

const runLists: Record<HomeRun['kind'], string> = {
  ota: withParams(upgradeList, { status: OtaTaskStatus.running }),
  task: withParams(taskList, { status: DeployStatus.running }),
  config: configScreen,
}

/** All that run of a kind. Pushes of configurations are listed by product: when all are of one, those of that one. */
export function runsPath(kind: HomeRun['kind'], { list, ...counts }: HomeSummary['running']): string {
  if (kind !== 'config') return runLists[kind]
  const seen = list.filter((run) => run.kind === kind)
  const products = [...new Set(seen.map(({ productID }) => productID))]
  return seen.length < counts.config || products.length !== 1
    ? runLists.config
    : withParams(configScreen, { productID: products[0], tab: 'pushes' })
}

export function runPath({ kind, id, productID }: Pick<HomeRun, 'kind' | 'id' | 'productID'>): string {
  if (kind === 'ota') return withParams(upgradeList, { taskID: id })
  if (kind === 'task') return withParams(taskList, { taskID: id })
  return withParams(configScreen, { productID, tab: 'pushes', run: id })
}

/** Where somebody can do something about it. */
export function attentionPath(row: Pick<AttentionRow, 'kind' | 'productID' | 'deviceName' | 'taskUid'>): string {
  if (row.kind === 'upgrade' && row.taskUid) return withParams(upgradeList, { taskUid: row.taskUid })
  if (row.kind === 'config') return withParams(configScreen, { productID: row.productID, tab: 'devices' })
  return deviceDetailPath(row)
}
