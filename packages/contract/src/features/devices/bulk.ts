/** Many devices at once: batch create, bulk edit and delete, import, export. */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { int, optionalEnum, tagsInput, text } from '../../wire.ts'
import { tableFormat } from '../jobs.ts'
import { deviceFilter, deviceKeyInput, deviceSet, LogLevel, YesNo } from './info.ts'

const { add, modify, remove, act } = endpointsOf('设备管理')
/** Rows of one CSV import. */
export const maxImportRows = 10_000
export const maxBatchCreate = 10_000
/** Upload limit of the CSV file. */
export const maxImportBytes = 8 * 1024 * 1024

const jobStarted = z.object({ jobID: z.string() })
const keys = z.array(deviceKeyInput).min(1).max(10_000)
/** As many devices as one bulk operation takes by a filter. */
export const maxByFilter = 100_000
/** Named devices, or the devices of a filter: these are worked on by a job. */
export const listOrFilter = { list: keys.optional(), filter: deviceSet.optional() }
export const namesTargets = ({ list, filter }: { list?: unknown; filter?: unknown }): boolean =>
  (list === undefined) !== (filter === undefined)
export const targetsIssue = { path: ['list'], message: '请给出设备（list）或筛选条件（filter）之一' }

export const multiCreateDevicesBody = z.object({
  productID: z.string().min(1).max(64),
  prefix: z.string().regex(/^[A-Za-z0-9_\-.:@]{1,40}$/, '须为 1 到 40 位字母、数字或 _ - . : @'),
  start: int(0, 99_999_999).default(1),
  count: int(1, maxBatchCreate),
  /** Digits of the running number, filled with zeros. */
  digits: int(1, 8).default(4),
})
export const multiCreateDevices = add('/api/v1/things/device/info/multi-create', '批量新增设备', {
  body: multiCreateDevicesBody,
  data: jobStarted,
})

export const rowResult = z.object({ productID: z.string(), deviceName: z.string(), code: z.int(), msg: z.string() })
/** By a filter: how many devices it took, none of them done yet, and the job that does them. */
const bulkResult = z.object({
  total: z.int(),
  success: z.int(),
  failed: z.array(rowResult),
  jobID: z.string().optional(),
})
/** What such a job found, as its `result`; of the failed ones as many as people read. Of the others some were gone. */
export const filteredResult = z.object({
  total: z.int(),
  success: z.int(),
  failedCount: z.int(),
  failed: z.array(rowResult),
})

export const multiDeleteDevices = remove('/api/v1/things/device/info/multi-delete', '批量删除设备', {
  body: z.object(listOrFilter).refine(namesTargets, targetsIssue),
  data: bulkResult,
})

export const multiUpdateDevices = modify('/api/v1/things/device/info/multi-update', '批量修改设备', {
  body: z
    .object({
      ...listOrFilter,
      /** Merged into the tags of each device; removeTags drops keys. */
      tags: tagsInput.optional(),
      removeTags: z.array(text(32, 1)).max(10).optional(),
      logLevel: optionalEnum(LogLevel),
      isEnable: optionalEnum(YesNo),
    })
    .refine(namesTargets, targetsIssue),
  data: bulkResult,
})

/** As many virtual devices as one server runs beside its work. */
export const maxSimulated = 1_000
/** The platform itself plays the device: it connects, reports believable values and obeys commands. */
export const simulateDevices = modify('/api/v1/things/device/info/simulate', '模拟设备', {
  body: z
    .object({ ...listOrFilter, list: z.array(deviceKeyInput).min(1).max(maxSimulated).optional(), on: z.boolean() })
    .refine(namesTargets, targetsIssue),
  data: bulkResult,
})

export const exportDevices = act('/api/v1/things/device/info/export', '导出设备', {
  body: deviceFilter.extend({ list: keys.optional(), format: tableFormat }),
  data: jobStarted,
})

/** http-api.md 4.2: columns in order; the same words head the template. */
export const importColumns = [
  ['productName', '产品名称*'],
  ['deviceName', '设备名称*'],
  ['deviceAlias', '设备别名'],
  ['secret', '设备密钥'],
  ['logLevel', '日志级别'],
  ['tags', '设备标签'],
  ['position', '设备位置'],
  ['address', '详细地址'],
  ['tips', '提示'],
] as const

const importRow = z.object({
  row: z.int(),
  productName: z.string(),
  deviceName: z.string(),
  deviceAlias: z.string(),
  secret: z.string(),
  logLevel: z.string(),
  tags: z.string(),
  position: z.string(),
  address: z.string(),
  tips: z.string(),
})
export type ImportRow = z.output<typeof importRow>

export const importDevices = add('/api/v1/things/device/info/multi-import', '导入设备', {
  multipart: { maxBytes: maxImportBytes },
  body: z.object({ dryRun: z.stringbool().optional() }),
  data: z.object({
    total: z.int(),
    headers: importRow,
    errdata: z.array(importRow).nullable(),
    /** Ours: rows that were, or in a dry run would be, created. */
    success: z.int(),
  }),
})
