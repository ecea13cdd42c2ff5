/** A task that is being written in the drawer. Pure. */

import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type readTask, TaskSchedule, TaskTarget, TaskType } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import type { DeviceRowsFilter } from '#blocks/device-choice/device-rows-query.ts'

export type TaskDetail = DataOf<typeof readTask>

export const emptyDraft = {
  taskName: '',
  desc: '',
  taskType: TaskType.property as TaskType,
  productID: '',
  targetType: TaskTarget.devices as TaskTarget,
  deviceNames: [] as string[],
  /** '': none yet. */
  groupID: '',
  includeChildren: true,
  onlineOnly: false,
  /** JSON object text, like the parameters of an action. */
  data: '{}',
  actionID: '',
  inputParams: '{}',
  /** 0: none yet. */
  configID: 0,
  shadowControl: 0,
  scheduleType: TaskSchedule.now as TaskSchedule,
  /** Seconds; 0: none yet. */
  runAt: 0,
  cron: '',
  validStart: 0,
  validEnd: 0,
  /** null: the field was emptied. */
  timeout: 30 as number | null,
  retryCount: 0 as number | null,
  retryInterval: 60 as number | null,
  rate: 600 as number | null,
  failStop: 0 as number | null,
}

export type TaskDraft = typeof emptyDraft & {
  /** Instead of the names of devices. */
  filter?: DeviceRowsFilter | undefined
}

const draftFields = Object.keys(emptyDraft) as (keyof typeof emptyDraft)[]

export const draftOf = (task: TaskDetail): TaskDraft => ({
  ...(Object.fromEntries(draftFields.map((field) => [field, task[field]])) as typeof emptyDraft),
  groupID: task.groupID === '0' ? '' : task.groupID,
  data: task.data || '{}',
  inputParams: task.inputParams || '{}',
})

const nameLimit = 64
const copyEnd = ' 副本'

/** A moment that has passed is chosen anew. */
export function copyOf(task: TaskDetail, now: number): TaskDraft {
  const draft = draftOf(task)
  return {
    ...draft,
    taskName: `${draft.taskName.slice(0, nameLimit - t(copyEnd).length)}${t(copyEnd)}`,
    runAt: draft.runAt * 1000 > now ? draft.runAt : 0,
  }
}

/** Everything of another product means nothing here. */
export const withProduct = (draft: TaskDraft, productID: string): TaskDraft => ({
  ...draft,
  productID,
  deviceNames: [],
  filter: undefined,
  data: emptyDraft.data,
  actionID: '',
  inputParams: emptyDraft.inputParams,
  configID: 0,
})

const named = ({ filter, deviceNames }: TaskDraft) => (filter ? { filter } : { deviceNames })

/** Only what counts for the kind, the target and the schedule goes out. */
export function bodyOf(draft: TaskDraft) {
  const { taskType, targetType, scheduleType } = draft
  return {
    taskName: draft.taskName,
    desc: draft.desc,
    taskType,
    productID: draft.productID,
    targetType,
    ...(targetType === TaskTarget.devices && named(draft)),
    ...(targetType === TaskTarget.group && { groupID: draft.groupID, includeChildren: draft.includeChildren }),
    onlineOnly: draft.onlineOnly,
    ...(taskType === TaskType.property && { data: draft.data, shadowControl: draft.shadowControl }),
    ...(taskType === TaskType.action && { actionID: draft.actionID, inputParams: draft.inputParams }),
    ...(taskType === TaskType.config && draft.configID > 0 && { configID: draft.configID }),
    scheduleType,
    ...(scheduleType === TaskSchedule.once && draft.runAt > 0 && { runAt: draft.runAt }),
    ...(scheduleType === TaskSchedule.cron && {
      cron: draft.cron,
      validStart: draft.validStart,
      validEnd: draft.validEnd,
    }),
    timeout: draft.timeout as number,
    retryCount: draft.retryCount as number,
    retryInterval: draft.retryInterval as number,
    rate: draft.rate as number,
    failStop: draft.failStop as number,
  }
}

export interface Reach {
  total: number
  online: number
  offline: number
  inactive: number
  unknown: string[]
}

/** With 仅在线设备 the others are left out at the moment of the run. */
export const reached = ({ online, offline, inactive }: Reach, onlineOnly: boolean): number =>
  onlineOnly ? online : online + offline + inactive

/** Whether the target can be looked at already. */
export function targetOf(draft: TaskDraft) {
  const { productID, targetType, deviceNames, filter, groupID, includeChildren } = draft
  if (productID === '') return undefined
  if (targetType === TaskTarget.devices) {
    return filter || deviceNames.length > 0 ? { productID, targetType, ...named(draft) } : undefined
  }
  if (targetType === TaskTarget.product) return { productID, targetType }
  return groupID === '' ? undefined : { productID, targetType, groupID, includeChildren }
}

const manyDevices = 100
/** A model does not say which of its actions are dangerous (thing-model.md 1), so their names are looked at. */
const dangerWords =
  /reset|reboot|restart|shut_?down|power_?off|stop|delete|clear|erase|format|unlock|factory|重启|重置|复位|出厂|关机|停机|停止|断电|断开|删除|清除|清空|清零|擦除|格式化|解锁|急停/i

export const isDangerous = (action: { identifier: string; name: string }): boolean =>
  dangerWords.test(action.identifier) || dangerWords.test(action.name)

/** screens.md 7.1: the number of devices is typed when there are more than 100, or for a dangerous action. */
export function whyTyped(count: number, action: { identifier: string; name: string } | undefined): string | undefined {
  if (action && isDangerous(action)) return t('「{name}」可能影响设备运行', { name: action.name })
  return count > manyDevices ? t('超过 {many} 台设备', { many: manyDevices }) : undefined
}
