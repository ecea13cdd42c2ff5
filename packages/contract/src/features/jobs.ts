/** Long work in the background (screens.md 28). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, optionalEnum, strInt, text } from '../wire.ts'

const group = '后台任务'
const { query, modify, act } = endpointsOf(group)
export const JobStatus = { waiting: 1, running: 2, done: 3, failed: 4, cancelled: 5 } as const
export type JobStatus = (typeof JobStatus)[keyof typeof JobStatus]
export const jobStatusLabels: Record<JobStatus, string> = {
  1: '等待中',
  2: '运行中',
  3: '已完成',
  4: '失败',
  5: '已取消',
}

/** Every kind that the platform starts, as people read it. */
export const jobKindLabels = {
  'device.multi-create': '批量新增设备',
  'device.export': '导出设备',
  'device.multi-update': '批量修改设备',
  'device.multi-delete': '批量删除设备',
  'device.simulate': '模拟设备',
  'group.add-devices': '添加设备到分组',
  'config.push': '下发远程配置',
  'ota.prepare': '准备升级任务',
  'ota.export': '导出升级设备',
  'task.prepare': '准备设备任务',
  'task.export': '导出任务结果',
  'report.make': '生成报表',
  sceneBacktest: '场景回测',
  'operation-log.export': '导出操作日志',
  'list.export': '导出列表',
  'demo.load': '加载演示数据',
  'demo.remove': '移除演示数据',
} as const
export type JobKindName = keyof typeof jobKindLabels

export const job = z.object({
  jobID: z.string(),
  kind: z.string(),
  title: z.string(),
  status: z.int(),
  /** 0 to 100. */
  progress: z.int(),
  total: z.int(),
  done: z.int(),
  error: z.string(),
  createdTime: strInt,
  finishedTime: strInt,
  /** Ours: who started it, how often it was tried, and the file it made (a signed link in `read`). */
  userName: z.string(),
  attempts: z.int(),
  fileName: z.string(),
  fileUri: z.string(),
  /** JSON text of what the job found, like counts or failed rows. */
  result: z.string(),
})
export type Job = z.output<typeof job>

/** What an export can be written as. */
export const tableFormats = ['csv', 'xlsx', 'parquet'] as const
export type TableFormat = (typeof tableFormats)[number]
/** A field of the exports. */
export const tableFormat = z.enum(tableFormats).default('csv')

/** Numbers may travel as text; times as seconds or milliseconds since 1970, told apart as consoles do. */
const exportTypes = ['text', 'number', 'integer', 'boolean', 'time'] as const
const exportColumn = z.object({
  /** Field of a row; a dot leads into it, also into JSON text, and into each of several things. */
  key: text(128, 1),
  /** The key when absent. */
  head: text(128).optional(),
  /** As the answer of the list says when absent: text or a number. */
  type: z.enum(exportTypes).optional(),
  /** Another field, on which the words depend: they are found by "its value:value". */
  per: text(128, 1).optional(),
  /** Words for values, as the console shows them. */
  labels: z.record(z.string().max(128), z.string().max(256)).optional(),
})
export type ExportColumn = z.output<typeof exportColumn>

export const maxOpenExports = 5
/** Ours: what a list or a chart shows, as a file made by a job. The right to read the list is needed, then and now. */
export const exportList = act('/api/v1/system/job/export-list', '导出列表', {
  access: 'signed-in',
  body: z.object({
    /** Of an endpoint that answers rows. */
    path: text(256, 1),
    /** What it is asked; a page in it only says the order. */
    body: z.record(z.string(), z.unknown()).default({}),
    /** Instead of `body`: asked one after the other into the same file, as a chart asks for its lines. */
    bodies: z.array(z.record(z.string(), z.unknown())).min(1).max(10).optional(),
    /** Where the rows are in its answer; figures that are no list are one row, '' is the answer itself. */
    rows: text(64).default('list'),
    /** All fields of a row when absent. */
    columns: z.array(exportColumn).min(1).max(200).optional(),
    format: tableFormat,
    title: text(128).optional(),
    /** IANA name, for the times of XLSX; the server's when absent. */
    timeZone: z.string().max(64).optional(),
  }),
  data: z.object({ jobID: z.string() }),
})

const jobKey = z.object({ jobID: text(64, 1) })

export const jobSortFields = ['createdTime', 'finishedTime', 'status', 'kind'] as const

export const listJobs = query('/api/v1/system/job/index', '后台任务列表', {
  body: z.object({ page: pageInput, kind: filterText(64), status: optionalEnum(JobStatus), title: filterText() }),
  data: pageOf(job),
})

/** Everybody may follow the jobs that he started himself; the list is the administrator's. */
export const readJob = query('/api/v1/system/job/read', '查看后台任务', {
  access: 'signed-in',
  body: jobKey,
  data: job,
})

export const cancelJob = modify('/api/v1/system/job/cancel', '取消后台任务', { access: 'signed-in', body: jobKey })

export const retryJob = modify('/api/v1/system/job/retry', '重试后台任务', { body: jobKey })
