/** Upgrade tasks (http-api.md 7; screens.md 22). */

import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, id, int, number, oneOf, optionalEnum, text } from '../../wire.ts'
import { deviceSet } from '../devices/info.ts'
import { firmwareLimits } from './firmware.ts'
import { OtaTaskStatus } from './states.ts'

const { query, add, modify } = endpointsOf('固件升级')
/** Completions are counted by 10 minutes (screens.md 22). */
export const otaTrendSeconds = 600

/** spec 3: upgrade mode, type and source. */
export const OtaScope = { all: 1, part: 2 } as const
export type OtaScope = (typeof OtaScope)[keyof typeof OtaScope]
export const otaScopeLabels: Record<OtaScope, string> = { 1: '全部设备', 2: '部分设备' }
export const OtaStrategy = { static: 1, dynamic: 2 } as const
export type OtaStrategy = (typeof OtaStrategy)[keyof typeof OtaStrategy]
export const otaStrategyLabels: Record<OtaStrategy, string> = { 1: '静态', 2: '动态' }
export const VersionSource = { cache: 1, device: 2 } as const
export type VersionSource = (typeof VersionSource)[keyof typeof VersionSource]
export const versionSourceLabels: Record<VersionSource, string> = { 1: '平台记录的版本', 2: '询问设备' }

export const otaLimits = {
  devices: 100_000,
  /** All devices by name: 48 characters each, with their quotes escaped where the list is a text. */
  bodyBytes: 8 * 1024 * 1024,
  stages: 10,
  perMinute: 60_000,
  timeoutMinutes: 10_080,
  days: 30,
} as const

const notAList = '须为 JSON 文本数组'
/** JSON array texts or "", as on the public platform; plain arrays are taken too. */
const textList = (most: number, length: number) =>
  z
    .union([
      z.array(text(length, 1)),
      z.string().transform((value, context) => {
        if (value.trim() === '') return []
        try {
          const parsed: unknown = JSON.parse(value)
          if (Array.isArray(parsed) && parsed.every((one) => typeof one === 'string')) return parsed as string[]
        } catch {
          // Told below.
        }
        context.addIssue({ code: 'custom', message: notAList })
        return z.NEVER
      }),
    ])
    .pipe(z.array(z.string().max(length)).max(most))
    .default([])

export const otaStage = z.object({
  /** Of all devices, counted from the beginning: 1, 10, 100. */
  percent: number(0.01, 100),
  /** So many of the stage must have succeeded before the next begins. */
  successPercent: int(0, 100).default(90),
  /** So many failed of those that have an end state halt the task; 0: never. */
  failPercent: int(0, 100).default(20),
})
export type OtaStage = z.output<typeof otaStage>

const taskShape = {
  firmwareID: id(),
  type: oneOf(OtaScope),
  upgradeType: oneOf(OtaStrategy),
  deviceList: textList(otaLimits.devices, 48),
  versionList: textList(firmwareLimits.versions, 32),
  /** Ours from here on. Instead of a list: the devices of the product that match when the task is created. */
  filter: deviceSet.optional(),
  groupID: z.union([z.literal('').transform(() => undefined), id()]).optional(),
  source: oneOf(VersionSource).default(VersionSource.cache),
  /** Seconds; 0: now, no end. */
  scheduleTime: int(0).default(0),
  scheduleFinishTime: int(0).default(0),
  maximumPerMinute: int(1, otaLimits.perMinute).default(50),
  timeoutInMinutes: int(1, otaLimits.timeoutMinutes).default(60),
  retryCount: int(0, 10).default(0),
  /** Minutes. */
  retryInterval: int(0, 1_440).default(10),
  isOverwriteMode: int(1, 2).default(2),
  stages: z.array(otaStage).max(otaLimits.stages).default([]),
  /** After the new version was reported the device must stay online so long; 0: at once. */
  probationMinutes: int(0, 1_440).default(0),
  note: text(200).default(''),
}
const risesTo100 = ({ stages }: { stages: OtaStage[] }) =>
  stages.every((one, i) => one.percent > (stages[i - 1]?.percent ?? 0)) && (stages.at(-1)?.percent ?? 100) === 100
export const otaTaskBody = z
  .object(taskShape)
  .refine((one) => one.type !== OtaScope.part || one.deviceList.length > 0 || one.filter || one.groupID, {
    path: ['deviceList'],
    message: '请选择设备或分组',
  })
  .refine((one) => one.upgradeType !== OtaStrategy.dynamic || one.type === OtaScope.all, {
    path: ['type'],
    message: '动态升级只能选择全部设备',
  })
  .refine((one) => one.upgradeType !== OtaStrategy.dynamic || one.versionList.length > 0, {
    path: ['versionList'],
    message: '动态升级须选择待升级版本',
  })
  .refine(risesTo100, { path: ['stages'], message: '阶段比例须递增并以 100 结束' })
export type OtaTaskInput = z.output<typeof otaTaskBody>

export const createOtaTask = add('/api/v1/things/ota/task/create', '新增升级任务', {
  bodyBytes: otaLimits.bodyBytes,
  body: otaTaskBody,
  data: z.object({ taskID: z.int(), taskUid: z.string() }),
})

const skipped = z.object({ reason: z.string(), label: z.string(), count: z.int(), devices: z.array(z.string()) })
export const previewOtaTask = query('/api/v1/things/ota/task/preview', '升级任务预览', {
  bodyBytes: otaLimits.bodyBytes,
  body: otaTaskBody,
  data: z.object({
    matched: z.int(),
    online: z.int(),
    /** Why not: newest already, higher version, in another task, not in the list of versions, unknown, ... */
    skipped: z.array(skipped),
    versions: z.array(z.object({ version: z.string(), count: z.int() })),
    /** Devices pushed before a failing firmware is halted, at worst. */
    worstCase: z.int(),
    /** Seconds until the last push at this rate. */
    seconds: z.number(),
    stages: z.array(z.object({ percent: z.number(), devices: z.int() })),
  }),
})

export const otaTask = z.object({
  taskID: z.int(),
  taskUid: z.string(),
  type: z.int(),
  upgradeType: z.int(),
  status: z.int(),
  /** Seconds. */
  createdTime: z.number(),
  version: z.string(),
  /** JSON array texts. */
  srcVersion: z.string(),
  srcDevice: z.string(),
  productID: z.string(),
  productName: z.string(),
  autoRepeat: z.int(),
  firmwareID: z.int(),
  firmwareName: z.string(),
  module: z.int(),
  /** "": by its list of devices, or all. */
  groupID: z.string(),
  source: z.int(),
  paused: z.int(),
  haltReason: z.string(),
  /** Index of the stage at work; stages with their own counts. */
  stage: z.int(),
  stages: z.array(
    z.object({
      ...otaStage.shape,
      devices: z.int(),
      success: z.int(),
      failed: z.int(),
      /** By status, all seven. */
      counts: z.record(z.string(), z.int()),
      startedTime: z.number(),
      away: z.int(),
    }),
  ),
  /** Devices that are not there: they are pushed when they connect, so nothing can be said of when. */
  away: z.int(),
  /** The stage that somebody let pass although it failed: it does not halt again; -1: none. */
  forced: z.int(),
  counts: z.record(z.string(), z.int()),
  total: z.int(),
  scheduleTime: z.number(),
  scheduleFinishTime: z.number(),
  startedTime: z.number(),
  finishedTime: z.number(),
  maximumPerMinute: z.int(),
  timeoutInMinutes: z.int(),
  retryCount: z.int(),
  retryInterval: z.int(),
  isOverwriteMode: z.int(),
  probationMinutes: z.int(),
  note: z.string(),
  userName: z.string(),
})
export type OtaTask = z.output<typeof otaTask>

export const otaTaskSortFields = ['createdTime', 'status', 'version'] as const
export const listOtaTasks = query('/api/v1/things/ota/task/index', '升级任务列表', {
  body: z.object({
    firmwareID: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    taskUid: filterText(64),
    productID: filterText(64),
    /** Ours: with its product, those that took exactly this device. */
    deviceName: filterText(48),
    status: optionalEnum(OtaTaskStatus),
    type: optionalEnum(OtaScope),
    upgradeType: optionalEnum(OtaStrategy),
    timeStart: int(0).optional(),
    timeEnd: int(0).optional(),
    page: pageInput,
  }),
  /** Ours: how many by status, '0' for all, of the other filters. */
  data: pageOf(otaTask).extend({ counts: z.record(z.string(), z.int()) }),
})
const taskKey = z.object({ taskID: id() })
/** `withDevices` false leaves the names out (`srcDevice` is "[]"): whoever follows a task need not read 100,000 again and again. */
export const readOtaTask = query('/api/v1/things/ota/task/read', '升级任务详情', {
  body: taskKey.extend({ withDevices: z.boolean().default(true) }),
  data: otaTask,
})
/** Over already: 2100002. */
export const cancelOtaTask = modify('/api/v1/things/ota/task/cancel', '取消升级任务', { body: taskKey })
export const pauseOtaTask = modify('/api/v1/things/ota/task/pause', '暂停升级任务', { body: taskKey })
/** `force` goes on after a halt although the stage failed. */
export const resumeOtaTask = modify('/api/v1/things/ota/task/resume', '继续升级任务', {
  body: z.object({ taskID: id(), force: z.boolean().optional() }),
})
/**
 * A task at work that waits for devices which do not come. `stage` lets the stage at work pass as it is (another one is
 * at work meanwhile: 100006), its open devices stay; `scheduleFinishTime` is when devices that were not pushed fail.
 */
export const adjustOtaTask = modify('/api/v1/things/ota/task/adjust', '调整升级任务', {
  body: z.object({ taskID: id(), stage: int(0).optional(), scheduleFinishTime: int(0).optional() }),
})
/**
 * `result`: JSON text of counts by status, every status named. Ours: why devices failed; and how many came to their end
 * in each span of `otaTrendSeconds`, oldest first, without empty ones.
 */
export const analyseOtaTask = query('/api/v1/things/ota/task/analysis', '升级任务统计', {
  body: z.object({ taskUid: text(64, 1) }),
  data: z.object({
    result: z.string(),
    reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
    trend: z.array(z.object({ time: z.number(), success: z.int(), failed: z.int() })),
  }),
})

/** Live notices. */
export const otaTopic = (taskUid: string): string => `ota/${taskUid}`
