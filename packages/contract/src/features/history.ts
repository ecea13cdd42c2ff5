/** What devices said: latest values, history, events, logs and traces (http-api.md 4.4). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput } from '../paging.ts'
import { EventType } from '../thing-model/model.ts'
import { filterText, int, optionalEnum, strInt } from '../wire.ts'
import { deviceKeyInput, LogLevel } from './devices/info.ts'

const { query } = endpointsOf('设备消息')
const dataID = z.string().min(1).max(128)
const dataIDs = z.array(dataID).max(200).nullish()
/** None: all devices of the product. */
const deviceNames = z.array(z.string().min(1).max(48)).max(50).nullish()
/** Milliseconds; 0 and absent mean no limit. Ranges are [timeStart, timeEnd). */
const time = int(0).optional()
const range = { timeStart: time, timeEnd: time }

export const propertyValue = z.object({ dataID: z.string(), value: z.string(), timestamp: strInt })
export type PropertyValue = z.output<typeof propertyValue>

/** One row for every declared property: the public console drops those that have none. */
export const listLatest = query('/api/v1/things/device/msg/property-latest/index', '设备最新属性', {
  body: z.object({ ...deviceKeyInput.shape, dataIDs }),
  data: z.object({ list: z.array(propertyValue), total: z.int() }),
})

export const argFuncs = ['avg', 'min', 'max', 'sum', 'count', 'first', 'last', 'twa'] as const
export type ArgFunc = (typeof argFuncs)[number]
export const argFuncLabels: Record<ArgFunc, string> = {
  avg: '平均值',
  min: '最小值',
  max: '最大值',
  sum: '总和',
  count: '条数',
  first: '首个值',
  last: '末个值',
  twa: '时间加权平均',
}
/** '' means none, as the public console sends it. */
const argFunc = z.preprocess((value) => (value === '' ? undefined : value), z.enum(argFuncs).optional())
/** NONE, PREV, NULL, LINEAR, NEXT or "VALUE,<number>". */
export const fillPattern = /^(NONE|PREV|NULL|LINEAR|NEXT|VALUE, ?-?\d+(\.\d+)?)$/
const fill = z.preprocess(
  (value) => (typeof value === 'string' ? value.toUpperCase() || undefined : value),
  z.string().regex(fillPattern, '须为 NONE、PREV、NULL、LINEAR、NEXT 或 VALUE,数值').optional(),
)

const propertyLogRow = z.object({
  ...propertyValue.shape,
  /** Ours: several devices and properties travel in one answer. */
  deviceName: z.string(),
  /** Ours: with several `argFuncs`, one value for each. */
  values: z.record(z.string(), z.string()).optional(),
})
export type PropertyLogRow = z.output<typeof propertyLogRow>

export const listPropertyLog = query('/api/v1/things/device/msg/property-log/index', '设备属性历史', {
  body: z.object({
    productID: deviceKeyInput.shape.productID,
    deviceNames,
    dataID: z.preprocess((value) => (value === '' ? undefined : value), dataID.optional()),
    dataIDs,
    ...range,
    page: pageInput,
    /** 0 old to new, 1 new to old. */
    order: int(0, 1).default(0),
    /** Milliseconds of a bucket; needs an argFunc. */
    interval: int(0).optional(),
    argFunc,
    argFuncs: z.array(z.enum(argFuncs)).max(argFuncs.length).optional(),
    fill,
    /** IANA name: where days begin; the server's when absent. */
    timeZone: z.string().max(64).optional(),
  }),
  data: z.object({ list: z.array(propertyLogRow), total: z.int() }),
})

const eventLogRow = z.object({
  dataID: z.string(),
  type: z.string(),
  params: z.string(),
  timestamp: strInt,
  deviceName: z.string(),
})
export type EventLogRow = z.output<typeof eventLogRow>

export const listEventLog = query('/api/v1/things/device/msg/event-log/index', '设备事件历史', {
  body: z.object({
    productID: deviceKeyInput.shape.productID,
    deviceNames,
    dataID: z.string().max(128).optional(),
    types: z.array(z.enum(EventType)).nullish(),
    ...range,
    page: pageInput,
  }),
  data: z.object({ list: z.array(eventLogRow), total: z.int() }),
})

/** Actions of the hub log (http-api.md 4.4 "Actions"); existing consoles do not know the last three. */
export const hubActions = [
  'connected',
  'disconnected',
  'property',
  'event',
  'action',
  'subscribe',
  'publish',
  'thing',
  'gateway',
  'sdkLog',
  'ntp',
  'ext',
  'otaLog',
  'config',
  'shadow',
  'login',
] as const
export type HubAction = (typeof hubActions)[number]
export const hubActionLabels: Record<HubAction, string> = {
  connected: '上线',
  disconnected: '下线',
  property: '属性',
  event: '事件',
  action: '行为',
  subscribe: '订阅',
  publish: '发布',
  thing: '物模型',
  gateway: '网关',
  sdkLog: '设备日志',
  ntp: '校时',
  ext: '扩展',
  otaLog: '固件升级',
  config: '远程配置',
  shadow: '设备影子',
  login: '登录',
}

const hubLogRow = z.object({
  timestamp: strInt,
  action: z.string(),
  requestID: z.string(),
  tranceID: z.string(),
  topic: z.string(),
  content: z.string(),
  resultType: strInt,
  /** Ours. */
  productID: z.string(),
  deviceName: z.string(),
  /** up or down */
  way: z.string(),
  method: z.string(),
  /** Why it was refused; '' when it was not. */
  msg: z.string(),
  /** Milliseconds from receipt to storing, of a reply since its request. */
  latency: z.number(),
})
export type HubLogRow = z.output<typeof hubLogRow>

/** 1 accepted, 2 refused. */
export const ResultType = { ok: 1, failed: 2 } as const

const hubLogFilter = z.object({
  productID: z.string().max(64).optional(),
  deviceName: filterText(48),
  deviceNames: z.array(z.string().min(1).max(48)).max(50).optional(),
  ...range,
  actions: z.array(z.string().max(32)).max(32).nullish(),
  topics: z.array(z.string().max(512)).max(20).nullish(),
  content: filterText(256),
  requestID: filterText(128),
  resultType: optionalEnum(ResultType),
})
export type HubLogFilter = z.output<typeof hubLogFilter>

export const listHubLog = query('/api/v1/things/device/msg/hub-log/index', '设备云端日志', {
  body: hubLogFilter.extend({ page: pageInput }),
  data: z.object({ list: z.array(hubLogRow), total: z.int() }),
})

export const maxLogBuckets = 200
const logBucket = z.object({
  /** Begin of the bucket. */
  timestamp: strInt,
  total: z.int(),
  /** Of them refused. */
  failed: z.int(),
})
export type LogBucket = z.output<typeof logBucket>

/** Ours: how many lines the same filter finds over time; every bucket is there, also the empty ones. */
export const countHubLog = query('/api/v1/things/device/msg/hub-log/histogram', '设备云端日志数量分布', {
  body: hubLogFilter.extend({ timeStart: int(1), buckets: int(1, maxLogBuckets).default(60) }),
  data: z.object({ list: z.array(logBucket), interval: z.int() }),
})

const sdkLogRow = z.object({
  timestamp: strInt,
  /** Spelt so by the public platform. */
  loglevel: z.int(),
  content: z.string(),
  deviceName: z.string(),
})
export type SdkLogRow = z.output<typeof sdkLogRow>

export const listSdkLog = query('/api/v1/things/device/msg/sdk-log/index', '设备本地日志', {
  body: z.object({
    productID: deviceKeyInput.shape.productID,
    deviceName: filterText(48),
    /** Ours. */
    deviceNames: z.array(z.string().min(1).max(48)).max(50).optional(),
    logLevel: optionalEnum(LogLevel),
    content: filterText(256),
    ...range,
    page: pageInput,
  }),
  data: z.object({ list: z.array(sdkLogRow), total: z.int() }),
})

/** One step of what became of a message. */
const traceStep = z.object({
  name: z.string(),
  ok: z.boolean(),
  text: z.string(),
})

/** A scene that the message started or nearly did. */
const tracedScene = z.object({
  /** '' when it did not fire. */
  runID: z.string(),
  sceneID: z.int(),
  sceneName: z.string(),
  ok: z.boolean(),
  text: z.string(),
})

/** Ours: everything about one message, with the messages of the same request. */
export const readTrace = query('/api/v1/things/device/msg/trace-read', '消息跟踪', {
  body: z.object({ tranceID: z.string().regex(/^[0-9a-f]{22}$/, '不是有效的跟踪号') }),
  data: z.object({
    entry: hubLogRow,
    deviceTime: strInt,
    steps: z.array(traceStep),
    /** Same device and request id, old to new. */
    related: z.array(hubLogRow),
    scenes: z.array(tracedScene),
  }),
})
