/**
 * packReport: values and events of several moments in one message, a gateway's also of its children
 * (device-protocol.md 5). One bad part refuses the whole, as with a plain report.
 */

import { buildTopic } from '@ithings/contract/device/topics.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase, type Words } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import { JournalKind } from '#ports/journal.ts'
import type { CorridorDeps, Handler } from '../corridor-deps.ts'
import { checkTime } from '../decode.ts'
import { findSender } from '../identify.ts'
import type { Envelope, PackedPart, Uplink } from '../uplink-message.ts'
import { eventHandlers } from './event.ts'
import { propertyHandlers } from './property.ts'

const mostParts = 500

const bad = (detail: Words) => new AppError(errors.parameter, { detail })

function listOf(value: unknown, name: string): Array<Record<string, unknown>> {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'object' || one === null)) {
    throw bad(phrase('{name} 须为对象的数组', { name }))
  }
  return value
}

const countIn = (body: Record<string, unknown>): number =>
  listOf(body.properties, 'properties').length + listOf(body.events, 'events').length

/** Before anything is looked at: what is too much must not cost the work of checking it. */
function checkCount(bodies: Array<Record<string, unknown>>): void {
  const parts = bodies.reduce((sum, body) => sum + countIn(body), 0)
  if (Math.max(parts, bodies.length - 1) > mostParts) {
    throw new AppError(errors.outOfRange, { detail: phrase('一条消息最多 {mostParts} 个部分', { mostParts }) })
  }
}

async function partsOf(up: Uplink, body: Record<string, unknown>, deps: CorridorDeps): Promise<PackedPart[]> {
  const parts: PackedPart[] = []
  const add = async (handler: Handler, message: Envelope) => {
    // A moment that is not named is that of the whole message.
    const part: Uplink = { ...up, message: { ...message, timestamp: message.timestamp ?? up.message.timestamp } }
    checkTime(part)
    parts.push({ up: part, outcome: await handler(part, deps) })
  }
  for (const one of listOf(body.properties, 'properties')) {
    await add(propertyHandlers.report, { method: 'report', timestamp: one.timestamp, params: one.params })
  }
  for (const one of listOf(body.events, 'events')) {
    await add(eventHandlers.eventPost, {
      method: 'eventPost',
      timestamp: one.timestamp,
      eventID: one.eventID,
      type: one.type,
      params: one.params,
    })
  }
  return parts
}

async function child(up: Uplink, body: Record<string, unknown>, deps: CorridorDeps): Promise<Uplink> {
  const { productID, deviceName } = body
  if (typeof productID !== 'string' || typeof deviceName !== 'string') {
    throw bad(phrase('subDevices 须有 productID 和 deviceName'))
  }
  const place = buildTopic({ head: 'thing', way: 'up', type: 'property', productID, deviceName })
  return { ...up, ...(await findSender({ ...up.packet, topic: place }, deps)) }
}

export const packReport: Handler = async (up, deps) => {
  const { message } = up
  const body = (typeof message.params === 'object' && message.params !== null ? message.params : message) as Record<
    string,
    unknown
  >
  const subs = listOf(body.subDevices, 'subDevices')
  checkCount([body, ...subs])
  const parts = await partsOf(up, body, deps)
  for (const sub of subs) parts.push(...(await partsOf(await child(up, sub, deps), sub, deps)))
  if (parts.length === 0) throw bad('need add params')
  return {
    kind: JournalKind.thing,
    content: jsonText({ parts: parts.length }),
    parts,
    reply: { method: 'packReportReply' },
  }
}
