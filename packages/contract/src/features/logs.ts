/** Login log and operation log (http-api.md 2.7). */
import * as z from 'zod'
import { BusinessType, endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, optionalEnum, strInt } from '../wire.ts'
import { tableFormat } from './jobs.ts'

const { query, act } = endpointsOf('日志管理')
/** Outcome filter of both logs. */
export const LogResult = { success: 1, failure: 2 } as const
export type LogResult = (typeof LogResult)[keyof typeof LogResult]
export const logResultLabels: Record<LogResult, string> = { 1: '成功', 2: '失败' }

/** A day `YYYY-MM-DD` (server time zone) or unix milliseconds. */
const moment = z.union([
  z.enum(['', '0']).transform(() => undefined),
  z.string().regex(/^\d{4}-\d{2}-\d{2}$/, '必须是 YYYY-MM-DD'),
  z.string().regex(/^\d{10,13}$/, '必须是 YYYY-MM-DD 或毫秒时间戳'),
  z.int().min(0).transform(String),
])
const dateRange = z.object({ start: moment.optional(), end: moment.optional() }).optional()
export type DateRange = z.output<typeof dateRange>

export const loginLog = z.object({
  /** Ours: row id, so that tables have a stable key. */
  id: strInt,
  userID: strInt,
  userName: z.string(),
  ipAddr: z.string(),
  loginLocation: z.string(),
  browser: z.string(),
  os: z.string(),
  code: strInt,
  msg: z.string(),
  createdTime: strInt,
})
export type LoginLog = z.output<typeof loginLog>

export const loginLogSortFields = ['createdTime', 'userName', 'ipAddr', 'code'] as const

export const listLoginLogs = query('/api/v1/system/log/login/index', '登录日志列表', {
  body: z.object({
    page: pageInput,
    userID: id().optional(),
    userName: filterText(),
    ipAddr: filterText(),
    loginLocation: filterText(),
    browser: filterText(),
    os: filterText(),
    result: optionalEnum(LogResult),
    dateRange,
    // Existing consoles send the range under this name (http-api.md 2.7).
    date: dateRange,
  }),
  data: pageOf(loginLog),
})

export const operationLog = z.object({
  id: strInt,
  userID: strInt,
  operUserName: z.string(),
  operName: z.string(),
  businessType: strInt,
  uri: z.string(),
  operIpAddr: z.string(),
  operLocation: z.string(),
  req: z.string(),
  resp: z.string(),
  code: strInt,
  msg: z.string(),
  createdTime: strInt,
  /** Ours: milliseconds the call took, and the request id of log and answer. */
  duration: z.int(),
  requestID: z.string(),
})
export type OperationLog = z.output<typeof operationLog>

export const operationLogSortFields = [
  'createdTime',
  'operUserName',
  'operName',
  'businessType',
  'code',
  'duration',
] as const

const operationFilter = z.object({
  userID: id().optional(),
  operName: filterText(),
  operUserName: filterText(),
  businessType: optionalEnum(BusinessType),
  uri: filterText(256),
  operIpAddr: filterText(),
  requestID: filterText(),
  result: optionalEnum(LogResult),
  dateRange,
  date: dateRange,
})

export const listOperationLogs = query('/api/v1/system/log/oper/index', '操作日志列表', {
  body: operationFilter.extend({ page: pageInput }),
  data: pageOf(operationLog),
})

/** Ours: what the list shows, with the hash of each entry, as a file made by a job. */
export const exportOperationLogs = act('/api/v1/system/log/oper/export', '导出操作日志', {
  body: operationFilter.extend({ format: tableFormat }),
  data: z.object({ jobID: z.string() }),
})
