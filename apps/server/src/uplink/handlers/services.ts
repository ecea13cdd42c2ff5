/** `$log`, `$config` and `$ext` (device-protocol.md 7): what devices ask the platform for. */

import { aheadMs, dayMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import { JournalKind } from '#ports/journal.ts'
import type { Handler } from '../corridor-deps.ts'

const mostLines = 1_000
const mostContent = 500 * 1024

/** `$log/up/operation` */
const readLogLevel: Handler = ({ device }) => ({
  kind: JournalKind.sdkLog,
  content: '{}',
  reply: { method: 'getStatusReply', extra: { data: { logLevel: device.logLevel } } },
})

/** NaN for whatever is neither a number nor the text of one. */
const numberOf = (raw: unknown): number =>
  typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '') ? Number(raw) : Number.NaN

function readLine(raw: unknown, receivedAt: number, logDays: number) {
  const line = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  if (typeof line.content !== 'string' || line.content === '') {
    throw new AppError(errors.parameter, { detail: phrase('日志缺少 content') })
  }
  if (Buffer.byteLength(line.content) > mostContent) {
    throw new AppError(errors.outOfRange, { detail: phrase('一条日志最长 500 KB') })
  }
  const logLevel = line.logLevel === undefined ? 5 : numberOf(line.logLevel)
  if (!Number.isInteger(logLevel) || logLevel < 2 || logLevel > 5) {
    throw new AppError(errors.outOfRange, {
      detail: phrase('logLevel 须为 2 到 5，收到 {given}', { given: JSON.stringify(line.logLevel) }),
    })
  }
  const time = numberOf(line.timestamp)
  // Before: seconds, or milliseconds since its start; stored as such the line would be gone within the hour.
  const believed = Number.isSafeInteger(time) && time >= receivedAt - logDays * dayMs && time <= receivedAt + aheadMs
  return {
    // A device whose clock is wrong has reasons to send its log: it is kept under the time of receipt.
    at: believed ? time : receivedAt,
    logLevel,
    // PostgreSQL keeps no NUL in texts.
    content: line.content.replaceAll('\u0000', '\ufffd').toWellFormed(),
  }
}

/** `$log/up/report` */
const uploadLogs: Handler = async (up, deps) => {
  const { params } = up.message
  if (!Array.isArray(params) || params.length === 0) throw new AppError(errors.parameter, { detail: 'need add params' })
  if (params.length > mostLines) {
    throw new AppError(errors.outOfRange, {
      detail: phrase('一次最多上报 {most} 条日志，收到 {count} 条', { most: mostLines, count: params.length }),
    })
  }
  const lines = params.map((line) => readLine(line, up.packet.receivedAt, up.product.logDays))
  await deps.doors.writeSdkLogs(up, lines)
  return {
    kind: JournalKind.sdkLog,
    content: jsonText({ lines: lines.length }),
    reply: { method: up.method === 'report' ? 'reportReply' : 'reportInfoReply' },
    after: () => deps.bus.emit('device.logged', { device: up.device, kind: 'sdk' }),
  }
}

/** Older devices read `data`, newer ones `payload`. */
const readConfig: Handler = async (up, deps) => {
  const text = await deps.doors.readConfig(up.device)
  if (text === undefined) throw new AppError(errors.notFound, { detail: phrase('产品没有远程配置') })
  return {
    kind: JournalKind.config,
    content: '{}',
    reply: { method: 'reply', extra: { data: text, payload: text } },
  }
}

/** The device works its own clock out from four times. */
const readTime: Handler = ({ message, packet }) => ({
  kind: JournalKind.ntp,
  content: jsonText({ timestamp: message.timestamp ?? 0 }),
  reply: {
    method: 'getNtpReply',
    extra: { data: { deviceSendTime: numberOf(message.timestamp) || 0, serverRecvTime: packet.receivedAt } },
  },
})

/** A device that asks to be registered while it is signed in has nothing to gain. */
const registerAgain: Handler = () => {
  throw new AppError(errors.notEmpty, { detail: phrase('设备已注册') })
}

export const serviceHandlers = { readLogLevel, uploadLogs, readConfig, readTime, registerAgain }
