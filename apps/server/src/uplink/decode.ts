/** Bytes to a message: JSON, or the product's script for `custom` topics (device-protocol.md 5 and 9). */

import { isUtf8 } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import { type DeviceMethod, dialectOf, methodOf, tokenOf } from '@ithings/contract/device/messages.ts'
import { scriptFunction } from '@ithings/contract/device/topics.ts'
import { aheadMs, dayMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { fill, phrase, sayKept, type Words } from '@ithings/contract/text.ts'
import { scriptFault } from '#downlink/send.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import { keep, type Step } from './passage.ts'
import { TryAgain } from './refuse.ts'
import type { Envelope, Identified, Uplink } from './uplink-message.ts'

const mostToken = 128

/** A script engine that is busy is waited for: the device is held back meanwhile, which slows it down. */
const busyPauseMs = 100
const mostBusyPauses = 30

const bad = (detail: Words) => new AppError(errors.parameter, { detail })

function parseJson(payload: Buffer): unknown {
  if (!isUtf8(payload)) throw bad(phrase('消息不是有效的 UTF-8 文本'))
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    throw bad(phrase('消息不是有效的 JSON'))
  }
}

function readBody({ packet, topic }: Identified): unknown {
  if (topic.head !== 'config') return parseJson(packet.payload)
  try {
    const body = parseJson(packet.payload)
    return isRecord(body) ? body : {}
  } catch {
    return {}
  }
}

async function runScript({ topic, product, packet }: Identified, deps: CorridorDeps): Promise<unknown> {
  const handler = scriptFunction(topic.head, topic.type, 'up')
  if (!product.functions.has(handler))
    throw new AppError(errors.script, { detail: phrase('转换函数未找到 {handler}', { handler }) })
  const input = new Uint8Array(packet.payload)
  let outcome = await deps.scripts.run({ script: product.script, handler, input })
  for (let pauses = 0; outcome.reason === 'busy'; pauses++) {
    // Nothing is wrong with the message: it is handed back, so that the device sends it again.
    if (pauses >= mostBusyPauses) throw new TryAgain(sayKept(outcome.error, fill))
    await setTimeout(busyPauseMs)
    outcome = await deps.scripts.run({ script: product.script, handler, input })
  }
  if (outcome.ok) return outcome.value
  const { line, error } = outcome
  throw new AppError(errors.script, { detail: scriptFault(handler, line, error) })
}

function readTime(raw: unknown, { product, packet }: Identified): number | AppError {
  if (raw === undefined || raw === null || raw === '' || raw === 0 || raw === '0') return 0
  const time = typeof raw === 'string' && /^\d{1,16}$/.test(raw) ? Number(raw) : raw
  if (typeof time !== 'number' || !Number.isFinite(time)) return bad(phrase('timestamp 须为毫秒时间戳'))
  const { receivedAt } = packet
  if (time > receivedAt + aheadMs || time < receivedAt - product.valueDays * dayMs) {
    return new AppError(errors.outOfRange, {
      detail: phrase('timestamp 须在 {days} 天前到 10 分钟后之间，收到 {time}', {
        days: product.valueDays,
        time,
      }),
    })
  }
  return Math.trunc(time)
}

const isToken = (value: unknown): boolean =>
  value === undefined || typeof value === 'string' || typeof value === 'number' || value === null

/** device-protocol.md 7 and 8: a configuration request is not looked at; logs and progress come with any method. */
const usualMethods: Partial<Record<string, DeviceMethod>> = {
  'config/get': 'get',
  'log/report': 'reportInfo',
  'ota/progress': 'reportInfo',
}

function readMethod(message: Envelope, { head, type }: Identified['topic']): DeviceMethod {
  const usual = usualMethods[`${head}/${type}`]
  if (typeof message.method !== 'string') {
    if (!usual) throw bad(phrase('缺少 {field}', { field: 'method' }))
    message.method = usual
  }
  const method = usual === 'get' ? usual : (methodOf(message.method) ?? usual)
  if (!method) throw new AppError(errors.method, { detail: message.method.slice(0, 64) })
  return method
}

function open(content: unknown, known: Identified): Uplink {
  if (!isRecord(content)) throw bad(phrase('消息须为 JSON 对象'))
  const message = content as unknown as Envelope
  const method = readMethod(message, known.topic)
  if (!isToken(message.msgToken)) throw bad(phrase('{field} 须为文本', { field: 'msgToken' }))
  if (!isToken(message.clientToken)) throw bad(phrase('{field} 须为文本', { field: 'clientToken' }))
  const token = tokenOf(message)
  if (token.length > mostToken) throw bad(phrase('clientToken 最长 {mostToken} 个字符', { mostToken }))
  const { packet, topic, device, product } = known
  const dialect = dialectOf(message as { method: string; msgToken?: unknown }, product.dialect)
  return { packet, topic, device, product, message, method, dialect, token, deviceTime: 0 }
}

/** What they bring is kept under the time of the device. */
const timed = new Set<DeviceMethod>(['report', 'eventPost', 'packReport', 'getReportReply'])

/**
 * The time is read last: its refusal can be answered, because method and token are known by then. Others are not refused
 * for a wrong clock: whoever answers a command or asks for the time may have one.
 */
export function checkTime(up: Uplink): void {
  const time = readTime(up.message.timestamp, up)
  if (typeof time === 'number') up.deviceTime = time
  else if (up.topic.head === 'thing' && timed.has(up.method)) throw time
  else up.deviceTime = 0
}

export const decode: Step = (passage, corridor) => {
  const { known } = passage
  if (!known) throw new Error('a step was taken before the sender was known')
  return keep(known.topic.custom ? runScript(known, corridor) : readBody(known), (content) => {
    const up = open(content, known)
    passage.up = up
    checkTime(up)
  })
}
