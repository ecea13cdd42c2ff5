/** Remote configuration of a product: versions and pushes (http-api.md 3.4; screens.md 20). */

import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { parseRecord } from '../is-record.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, optionalEnum, strInt, text } from '../wire.ts'
import { productID } from './products.ts'

const group = '远程配置'
const { query, add, modify, act } = endpointsOf(group)
export const maxConfigBytes = 64 * 1024
export const configBytes = (content: string): number => new TextEncoder().encode(content).length

/** Kept and delivered verbatim (device-protocol.md 7). */
export const configContent = z
  .string()
  .refine((content) => configBytes(content) <= maxConfigBytes, '不能超过 64 KB（UTF-8）')
  .refine((content) => parseRecord(content) !== undefined, '须为 JSON 对象')

/** Of a product, with the versions of pushes that are still open; the oldest go. */
export const maxConfigVersions = 1_000

const version = z.object({
  id: z.int(),
  content: z.string(),
  createTime: strInt,
  /** Ours. */
  note: z.string(),
  bytes: z.int(),
  userName: z.string(),
  /** The version that it was restored from; 0: none. */
  restoredFrom: z.int(),
})
export type ConfigVersion = z.output<typeof version>

export const createConfig = add('/api/v1/things/product/remote-config/create', '新增远程配置', {
  body: z.object({
    productID,
    content: configContent,
    note: text(100).default(''),
    /** Ours: the newest version that the editor saw; another one since is refused (900001). */
    basedOn: int(0).optional(),
  }),
  data: z.object({ id: z.int() }),
})
export const listConfigs = query('/api/v1/things/product/remote-config/index', '远程配置版本', {
  /** Ours: `configID` is that version alone. */
  body: z.object({ productID, configID: id().optional(), page: pageInput }),
  data: pageOf(version),
})
/** (sic); never fails for a known product: none yet is id 0. */
export const readLatestConfig = query('/api/v1/things/product/remote-config/lastest-read', '最新远程配置', {
  body: z.object({ productID }),
  data: version,
})
/** Makes a new version of an old one. */
export const restoreConfig = modify('/api/v1/things/product/remote-config/restore', '恢复远程配置', {
  body: z.object({ productID, id: id(), note: text(100).optional() }),
  data: z.object({ id: z.int() }),
})

/** Ours: products with what is configured for them. */
const configProduct = z.object({
  productID: z.string(),
  productName: z.string(),
  deviceType: z.int(),
  deviceCount: z.int(),
  /** Of the newest version; 0: none yet. */
  configID: z.int(),
  /** `str#` seconds. */
  configTime: strInt,
  versions: z.int(),
})
export type ConfigProduct = z.output<typeof configProduct>
export const HasConfig = { yes: 1, no: 2 } as const
export const listConfigProducts = query('/api/v1/things/product/remote-config/product-index', '远程配置产品列表', {
  body: z.object({
    /** Part of the name or the id. */
    productName: filterText(64),
    hasConfig: optionalEnum(HasConfig),
    page: pageInput,
  }),
  data: pageOf(configProduct),
})

export const pushAllConfig = act('/api/v1/things/product/remote-config/push-all', '下发远程配置到全部设备', {
  body: z.object({ productID }),
  /** Ours: the run, and the job that lists its devices when they are many ('': none). */
  data: z.object({ jobID: z.string(), runID: z.string() }),
})

export const configPushLimits = { names: 10_000, perMinute: 6_000, openRuns: 20 } as const
/** Neither devices nor a group: all of the product. */
const target = {
  productID,
  deviceNames: z.array(text(48, 1)).max(configPushLimits.names).optional(),
  groupID: z.union([z.literal('').transform(() => undefined), id()]).optional(),
  /** Of a group: those of the groups below it too. */
  includeChildren: z.boolean().default(true),
  /** Only devices that have not got the newest version. */
  onlyMissing: z.boolean().optional(),
}
const oneScope = (one: { deviceNames?: string[] | undefined; groupID?: number | undefined }) =>
  one.deviceNames === undefined || one.groupID === undefined
const notBoth = { path: ['groupID'], message: '设备与分组只能选择一种' }
const configTarget = z.object(target).refine(oneScope, notBoth)
export type ConfigTarget = z.output<typeof configTarget>
export const pushConfig = act('/api/v1/things/product/remote-config/push', '下发远程配置', {
  body: z
    .object({
      ...target,
      /** Devices a minute. */
      rate: int(1, configPushLimits.perMinute).default(600),
      /** The version that the caller saw; another one since is refused (900001). */
      basedOn: int(0).optional(),
    })
    .refine(oneScope, notBoth),
  data: z.object({ jobID: z.string(), runID: z.string() }),
})
/** How many devices a push would reach. */
export const previewConfigPush = query('/api/v1/things/product/remote-config/push-preview', '远程配置下发预览', {
  body: configTarget,
  data: z.object({ total: z.int(), online: z.int(), configID: z.int() }),
})

/** Per device: delivered (it was told or has asked), waits until it connects or asks, failed, nobody waits any more. */
export const PushState = { pending: 1, delivered: 2, failed: 3, cancelled: 4 } as const
export type PushState = (typeof PushState)[keyof typeof PushState]
export const pushStateLabels: Record<PushState, string> = { 1: '等待送达', 2: '已送达', 3: '失败', 4: '已取消' }

/** Waiting: every device was tried, some are offline. */
export const PushStatus = { running: 1, over: 2, cancelled: 3, waiting: 4 } as const
export type PushStatus = (typeof PushStatus)[keyof typeof PushStatus]
export const pushStatusLabels: Record<PushStatus, string> = { 1: '下发中', 2: '已完成', 3: '已取消', 4: '等待设备上线' }

const pushRun = z.object({
  runID: z.string(),
  configID: z.int(),
  /** all, devices or group, for people. */
  scope: z.string(),
  status: z.int(),
  /** Why it was cancelled. */
  reason: z.string(),
  /** Devices a minute. */
  rate: z.int(),
  total: z.int(),
  delivered: z.int(),
  pending: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  userName: z.string(),
  /** Milliseconds. */
  startedTime: z.number(),
  finishedTime: z.number(),
})
export type ConfigPush = z.output<typeof pushRun>

export const listConfigPushes = query('/api/v1/things/product/remote-config/push-index', '远程配置下发记录', {
  body: z.object({
    productID,
    runID: filterText(32),
    configID: id().optional(),
    status: optionalEnum(PushStatus),
    page: pageInput,
  }),
  data: pageOf(pushRun),
})

const pushDevice = z.object({
  deviceName: z.string(),
  deviceAlias: z.string(),
  isOnline: z.int(),
  state: z.int(),
  code: z.int(),
  msg: z.string(),
  attempts: z.int(),
  /** The version that the device got last; 0: none. */
  configID: z.int(),
  /** Milliseconds. */
  sentTime: z.number(),
  doneTime: z.number(),
})
export type ConfigPushDevice = z.output<typeof pushDevice>
export const listConfigPushDevices = query(
  '/api/v1/things/product/remote-config/push-device-index',
  '远程配置下发明细',
  {
    body: z.object({
      runID: text(32, 1),
      deviceName: filterText(48),
      state: optionalEnum(PushState),
      page: pageInput,
    }),
    data: pageOf(pushDevice),
  },
)

/** Ours: which version each device of a product got last (screens.md 20 "Device view"). */
export const ConfigHeld = { newest: 1, older: 2, none: 3 } as const
export type ConfigHeld = (typeof ConfigHeld)[keyof typeof ConfigHeld]
export const configHeldLabels: Record<ConfigHeld, string> = { 1: '最新版本', 2: '旧版本', 3: '未获取' }
const configDevice = z.object({
  deviceName: z.string(),
  deviceAlias: z.string(),
  isOnline: z.int(),
  /** Seconds; "0": never (spec 4). */
  firstLogin: strInt,
  configID: z.int(),
  held: z.int(),
  /** Milliseconds. */
  deliveredTime: z.number(),
})
export type ConfigDevice = z.output<typeof configDevice>
export const listConfigDevices = query('/api/v1/things/product/remote-config/device-index', '设备的配置版本', {
  body: z.object({ productID, deviceName: filterText(48), held: optionalEnum(ConfigHeld), page: pageInput }),
  data: pageOf(configDevice),
})
/** Live notices of its pushes. */
export const configTopic = (product: string): string => `config/${product}`
export const cancelConfigPush = modify('/api/v1/things/product/remote-config/push-cancel', '取消远程配置下发', {
  body: z.object({ runID: text(32, 1) }),
})
