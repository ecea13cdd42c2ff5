/** Alarm records, their occurrences and what people did about them (http-api.md 6, rules.md 5). */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, id, int, oneOf, optionalEnum, text } from '../../wire.ts'
import { deviceKey, deviceKeyInput } from '../devices/info.ts'
import { AlarmLevel } from './config.ts'

const { query, modify } = endpointsOf('告警记录')
/** Who raised it: a device, or a scene without one (timer, manual). */
export const AlarmTrigger = { device: 1, other: 2 } as const
export type AlarmTrigger = (typeof AlarmTrigger)[keyof typeof AlarmTrigger]

export const DealState = { none: 1, alarming: 2, handled: 3 } as const
export type DealState = (typeof DealState)[keyof typeof DealState]
export const dealStateLabels: Record<DealState, string> = { 1: '无告警', 2: '告警中', 3: '已处理' }

export const DealType = { human: 1, system: 2 } as const
export type DealType = (typeof DealType)[keyof typeof DealType]
export const dealTypeLabels: Record<DealType, string> = { 1: '人工', 2: '系统' }

/** Result texts that the server writes. */
export const dealResults = { relieved: '场景触发解除告警', ignored: '忽略' } as const

/** Seconds in existing consoles (OpenAPI), milliseconds beyond 9999999999; both are taken. */
const timeRange = z.object({ start: int(0).optional(), end: int(0).optional() }).nullish()
const optionalID = z.union([z.literal('').transform(() => undefined), int(0)]).optional()

export const alarmRecord = z.object({
  id: z.int(),
  alarmID: z.int(),
  triggerType: z.int(),
  productID: z.string(),
  deviceName: z.string(),
  sceneName: z.string(),
  sceneID: z.int(),
  level: z.int(),
  /** Milliseconds, as all times here (decisions.md 2 "Alarm times"). */
  lastAlarm: z.number(),
  dealState: z.int(),
  createdTime: z.number(),
  /** Occurrences of all times (decisions.md 2 "Alarm record"), and when it was opened last. */
  count: z.int(),
  firstAlarm: z.number(),
  /** "0": nobody. */
  claimUserID: z.string(),
  claimUserName: z.string(),
  claimTime: z.number(),
  /** Ours: the same as count; and how many of them since it was opened last. */
  totalCount: z.int(),
  openedCount: z.int(),
  alarmName: z.string(),
  productName: z.string(),
  deviceAlias: z.string(),
  deviceType: z.int(),
  /** When it was handled or cleared, by whom (system: ''), with what words. */
  dealTime: z.number(),
  dealUserName: z.string(),
  dealResult: z.string(),
  /** When it should have been handled; 0: no limit. */
  dueTime: z.number(),
  /** What the last occurrence saw, for people. */
  cause: z.string(),
})
export type AlarmRecord = z.output<typeof alarmRecord>

const recordFilter = z.object({
  alarmID: optionalID,
  dealState: optionalEnum(DealState),
  levels: z.array(oneOf(AlarmLevel)).max(5).optional(),
  productID: filterText(64),
  /** With a product exactly this device, else a part of the name. */
  deviceName: filterText(48),
  sceneID: optionalID,
  timeRange,
  /** Ours: name of the alarm or the device contains it; claimed by me; past its limit. */
  keyword: filterText(64),
  mine: z.boolean().optional(),
  overdue: z.boolean().optional(),
  recordIDs: z.array(id()).max(1_000).optional(),
  /** Ours: exactly these, as a page of the device list shows them. */
  devices: z.array(deviceKeyInput).max(100).optional(),
})

export const recordSortFields = ['level', 'lastAlarm', 'firstAlarm', 'count', 'createdTime', 'dealState'] as const
/** Without orders: open ones first, worst first, newest first. */
export const listAlarmRecords = query('/api/v1/things/rule/alarm/record/index', '告警记录列表', {
  body: recordFilter.extend({ page: pageInput }),
  data: pageOf(alarmRecord).extend({ num: z.int() }),
})

/** Ours: open records by level, how many are past their limit, how many are mine; the header's bell reads it too. */
export const countAlarmRecords = query('/api/v1/things/rule/alarm/record/count', '告警统计', {
  body: recordFilter,
  data: z.object({
    open: z.int(),
    mine: z.int(),
    overdue: z.int(),
    levels: z.array(z.object({ level: z.int(), open: z.int(), overdue: z.int() })),
    /** Id of the newest occurrence, also of an alarm that was open before. */
    newestLog: z.int(),
    /** When the newest of the open ones was opened, ms: later than before is a new alarm. 0: none. */
    newestOpened: z.number(),
    /** Of the devices asked for those with open records, and the worst level of each. */
    devices: z.array(deviceKey.extend({ open: z.int(), level: z.int() })),
  }),
})

const recordIDs = z.array(id()).min(1).max(1_000)
/** Several at once: what could not be done is named, the rest is done. */
const bulkResult = z.object({ done: z.int(), failed: z.array(z.object({ id: z.int(), msg: z.string() })) })
export type BulkDealResult = z.output<typeof bulkResult>

export const claimRecords = modify('/api/v1/things/rule/alarm/record/claim', '认领告警', {
  /** `release` gives it back. */
  body: z.object({ ids: recordIDs, release: z.boolean().optional() }),
  data: bulkResult,
})
export const ignoreRecords = modify('/api/v1/things/rule/alarm/record/ignore', '忽略告警', {
  body: z.object({ ids: recordIDs }),
  data: bulkResult,
})
export const maxDealResult = 200
export const dealRecords = modify('/api/v1/things/rule/alarm/record/multi-deal', '批量处理告警', {
  body: z.object({ ids: recordIDs, result: text(maxDealResult, 1) }),
  data: bulkResult,
})

const alarmLog = z.object({
  id: z.int(),
  alarmRecordID: z.int(),
  desc: z.string(),
  /** JSON text: {trigger, conditions, tranceID, ...} of alarmCause, or "". */
  serial: z.string(),
  sceneName: z.string(),
  sceneID: z.int(),
  createdTime: z.number(),
  /** Ours. */
  level: z.int(),
  productID: z.string(),
  deviceName: z.string(),
})
export type AlarmLog = z.output<typeof alarmLog>

/** What `serial` holds. */
export const alarmCause = z.looseObject({
  trigger: z.string(),
  /** Identifier of the property that raised it, for the chart; '' when none did. */
  dataID: z.string().optional(),
  /** What was seen as people read it: "83.6 ℃", "运行中". A number comes first, its unit behind it. */
  value: z.string().optional(),
  /** What it was compared with, as the scene has it: bare, without the unit. */
  threshold: z.array(z.string()).optional(),
  /** As in the log of the scene; `level` is absent in records of other versions. */
  conditions: z
    .array(z.object({ text: z.string(), value: z.string(), ok: z.boolean(), level: z.int().optional() }))
    .optional(),
  tranceID: z.string().optional(),
  runID: z.string().optional(),
})
export type AlarmCause = z.output<typeof alarmCause>

export const listAlarmLogs = query('/api/v1/things/rule/alarm/log/index', '告警日志', {
  body: z.object({ alarmRecordID: id(), timeRange, page: pageInput }),
  data: pageOf(alarmLog).extend({ num: z.int() }),
})

/** Ours: occurrences over time for the chart of one record, or of all. */
export const countAlarmLogs = query('/api/v1/things/rule/alarm/log/histogram', '告警次数分布', {
  body: z.object({ alarmRecordID: optionalID, timeRange, buckets: int(1, 200).default(60) }),
  data: z.object({ list: z.array(z.object({ timestamp: z.number(), count: z.int() })), interval: z.number() }),
})

const dealRecord = z.object({
  id: z.int(),
  alarmRecordID: z.int(),
  result: z.string(),
  type: z.int(),
  alarmTime: z.number(),
  createdTime: z.number(),
  /** Ours. */
  userName: z.string(),
})
export type DealRecord = z.output<typeof dealRecord>

/** rules.md 5: only while it is open, else 100006. */
export const createDealRecord = modify('/api/v1/things/rule/alarm/deal-record/create', '处理告警', {
  body: z.object({ alarmRecordID: id(), result: text(maxDealResult, 1) }),
})
export const listDealRecords = query('/api/v1/things/rule/alarm/deal-record/index', '告警处理记录', {
  body: z.object({ alarmRecordID: optionalID, timeRange, page: pageInput }),
  data: pageOf(dealRecord).extend({ num: z.int() }),
})

/** Live notices: records came, changed or were handled. */
export const alarmTopic = 'alarm'
