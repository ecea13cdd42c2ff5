/** Remote configuration of a product: versions and pushes (http-api.md 3.4; additions "Operations"; screens.md 20). */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, nothing, optionalEnum, strInt, text } from '../wire.ts'
import { productID } from './products/info.ts'

const group = '远程配置'
const base = '/api/v1/things/product/remote-config'

export const maxConfigBytes = 64 * 1024
export const configBytes = (content: string): number => new TextEncoder().encode(content).length

function isObjectText(content: string): boolean {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
/** Kept and delivered verbatim (device-protocol.md 7). */
export const configContent = z
  .string()
  .refine((content) => configBytes(content) <= maxConfigBytes, '不能超过 64 KB（UTF-8）')
  .refine(isObjectText, '须为 JSON 对象')

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

export const createConfig = endpoint({
  path: `${base}/create`,
  access: 'role',
  name: '新增远程配置',
  group,
  businessType: BusinessType.add,
  body: z.object({
    productID,
    content: configContent,
    note: text(100).default(''),
    /** Ours: the newest version that the editor saw; another one since is refused (900001). */
    basedOn: int(0).optional(),
  }),
  data: z.object({ id: z.int() }),
})
export const listConfigs = endpoint({
  path: `${base}/index`,
  access: 'role',
  name: '远程配置版本',
  group,
  businessType: BusinessType.query,
  body: z.object({ productID, page: pageInput }),
  data: pageOf(version),
})
/** (sic); never fails for a known product: none yet is id 0. */
export const readLatestConfig = endpoint({
  path: `${base}/lastest-read`,
  access: 'role',
  name: '最新远程配置',
  group,
  businessType: BusinessType.query,
  body: z.object({ productID }),
  data: version,
})
/** Makes a new version of an old one. */
export const restoreConfig = endpoint({
  path: `${base}/restore`,
  access: 'role',
  name: '恢复远程配置',
  group,
  businessType: BusinessType.modify,
  body: z.object({ productID, id: id(), note: text(100).optional() }),
  data: z.object({ id: z.int() }),
})

export const pushAllConfig = endpoint({
  path: `${base}/push-all`,
  access: 'role',
  name: '下发远程配置到全部设备',
  group,
  businessType: BusinessType.other,
  body: z.object({ productID }),
  /** Ours: the run. */
  data: z.object({ jobID: z.string(), runID: z.string() }),
})
/** Neither devices nor a group: all of the product. */
export const pushConfig = endpoint({
  path: `${base}/push`,
  access: 'role',
  name: '下发远程配置',
  group,
  businessType: BusinessType.other,
  body: z.object({
    productID,
    deviceNames: z.array(text(48, 1)).max(10_000).optional(),
    groupID: z.union([z.literal('').transform(() => undefined), id()]).optional(),
    /** Only devices that have not got the newest version. */
    onlyMissing: z.boolean().optional(),
    rate: int(1, 6_000).default(600),
  }),
  data: z.object({ jobID: z.string(), runID: z.string() }),
})

/** Per device: delivered (it was told or has asked), waits until it connects or asks, failed. */
export const PushState = { pending: 1, delivered: 2, failed: 3 } as const
export type PushState = (typeof PushState)[keyof typeof PushState]
export const pushStateLabels: Record<PushState, string> = { 1: '等待上线', 2: '已送达', 3: '失败' }

const pushRun = z.object({
  runID: z.string(),
  configID: z.int(),
  /** all, devices or group, for people. */
  scope: z.string(),
  /** 1 running, 2 every device has an end state or waits, 3 cancelled. */
  status: z.int(),
  total: z.int(),
  delivered: z.int(),
  pending: z.int(),
  failed: z.int(),
  userName: z.string(),
  /** Milliseconds. */
  startedTime: z.number(),
  finishedTime: z.number(),
})
export type ConfigPush = z.output<typeof pushRun>

export const listConfigPushes = endpoint({
  path: `${base}/push-index`,
  access: 'role',
  name: '远程配置下发记录',
  group,
  businessType: BusinessType.query,
  body: z.object({ productID, page: pageInput }),
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
export const listConfigPushDevices = endpoint({
  path: `${base}/push-device-index`,
  access: 'role',
  name: '远程配置下发明细',
  group,
  businessType: BusinessType.query,
  body: z.object({
    runID: text(32, 1),
    deviceName: filterText(48),
    state: optionalEnum(PushState),
    page: pageInput,
  }),
  data: pageOf(pushDevice),
})
/** Live notices of its pushes. */
export const configTopic = (product: string): string => `config/${product}`
export const cancelConfigPush = endpoint({
  path: `${base}/push-cancel`,
  access: 'role',
  name: '取消远程配置下发',
  group,
  businessType: BusinessType.modify,
  body: z.object({ runID: text(32, 1) }),
  data: nothing,
})
