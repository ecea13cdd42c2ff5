/** Every figure leads to the filtered list behind it: the addresses. Pure. */

import type { AttentionRow, HomeRun, HomeSummary } from '@ithings/contract/features/home.ts'
import { OtaTaskStatus } from '@ithings/contract/features/ota/states.ts'
import { DeployStatus } from '@ithings/contract/features/tasks.ts'
import { deviceDetailPath, paths, withParams } from '#kit/paths.ts'
import { timeChoiceText } from '#kit/time-choice.ts'

/** Status 1: in use. */
export const enabledScenesPath = `${paths.scenes}?status=1`

/** 1 online, 2 offline, 3 never activated (decisions.md 2 "isOnline"). */
const deviceStatuses = { online: 1, offline: 2, inactive: 3 } as const
export type DeviceState = keyof typeof deviceStatuses

export const devicesPath = (filter: { state?: DeviceState; deviceType?: number; productID?: string } = {}): string => {
  const { state, deviceType, productID } = filter
  return withParams(paths.devices, { status: state && deviceStatuses[state], deviceType, productID })
}

export const openAlarmsPath = (level?: number): string => withParams(paths.alarmQueue, { levels: level })
/** The day as the server counted it; of today until now, so that the list goes on. */
export function dayAlarmsPath({ start, end }: { start: number; end: number }, isToday: boolean): string {
  const time = timeChoiceText({ timeStart: String(start), timeEnd: isToday ? '0' : String(end - 1) })
  return withParams(paths.alarmQueue, { tab: 'all', time })
}
export const deviceAlarmsPath = ({ productID, deviceName }: { productID: string; deviceName: string }): string =>
  withParams(paths.alarmQueue, { productID, deviceName })
/** The queue of open alarms with this one beside it. */
export const alarmPath = (id: number): string => withParams(paths.alarmQueue, { record: id })

const runLists: Record<HomeRun['kind'], string> = {
  ota: withParams(paths.upgrades, { status: OtaTaskStatus.running }),
  task: withParams(paths.tasks, { status: DeployStatus.running }),
  config: paths.remoteConfig,
}

/** All that run of a kind. Pushes of configurations are listed by product: when all are of one, those of that one. */
export function runsPath(kind: HomeRun['kind'], { list, ...counts }: HomeSummary['running']): string {
  if (kind !== 'config') return runLists[kind]
  const seen = list.filter((run) => run.kind === kind)
  const products = [...new Set(seen.map(({ productID }) => productID))]
  return seen.length < counts.config || products.length !== 1
    ? runLists.config
    : withParams(paths.remoteConfig, { productID: products[0], tab: 'pushes' })
}

export function runPath({ kind, id, productID }: Pick<HomeRun, 'kind' | 'id' | 'productID'>): string {
  if (kind === 'ota') return withParams(paths.upgrades, { taskID: id })
  if (kind === 'task') return withParams(paths.tasks, { taskID: id })
  return withParams(paths.remoteConfig, { productID, tab: 'pushes', run: id })
}

/** Where somebody can do something about it. */
export function attentionPath(row: Pick<AttentionRow, 'kind' | 'productID' | 'deviceName' | 'taskUid'>): string {
  if (row.kind === 'upgrade' && row.taskUid) return withParams(paths.upgrades, { taskUid: row.taskUid })
  if (row.kind === 'config') return withParams(paths.remoteConfig, { productID: row.productID, tab: 'devices' })
  return deviceDetailPath(row)
}
