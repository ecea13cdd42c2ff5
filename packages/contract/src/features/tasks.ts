/** Device tasks: a property, action or configuration to many devices, now or on a schedule (screens.md 7). */
import * as z from 'zod'
import { checkCron } from '../cron.ts'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { fieldsToUpdate, filterText, id, int, oneOf, optionalEnum, text } from '../wire.ts'
import { maxCommandText } from './commands.ts'
import { deviceSet } from './devices/info.ts'
import { productID } from './products.ts'

export const group = '设备任务'
const { query, add, modify, remove, act } = endpointsOf(group)

export const TaskType = { property: 1, action: 2, config: 3 } as const
export type TaskType = (typeof TaskType)[keyof typeof TaskType]
export const taskTypeLabels: Record<TaskType, string> = { 1: '属性设置', 2: '行为调用', 3: '配置下发' }
export const TaskTarget = { devices: 1, product: 2, group: 3 } as const
export type TaskTarget = (typeof TaskTarget)[keyof typeof TaskTarget]
export const taskTargetLabels: Record<TaskTarget, string> = { 1: '指定设备', 2: '产品全部设备', 3: '按分组' }
export const TaskSchedule = { now: 1, once: 2, cron: 3 } as const
export type TaskSchedule = (typeof TaskSchedule)[keyof typeof TaskSchedule]
export const taskScheduleLabels: Record<TaskSchedule, string> = { 1: '立即', 2: '定时一次', 3: '周期' }
/** spec 4: deployment status, of devices, runs and tasks. */
export const DeployStatus = { waiting: 1, running: 2, success: 3, failed: 4 } as const
export type DeployStatus = (typeof DeployStatus)[keyof typeof DeployStatus]
export const deployStatusLabels: Record<DeployStatus, string> = {
  1: '待部署',
  2: '部署中',
  3: '部署成功',
  4: '部署失败',
}

/** screens.md 7.3 as a table; undefined: not a legal move. */
const moves: Record<
  DeployStatus,
  Partial<Record<'send' | 'ok' | 'fail' | 'cancel' | 'again' | 'retry', DeployStatus>>
> = {
  1: { send: 2, fail: 4, cancel: 4 },
  2: { ok: 3, fail: 4, cancel: 4, again: 1 },
  3: {},
  4: { retry: 1 },
}
export const nextDeployStatus = (from: DeployStatus, event: keyof (typeof moves)[DeployStatus]) => moves[from][event]

export const taskLimits = {
  tasks: 10_000,
  devices: 20_000,
  /** All devices by name. */
  bodyBytes: 2 * 1024 * 1024,
  timeout: 600,
  retries: 5,
  retryInterval: 3_600,
  rate: 6_000,
} as const
export const cancelledText = '已取消'

const shape = {
  taskName: text(64, 1),
  desc: text(200).default(''),
  taskType: oneOf(TaskType),
  productID,
  targetType: oneOf(TaskTarget),
  deviceNames: z.array(text(48, 1)).max(taskLimits.devices).nullish(),
  /** Of named devices, instead of their names: those of the product that match now. They are named when the task is saved. */
  filter: deviceSet.nullish(),
  groupID: z.union([z.literal('').transform(() => undefined), id()]).nullish(),
  includeChildren: z.boolean().default(true),
  onlineOnly: z.boolean().default(false),
  /** JSON object text. */
  data: z.string().max(maxCommandText).nullish(),
  actionID: text(128).nullish(),
  inputParams: z.string().max(maxCommandText).nullish(),
  configID: z.union([z.literal('').transform(() => undefined), int(0)]).nullish(),
  shadowControl: int(0, 2).default(0),
  scheduleType: oneOf(TaskSchedule),
  /** Seconds. */
  runAt: z.union([z.literal('').transform(() => undefined), int(0)]).nullish(),
  cron: text(128).nullish(),
  /** Seconds; a cron schedule counts within them only. 0: no limit. */
  validStart: int(0).default(0),
  validEnd: int(0).default(0),
  timeout: int(1, taskLimits.timeout).default(30),
  retryCount: int(0, taskLimits.retries).default(0),
  retryInterval: int(0, taskLimits.retryInterval).default(60),
  rate: int(1, taskLimits.rate).default(600),
  failStop: int(0, 100).default(0),
}
type Shape = z.output<z.ZodObject<typeof shape>>
const rules: Array<[(one: Shape) => boolean, string, string]> = [
  [
    (one) => one.targetType !== TaskTarget.devices || Boolean(one.filter) || (one.deviceNames?.length ?? 0) > 0,
    'deviceNames',
    '请选择设备',
  ],
  [(one) => one.targetType !== TaskTarget.group || Boolean(one.groupID), 'groupID', '请选择分组'],
  [(one) => one.taskType !== TaskType.property || Boolean(one.data), 'data', '请填写属性'],
  [(one) => one.taskType !== TaskType.action || Boolean(one.actionID), 'actionID', '请选择行为'],
  [(one) => one.scheduleType !== TaskSchedule.once || Boolean(one.runAt), 'runAt', '请选择执行时间'],
  [(one) => one.scheduleType !== TaskSchedule.cron || checkCron(one.cron).ok, 'cron', '无效 Cron 表达式'],
  [(one) => one.validEnd === 0 || one.validEnd > one.validStart, 'validEnd', '有效期的结束须在开始之后'],
]
const checked = <T extends z.ZodObject>(schema: T) =>
  schema.superRefine((one, context) => {
    for (const [rule, path, message] of rules) {
      if (!rule(one as unknown as Shape)) context.addIssue({ code: 'custom', path: [path], message })
    }
  })
export const taskBody = checked(z.object(shape))
const updateTaskBody = z.object({ ...fieldsToUpdate(shape), taskID: id(), rev: int(0).optional() })
export type TaskInput = z.output<typeof taskBody>

export const createTask = add('/api/v1/things/device/task/create', '新增设备任务', {
  fresh: true,
  bodyBytes: taskLimits.bodyBytes,
  body: taskBody,
  data: z.object({ taskID: z.int() }),
})
/** Only while it waits, or a cron one that is disabled (100006). */
export const updateTask = modify('/api/v1/things/device/task/update', '修改设备任务', {
  bodyBytes: taskLimits.bodyBytes,
  body: updateTaskBody,
})
const key = z.object({ taskID: id() })
export const deleteTask = remove('/api/v1/things/device/task/delete', '删除设备任务', { body: key })
/**
 * Of a run and devices; nothing named: the latest run (cancel: the one under way), and of it all that the act can touch (cancel: waiting and
 * sent ones, and the moment a task was set for once; retry: failed and cancelled ones). `done`: how many devices.
 */
const some = z.object({ taskID: id(), runID: filterText(32), deviceNames: z.array(text(48, 1)).max(10_000).nullish() })
const changed = z.object({ done: z.int() })
export const cancelTask = modify('/api/v1/things/device/task/cancel', '取消设备任务', {
  /** away: only those that were not there and wait for another try. */
  body: some.extend({ away: z.boolean().optional() }),
  data: changed,
})
export const retryTask = modify('/api/v1/things/device/task/retry', '重试设备任务', { body: some, data: changed })
export const runTask = act('/api/v1/things/device/task/run', '立即执行设备任务', {
  body: key,
  data: z.object({ runID: z.string() }),
})
/** Cron tasks: 1 enabled, 2 disabled. */
export const setTaskStatus = modify('/api/v1/things/device/task/status-update', '启用或停用设备任务', {
  body: z.object({ taskID: id(), isEnable: int(1, 2) }),
})

export const deviceTask = z.object({
  taskID: z.int(),
  taskName: z.string(),
  taskType: z.int(),
  productID: z.string(),
  productName: z.string(),
  targetType: z.int(),
  targetCount: z.int(),
  scheduleType: z.int(),
  cron: z.string(),
  runAt: z.number(),
  status: z.int(),
  isEnable: z.int(),
  total: z.int(),
  success: z.int(),
  failed: z.int(),
  /** Seconds; 0: never. */
  lastRunTime: z.number(),
  nextRunTime: z.number(),
  createdBy: z.string(),
  createdTime: z.number(),
  /** Ours: of the group or product; why it is disabled, cancelled or halted; '' before the first run. */
  targetName: z.string(),
  reason: z.string(),
  lastRunID: z.string(),
  rev: z.int(),
})
export type DeviceTask = z.output<typeof deviceTask>
export const taskSortFields = ['taskName', 'createdTime', 'lastRunTime', 'nextRunTime', 'status'] as const
export const listTasks = query('/api/v1/things/device/task/index', '设备任务列表', {
  body: z.object({
    taskName: filterText(64),
    taskType: optionalEnum(TaskType),
    productID: filterText(64),
    scheduleType: optionalEnum(TaskSchedule),
    status: optionalEnum(DeployStatus),
    timeStart: int(0).optional(),
    timeEnd: int(0).optional(),
    page: pageInput,
  }),
  /** By status, '0' for all: of the other filters. */
  data: pageOf(deviceTask).extend({ counts: z.record(z.string(), z.int()) }),
})
export const readTask = query('/api/v1/things/device/task/read', '设备任务详情', {
  body: key,
  data: deviceTask.extend({
    desc: z.string(),
    deviceNames: z.array(z.string()),
    groupID: z.string(),
    includeChildren: z.boolean(),
    onlineOnly: z.boolean(),
    data: z.string(),
    actionID: z.string(),
    inputParams: z.string(),
    configID: z.int(),
    shadowControl: z.int(),
    validStart: z.number(),
    validEnd: z.number(),
    timeout: z.int(),
    retryCount: z.int(),
    retryInterval: z.int(),
    rate: z.int(),
    failStop: z.int(),
  }),
})
/** Ours: whom it would reach now. */
export const previewTask = query('/api/v1/things/device/task/preview', '设备任务预览', {
  bodyBytes: taskLimits.bodyBytes,
  body: z.object({
    productID,
    targetType: oneOf(TaskTarget),
    deviceNames: z.array(text(48, 1)).max(taskLimits.devices).nullish(),
    filter: deviceSet.nullish(),
    groupID: z.union([z.literal('').transform(() => undefined), id()]).nullish(),
    includeChildren: z.boolean().default(true),
    onlineOnly: z.boolean().default(false),
  }),
  data: z.object({
    total: z.int(),
    online: z.int(),
    offline: z.int(),
    inactive: z.int(),
    unknown: z.array(z.string()),
  }),
})

/** Live notices. */
export const taskTopic = (taskID: number): string => `task/${taskID}`
