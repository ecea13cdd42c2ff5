/** What became of device tasks: their runs and the devices of each (screens.md 7.2). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, optionalEnum } from '../wire.ts'
import { tableFormat } from './jobs.ts'
import { DeployStatus, group } from './tasks.ts'

const { query } = endpointsOf(group)

const taskRun = z.object({
  runID: z.string(),
  /** Seconds; 0: not yet. */
  startedTime: z.number(),
  finishedTime: z.number(),
  total: z.int(),
  success: z.int(),
  failed: z.int(),
  /** Devices that were not there and are tried again. */
  away: z.int(),
  /** manual or timer. */
  trigger: z.string(),
  status: z.int(),
  reason: z.string(),
})
export type TaskRun = z.output<typeof taskRun>
export const listTaskRuns = query('/api/v1/things/device/task/run-index', '设备任务执行记录', {
  body: z.object({ taskID: id(), page: pageInput }),
  data: pageOf(taskRun),
})

const taskDevice = z.object({
  deviceName: z.string(),
  status: z.int(),
  code: z.int(),
  msg: z.string(),
  attempts: z.int(),
  /** Milliseconds; 0: not yet. */
  sentTime: z.number(),
  doneTime: z.number(),
  clientToken: z.string(),
  /** Ours; reply: JSON text of what the device answered, '' without an answer. isOnline 0: the device is gone. */
  deviceAlias: z.string(),
  isOnline: z.int(),
  /** Seconds as text; "0": never (spec 4), "": the device is gone. */
  firstLogin: z.string(),
  reply: z.string(),
})
export type TaskDevice = z.output<typeof taskDevice>
/** runID absent: the latest run. */
const deviceFilter = {
  taskID: id(),
  runID: filterText(32),
  deviceName: filterText(48),
  status: optionalEnum(DeployStatus),
  reason: filterText(128),
}
export const taskDeviceSortFields = ['deviceName', 'status', 'attempts', 'sentTime', 'doneTime'] as const
export const listTaskDevices = query('/api/v1/things/device/task/device-index', '设备任务明细', {
  body: z.object({ ...deviceFilter, page: pageInput }),
  data: pageOf(taskDevice),
})
/** Ours: the same rows as a CSV file, made by a job. */
export const exportTask = query('/api/v1/things/device/task/export', '导出设备任务结果', {
  body: z.object({ ...deviceFilter, format: tableFormat }),
  data: z.object({ jobID: z.string() }),
})
