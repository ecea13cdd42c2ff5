/** The devices of an upgrade task (http-api.md 7; screens.md 22). */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, id, int, optionalEnum, text } from '../../wire.ts'
import { tableFormat } from '../jobs.ts'
import { OtaStatus } from './states.ts'
import { otaLimits } from './task.ts'

const { query, modify, act } = endpointsOf('固件升级')
const otaDevice = z.object({
  id: z.int(),
  taskUid: z.string(),
  deviceName: z.string(),
  /** As it was when the task took the device. */
  version: z.string(),
  status: z.int(),
  /** Seconds. */
  updatedTime: z.number(),
  /** Ours. */
  deviceAlias: z.string(),
  isOnline: z.int(),
  /** Seconds as text; "0": never (spec 4), "": the device is gone. */
  firstLogin: z.string(),
  destVersion: z.string(),
  /** 1 to 100 while 401. */
  step: z.int(),
  detail: z.string(),
  attempts: z.int(),
  stage: z.int(),
  pushedTime: z.number(),
  doneTime: z.number(),
  /** Waits for the end of its probation until then; 0: no. */
  probationUntil: z.number(),
})
export type OtaDevice = z.output<typeof otaDevice>
export const otaDeviceSortFields = ['deviceName', 'status', 'updatedTime', 'step'] as const
const deviceFilter = z.object({
  taskUid: text(64, 1),
  deviceName: filterText(48),
  status: optionalEnum(OtaStatus),
  /** Exactly one of those that `analysis` names. */
  reason: filterText(500),
  /** Index of a stage: only its devices. */
  stage: int(0, otaLimits.stages).optional(),
})
export const listOtaDevices = query('/api/v1/things/ota/task/device-index', '升级设备列表', {
  body: deviceFilter.extend({ page: pageInput }),
  data: pageOf(otaDevice),
})
/** A file, made by a job. */
export const exportOtaDevices = act('/api/v1/things/ota/task/device-export', '导出升级设备', {
  body: deviceFilter.extend({ format: tableFormat }),
  data: z.object({ jobID: z.string() }),
})
const deviceKey = z.object({ id: id() })
/** While 401 or 501: 2100001. */
export const retryOtaDevice = modify('/api/v1/things/ota/task/device-retry', '重试设备升级', { body: deviceKey })
export const cancelOtaDevice = modify('/api/v1/things/ota/task/device-cancel', '取消设备升级', { body: deviceKey })
/** By ids, or all of a task in a status. */
const several = z.object({
  taskUid: text(64, 1),
  ids: z.array(id()).max(10_000).optional(),
  status: optionalEnum(OtaStatus),
})
const severalDone = z.object({ done: z.int(), failed: z.array(z.object({ id: z.int(), msg: z.string() })) })
export const retryOtaDevices = modify('/api/v1/things/ota/task/device-multi-retry', '批量重试设备升级', {
  body: several,
  data: severalDone,
})
export const cancelOtaDevices = modify('/api/v1/things/ota/task/device-multi-cancel', '批量取消设备升级', {
  /** away: only those that wait for their device to connect. */
  body: several.extend({ away: z.boolean().optional() }),
  data: severalDone,
})
