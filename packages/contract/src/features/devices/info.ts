/** Devices (http-api.md 4.1, 4.2). */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import {
  filterText,
  id,
  int,
  number,
  optionalEnum,
  point,
  pointInput,
  strInt,
  tag,
  tagsInput,
  text,
} from '../../wire.ts'
import { DeviceType, withSecret } from '../products.ts'

const { query, add, modify, remove } = endpointsOf('设备管理')
/** decisions.md 2 "isOnline": 1 online, 2 offline; never activated carries 2 and firstLogin "0". */
export const OnlineState = { online: 1, offline: 2 } as const
export type OnlineState = (typeof OnlineState)[keyof typeof OnlineState]

/** The three disjoint states of the list filter and the counters. */
export const DeviceStatus = { online: 1, offline: 2, inactive: 3 } as const
export type DeviceStatus = (typeof DeviceStatus)[keyof typeof DeviceStatus]
export const deviceStatusLabels: Record<DeviceStatus, string> = { 1: '在线', 2: '离线', 3: '未激活' }

/** spec 4: device status display. */
export const deviceStatus = (device: { firstLogin: string; isOnline: number }): DeviceStatus => {
  if (device.firstLogin === '0') return DeviceStatus.inactive
  return device.isOnline === OnlineState.online ? DeviceStatus.online : DeviceStatus.offline
}

/** spec 3: log level. */
export const LogLevel = { off: 1, error: 2, warn: 3, info: 4, debug: 5 } as const
export type LogLevel = (typeof LogLevel)[keyof typeof LogLevel]
export const logLevelLabels: Record<LogLevel, string> = { 1: '关闭', 2: '错误', 3: '告警', 4: '信息', 5: '调试' }
/** How it is said: a level of the log is a warning, no alarm. */
export const logLevelContext = (level: LogLevel) => ({ context: level === LogLevel.warn ? 'level' : 'state' })

export const MobileOperator = { mobile: 1, unicom: 2, telecom: 3, broadcast: 4 } as const
export type MobileOperator = (typeof MobileOperator)[keyof typeof MobileOperator]
export const mobileOperatorLabels: Record<MobileOperator, string> = { 1: '移动', 2: '联通', 3: '电信', 4: '广电' }

/** 1 yes, 2 no. */
export const YesNo = { yes: 1, no: 2 } as const
export type YesNo = (typeof YesNo)[keyof typeof YesNo]

export const deviceNamePattern = /^[A-Za-z0-9_\-.:@]{1,48}$/
export const deviceName = z.string().regex(deviceNamePattern, '须为 1 到 48 位字母、数字或 _ - . : @')
const productID = z.string().min(1).max(64)

export const deviceKey = z.object({ productID: z.string(), deviceName: z.string() })
export const deviceKeyInput = z.object({ productID, deviceName: z.string().min(1).max(48) })
export type DeviceKey = z.output<typeof deviceKey>

export const device = z.object({
  productID: z.string(),
  deviceName: z.string(),
  deviceAlias: z.string(),
  /**
   * Only in `read`, and there "" for whoever may not call `secret-read`. In lists a text that no two devices have, because
   * consoles of the public platform tell rows apart by it.
   */
  secret: z.string(),
  cert: z.string(),
  imei: z.string(),
  mac: z.string(),
  hardInfo: z.string(),
  softInfo: z.string(),
  version: z.string(),
  position: point,
  address: z.string(),
  tags: z.array(tag),
  isOnline: z.int(),
  firstLogin: strInt,
  lastLogin: strInt,
  createdTime: strInt,
  logLevel: z.int(),
  mobileOperator: z.int(),
  phone: z.string().nullable(),
  iccid: z.string().nullable(),
  projectID: strInt,
  areaID: strInt,
  withProperties: z.record(z.string(), z.object({ value: z.string(), timestamp: strInt })).optional(),
  /** Ours. */
  productName: z.string(),
  deviceType: z.int(),
  isEnable: z.int(),
  isSimulated: z.int(),
  rev: z.int(),
})
export type Device = z.output<typeof device>

const fields = {
  deviceAlias: text(64).optional(),
  logLevel: optionalEnum(LogLevel),
  address: text(256).optional(),
  position: pointInput.optional(),
  tags: tagsInput.optional(),
  phone: z.union([z.literal(''), z.string().regex(/^\+?[0-9-]{5,20}$/, '不是有效的手机号')]).optional(),
  iccid: z.union([z.literal(''), z.string().regex(/^[0-9A-Za-z]{10,20}$/, '须为 10 到 20 位数字或字母')]).optional(),
  mobileOperator: optionalEnum(MobileOperator),
  isEnable: optionalEnum(YesNo),
}

export const createDeviceBody = z.object({ productID, deviceName, ...fields })
export const createDevice = add('/api/v1/things/device/info/create', '新增设备', { body: createDeviceBody })

export const updateDeviceBody = z.object({ ...deviceKeyInput.shape, ...fields, rev: int(0).optional() })
export const updateDevice = modify('/api/v1/things/device/info/update', '修改设备', { body: updateDeviceBody })

export const deleteDevice = remove('/api/v1/things/device/info/delete', '删除设备', { body: deviceKeyInput })

const withProperties = z.array(z.string().max(128)).max(500).optional()

export const readDevice = query('/api/v1/things/device/info/read', '查看设备', {
  body: z.object({ ...deviceKeyInput.shape, withProperties, withSecret }),
  data: device,
})

/** One filter for the list, the export and every bulk operation. */
export const deviceFilter = z.object({
  productID: filterText(64),
  productIDs: z.array(z.string().max(64)).max(500).optional(),
  deviceName: filterText(),
  deviceAlias: filterText(),
  /** Ours: contains, in name or alias. */
  keyword: filterText(),
  deviceType: optionalEnum(DeviceType),
  tags: z
    .array(z.object({ key: z.string().max(32), value: z.string().max(64) }))
    .max(10)
    .optional(),
  isOnline: optionalEnum(OnlineState),
  status: optionalEnum(DeviceStatus),
  version: filterText(64),
  position: pointInput.optional(),
  /** Metres around position. */
  range: number(0, 20_100_000).optional(),
  inGroupID: id().optional(),
  notInGroupID: id().optional(),
  includeChildren: z.boolean().optional(),
  isEnable: optionalEnum(YesNo),
  isSimulated: optionalEnum(YesNo),
})
export type DeviceFilter = z.output<typeof deviceFilter>
/** All devices that match when the call comes. `most`: how many somebody has confirmed; a larger number now is refused (900001). */
export const deviceSet = deviceFilter.extend({ most: int(0).optional() })
export type DeviceSet = z.output<typeof deviceSet>

export const deviceSortFields = [
  'deviceName',
  'deviceAlias',
  'productID',
  'version',
  'isOnline',
  'firstLogin',
  'lastLogin',
  'createdTime',
  'logLevel',
] as const

export const listDevices = query('/api/v1/things/device/info/index', '设备列表', {
  body: deviceFilter.extend({ page: pageInput, withProperties }),
  data: pageOf(device).extend({ num: z.int() }),
})

export const countDevices = query('/api/v1/things/device/info/count', '设备数量', {
  body: deviceFilter.omit({ status: true, isOnline: true }).extend({
    startTime: int(0).optional(),
    endTime: int(0).optional(),
  }),
  data: z.object({
    deviceCount: z.object({ online: z.int(), offline: z.int(), inactive: z.int(), unknown: z.int() }),
    deviceTypeCount: z.object({ device: z.int(), gateway: z.int(), subset: z.int(), unknown: z.int() }),
  }),
})
