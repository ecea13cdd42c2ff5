/** Long work in the background (screens.md 28). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, optionalEnum, strInt, text } from '../wire.ts'

const group = '后台任务'
const { query, modify } = endpointsOf(group)
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
  sceneBacktest: '场景回测',
  'operation-log.export': '导出操作日志',
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
