/** `$thing/up/property` (device-protocol.md 5): reports, answers to commands, questions about the own state. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { phrase } from '@ithings/contract/text.ts'
import { defaultValue } from '@ithings/contract/thing-model/values.ts'
import { jsonText } from '#db/json-text.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { JournalKind } from '#ports/journal.ts'
import type { Handler } from '../corridor-deps.ts'
import { shortKept } from '../refuse.ts'
import type { Uplink } from '../uplink-message.ts'
import { type Answer, settleAnswer } from './device-reply.ts'

/**
 * Reported values against the thing model (thing-model.md 4). One bad value refuses the whole message; identifiers that
 * the model does not know are skipped.
 */
function validateReport(params: unknown, product: CachedProduct): Record<string, unknown> {
  if (!isRecord(params)) throw new AppError(errors.parameter, { detail: 'need add params' })
  const values: Record<string, unknown> = {}
  let found = false
  let unknown = ''
  for (const identifier in params) {
    const known = product.properties.get(identifier)
    if (!known) {
      unknown ||= identifier
      continue
    }
    const raw = params[identifier]
    // thing-model.md 4: an empty array counts as not sent.
    if (Array.isArray(raw) && raw.length === 0) continue
    const result = known.report(raw, identifier)
    if (!result.ok) {
      const { code, text } = result.fault
      throw new AppError(code === errors.outOfRange.code ? errors.outOfRange : errors.parameter, { detail: text })
    }
    values[identifier] = result.value
    found = true
  }
  if (!found) {
    throw new AppError(errors.parameter, {
      detail: unknown === '' ? 'need add params' : phrase('查不到物模型:{identifier}', { identifier: unknown }),
    })
  }
  return values
}

const report: Handler = (up) => {
  const values = validateReport(up.message.params, up.product)
  return { kind: JournalKind.property, content: jsonText(values), values, reply: { method: 'reportReply' } }
}

/** device-protocol.md 5: on 200 the requested values are stored as a report. */
const controlReply: Handler = (up, deps) =>
  settleAnswer(up, deps, 'property', up.message.data, ({ request, ok, said, outcome }) => {
    const values = ok ? request.params : undefined
    return { ...outcome, kind: JournalKind.property, content: jsonText(values ?? said), values }
  })

/** Stored like a report, whatever was asked for. */
const getReportReply: Handler = (up, deps) => {
  // Older and newer devices have it under different names (device-protocol.md 1).
  const given = up.message.params ?? up.message.data
  const some = typeof given === 'object' && given !== null && Object.keys(given).length > 0
  const { values, fault } = some ? tryReport(given, up) : {}
  const outcomeOf = ({ ok, said, outcome }: Answer) => {
    const kept = ok ? values : undefined
    const content = jsonText(kept ?? (said === fault ? given : said))
    return { ...outcome, ...(said === fault && fault), kind: JournalKind.property, content, values: kept }
  }
  return settleAnswer(up, deps, 'get', given, outcomeOf, fault)
}

/** Values that break the model are not stored; whoever asked and the log hear why. */
function tryReport(given: unknown, { product }: Uplink) {
  try {
    return { values: validateReport(given, product) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { fault: { code: error.code, msg: shortKept(error) } }
  }
}

/** Every property; desired values that wait are first stored as reported (device-protocol.md 5). */
const getStatus: Handler = async (up, deps) => {
  const { product, device, message } = up
  const known = Array.isArray(message.identifiers)
    ? message.identifiers.filter((one): one is string => typeof one === 'string' && product.properties.has(one))
    : []
  const asked = known.length > 0 ? new Set(known) : undefined
  const desired = await deps.doors.takeDesired(device.deviceID, asked && [...asked])
  const later = async () => {
    const latest = await deps.latest.read(device.deviceID)
    const data: Record<string, unknown> = {}
    for (const [identifier, { property }] of product.properties) {
      if (asked && !asked.has(identifier)) continue
      data[identifier] = desired.values[identifier] ?? latest[identifier]?.value ?? defaultValue(property.define)
    }
    return { data }
  }
  const reply = { method: 'getStatusReply', later } as const
  if (Object.keys(desired.values).length === 0) {
    return { kind: JournalKind.thing, content: jsonText({ identifiers: known }), reply }
  }
  return {
    kind: JournalKind.property,
    content: jsonText(desired.values),
    values: desired.values,
    reply,
    after: () => {
      desired.delivered().catch((error) => deps.log.error({ err: error }, 'a delivered wish could not be marked'))
    },
  }
}

/** imei, version, position and so on: about the device itself, not about its properties. */
const reportInfo: Handler = async (up, deps) => {
  await deps.doors.updateInfo(up)
  return {
    kind: JournalKind.thing,
    content: jsonText(up.message.params ?? {}),
    reply: { method: 'reportInfoReply' },
  }
}

export const propertyHandlers = { report, controlReply, getReportReply, getStatus, reportInfo }
