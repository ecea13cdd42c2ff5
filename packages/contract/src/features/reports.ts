/** Reports by schedule: values, alarms and availability of devices as a file, by mail and webhook (operator-guide.md). */
import * as z from 'zod'
import { checkCron } from '../cron.ts'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { channelTypes } from '../rules/channel-types.ts'
import { fieldsToUpdate, filterText, id, int, oneOf, optionalEnum, tagsInput, text } from '../wire.ts'
import { isZone } from '../zone-days.ts'
import { JobStatus } from './jobs.ts'

const { query, add, modify, remove, act } = endpointsOf('报表')

export const ReportSchedule = { daily: 1, weekly: 2, monthly: 3, cron: 4 } as const
export type ReportSchedule = (typeof ReportSchedule)[keyof typeof ReportSchedule]
export const reportScheduleLabels: Record<ReportSchedule, string> = { 1: '每天', 2: '每周', 3: '每月', 4: 'Cron' }

export const ReportTarget = { product: 1, group: 2, tags: 3, devices: 4 } as const
export type ReportTarget = (typeof ReportTarget)[keyof typeof ReportTarget]
export const reportTargetLabels: Record<ReportTarget, string> = {
  1: '产品全部设备',
  2: '按分组',
  3: '按标签',
  4: '指定设备',
}

export const ReportInterval = { hour: 1, day: 2 } as const
export type ReportInterval = (typeof ReportInterval)[keyof typeof ReportInterval]
export const reportIntervalLabels: Record<ReportInterval, string> = { 1: '每小时', 2: '每天' }

export const reportFuncs = ['avg', 'min', 'max', 'first', 'last', 'sum', 'count'] as const
export type ReportFunc = (typeof reportFuncs)[number]
export const reportFormats = ['xlsx', 'pdf', 'csv'] as const
export type ReportFormat = (typeof reportFormats)[number]
export const reportFormatLabels: Record<ReportFormat, string> = { xlsx: 'Excel (XLSX)', pdf: 'PDF', csv: 'CSV' }

/** 1 on, 2 off, as of device tasks. */
export const ReportState = { on: 1, off: 2 } as const
/** What a run came from: its moment, a moment that was missed, or a person. */
export const ReportTrigger = { timer: 1, late: 2, hand: 3 } as const
export type ReportTrigger = (typeof ReportTrigger)[keyof typeof ReportTrigger]
export const reportTriggerLabels: Record<ReportTrigger, string> = { 1: '按计划', 2: '补做', 3: '手动' }

export const reportLimits = {
  reports: 500,
  /** Of one report. */
  devices: 2_000,
  properties: 20,
  named: 500,
  /** Of one table of a file. */
  rows: 100_000,
  /** The history of a report. */
  runs: 100,
  days: 400,
  /** Of a preview. */
  previewDevices: 10,
  previewRows: 8,
} as const
/** Kinds of channels that can take a report. */
export const reportChannelTypes: readonly string[] = ['email', 'webhook']

const shape = {
  name: text(64, 1),
  isEnable: oneOf(ReportState).default(ReportState.on),
  schedule: oneOf(ReportSchedule),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '须为 00:00 到 23:59')
    .default('08:00'),
  /** 1 is Monday. */
  weekday: int(1, 7).default(1),
  monthDay: int(1, 28).default(1),
  cron: text(128).default(''),
  /** IANA name; '' is the zone of the server. */
  timeZone: text(64).default(''),
  target: oneOf(ReportTarget),
  /** '' with groups and tags: of any product. */
  productID: text(32).default(''),
  /** With the groups below it; 0: none. */
  groupID: int(0).default(0),
  tags: tagsInput.default([]),
  deviceNames: z.array(text(48, 1)).max(reportLimits.named).default([]),
  dataIDs: z.array(text(128, 1)).max(reportLimits.properties).default([]),
  funcs: z.array(z.enum(reportFuncs)).max(reportFuncs.length).default([]),
  interval: oneOf(ReportInterval).default(ReportInterval.day),
  alarms: z.boolean().default(true),
  availability: z.boolean().default(true),
  language: z.enum(['zh', 'en']).default('zh'),
  format: z.enum(reportFormats).default('xlsx'),
  channelIDs: z.array(id()).max(20).default([]),
}
export type ReportPlan = z.output<z.ZodObject<typeof shape>>

const rules: Array<[(plan: ReportPlan) => boolean, keyof typeof shape, string]> = [
  [(plan) => plan.schedule !== ReportSchedule.cron || checkCron(plan.cron).ok, 'cron', '无效 Cron 表达式'],
  [(plan) => plan.timeZone === '' || isZone(plan.timeZone), 'timeZone', '无效，例如 Asia/Shanghai'],
  [(plan) => plan.target !== ReportTarget.product || plan.productID !== '', 'productID', '须选择'],
  [(plan) => plan.target !== ReportTarget.group || plan.groupID > 0, 'groupID', '须选择'],
  [(plan) => plan.target !== ReportTarget.tags || plan.tags.length > 0, 'tags', '须填写'],
  [(plan) => plan.target !== ReportTarget.devices || plan.productID !== '', 'productID', '须选择'],
  [(plan) => plan.target !== ReportTarget.devices || plan.deviceNames.length > 0, 'deviceNames', '须选择'],
  [(plan) => plan.dataIDs.length === 0 || plan.productID !== '', 'productID', '在统计属性时须选择'],
  [(plan) => plan.dataIDs.length === 0 || plan.funcs.length > 0, 'funcs', '须选择'],
  [(plan) => plan.dataIDs.length > 0 || plan.alarms || plan.availability, 'dataIDs', '为空时须包含告警或可用率'],
]
const check = (plan: ReportPlan, context: z.RefinementCtx) => {
  for (const [rule, path, message] of rules)
    if (!rule(plan)) context.addIssue({ code: 'custom', path: [path], message })
}
export const reportBody = z.object(shape).superRefine(check)

/** Milliseconds, [timeStart, timeEnd); without both the period of the last moment of the schedule. */
const period = { timeStart: int(0).optional(), timeEnd: int(0).optional() }
const key = z.object({ id: id() })

const run = z.object({
  id: z.int(),
  reportID: z.int(),
  trigger: z.int(),
  /** Milliseconds. */
  from: z.number(),
  to: z.number(),
  state: z.int(),
  error: z.string(),
  jobID: z.string(),
  fileName: z.string(),
  fileUri: z.string(),
  fileSize: z.number(),
  userName: z.string(),
  createdTime: z.number(),
  finishedTime: z.number(),
  told: z.array(
    z.object({
      channelID: z.int(),
      channelName: z.string(),
      type: z.enum(channelTypes),
      target: z.string(),
      /** As of a delivery; 0: its record has been cleared away. */
      state: z.int(),
      error: z.string(),
    }),
  ),
  /** Channels that nothing could be sent to. */
  problems: z.array(z.string()),
})
export type ReportRun = z.output<typeof run>

const report = z.object({
  ...z.object(shape).omit({ deviceNames: true }).shape,
  id: z.int(),
  productName: z.string(),
  groupName: z.string(),
  deviceCount: z.int(),
  createdBy: z.string(),
  createdTime: z.number(),
  /** Milliseconds; 0: none. */
  nextTime: z.number(),
  lastTime: z.number(),
  lastState: z.int(),
  rev: z.int(),
})
export type Report = z.output<typeof report>

export const reportSortFields = ['name', 'createdTime', 'nextTime', 'lastTime'] as const
export const listReports = query('/api/v1/things/report/index', '报表列表', {
  body: z.object({
    name: filterText(64),
    schedule: optionalEnum(ReportSchedule),
    isEnable: optionalEnum(ReportState),
    page: pageInput,
  }),
  data: pageOf(report),
})
export const readReport = query('/api/v1/things/report/read', '查看报表', {
  body: key,
  data: report.extend({ deviceNames: z.array(z.string()) }),
})
export const createReport = add('/api/v1/things/report/create', '新增报表', {
  body: reportBody,
  data: z.object({ id: z.int() }),
})
export const updateReport = modify('/api/v1/things/report/update', '修改报表', {
  body: z.object({ ...fieldsToUpdate(shape), id: id(), rev: int(0).optional() }),
})
/** With its history and files. */
export const deleteReport = remove('/api/v1/things/report/delete', '删除报表', { body: key })
/** Of the unsaved form: the same figures of a few devices. */
export const previewReport = query('/api/v1/things/report/preview', '预览报表', {
  body: z.object({ ...shape, ...period }).superRefine(check),
  data: z.object({
    from: z.number(),
    to: z.number(),
    timeZone: z.string(),
    /** All of them, and those that were looked at. */
    devices: z.int(),
    shown: z.int(),
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
    tables: z.array(
      z.object({
        title: z.string(),
        heads: z.array(z.string()),
        rows: z.array(z.array(z.string())),
        total: z.int(),
      }),
    ),
  }),
})
export const runReport = act('/api/v1/things/report/run', '立即生成报表', {
  body: z.object({ ...key.shape, ...period, /** Whether the receivers are told. */ tell: z.boolean().default(false) }),
  data: z.object({ runID: z.int(), jobID: z.string() }),
})
export const runSortFields = ['createdTime', 'from'] as const
export const listReportRuns = query('/api/v1/things/report/run/index', '报表历史', {
  body: z.object({ id: id(), state: optionalEnum(JobStatus), page: pageInput }),
  data: pageOf(run),
})
