/** `$ota` (device-protocol.md 8): versions that devices run, and steps of upgrades. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { moduleOfName } from '@ithings/contract/features/ota/firmware.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { phrase, type Words } from '@ithings/contract/text.ts'
import { jsonText, storableText } from '#db/json-text.ts'
import { JournalKind } from '#ports/journal.ts'
import type { Handler } from '../corridor-deps.ts'
import type { Uplink } from '../uplink-message.ts'

const mostVersion = 64
const mostDesc = 256

const bad = (detail: Words) => new AppError(errors.parameter, { detail })

function readParams({ message }: Uplink): Record<string, unknown> & { module: string } {
  const { params } = message
  if (!isRecord(params)) throw bad('need add params')
  const { module } = params
  if (typeof module !== 'string' || module === '') throw bad(phrase('缺少 {field}', { field: 'module' }))
  if (moduleOfName(module) === undefined) {
    throw bad(phrase('module 须为 default、main、mcu 或 wifi，收到 {found}', { found: jsonText(module.slice(0, 32)) }))
  }
  return { ...params, module }
}

const cleanText = (text: string): string => storableText(text).toWellFormed()

/** `$ota/up/report`: answered only when an upgrade waits for this device. */
const reportVersion: Handler = async (up, deps) => {
  const { version, module } = readParams(up)
  if (typeof version !== 'string' || version.trim() === '') throw bad(phrase('缺少 {field}', { field: 'version' }))
  if (version.length > mostVersion) {
    throw new AppError(errors.outOfRange, { detail: phrase('version 最长 {mostVersion} 个字符', { mostVersion }) })
  }
  const data = await deps.doors.reportVersion(up.device, { version: cleanText(version.trim()), module })
  return {
    kind: JournalKind.otaLog,
    content: jsonText(up.message.params),
    ...(data && { reply: { method: 'reportInfoReply', extra: { data } } }),
  }
}

function readID(raw: unknown): number | undefined {
  if (raw === undefined || raw === null || raw === '' || raw === 0) return undefined
  const id = Number(raw)
  if (!Number.isSafeInteger(id) || id < 0) throw bad(phrase('{field} 须为整数', { field: 'id' }))
  return id
}

/** `$ota/up/progress` */
const reportStep: Handler = async (up, deps) => {
  const { module, step: rawStep, desc, id } = readParams(up)
  const step = typeof rawStep === 'string' && rawStep.trim() !== '' ? Number(rawStep) : rawStep
  if (typeof step !== 'number' || !Number.isInteger(step)) throw bad(phrase('{field} 须为整数', { field: 'step' }))
  if (step === 0 || step > 100 || step < -1_000_000) {
    throw new AppError(errors.outOfRange, { detail: phrase('step 须为 1 到 100，失败时为负数，收到 {step}', { step }) })
  }
  const said = typeof desc === 'string' ? cleanText(desc.slice(0, mostDesc)) : ''
  const ignored = await deps.doors.reportStep(up.device, { id: readID(id), step, desc: said, module })
  return {
    kind: JournalKind.otaLog,
    content: jsonText(up.message.params),
    ...(ignored !== '' && { msg: ignored }),
    reply: { method: up.method === 'report' ? 'reportReply' : 'reportInfoReply' },
  }
}

export const otaHandlers = { reportVersion, reportStep }
