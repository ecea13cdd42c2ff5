/** From an outcome to the journal: one message, one row, one commit (decisions.md 5). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { jsonText } from '#db/json-text.ts'
import type { UplinkPacket } from '#ports/broker.ts'
import type { Journal, JournalEntry, JournalKind } from '#ports/journal.ts'
import type { Identified, Outcome, Uplink } from './uplink-message.ts'

/** A refused message is kept for the log only, so its beginning is enough. */
const mostRefusedContent = 4_096

const mostText = 256
const mostTopic = 512
const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/** Refusals name what was received; what a device sends as a name can be as long as a message. */
export const shortText = (text: string): string => shorten(text, mostText)

const sinceMicros = (started: number): number => Math.round((performance.now() - started) * 1000)

export function entryOf(
  up: Uplink,
  outcome: Outcome,
  place: Pick<JournalEntry, 'at' | 'seq'>,
  started: number,
): JournalEntry {
  const { device, product, packet } = up
  return {
    deviceID: device.deviceID,
    productID: device.productID,
    deviceName: device.deviceName,
    logDays: product.logDays,
    at: place.at,
    seq: place.seq,
    kind: outcome.kind,
    up: true,
    topic: packet.topic,
    method: up.message.method.slice(0, 64),
    token: up.token,
    code: outcome.code ?? 200,
    msg: outcome.msg ?? '',
    deviceTime: up.deviceTime,
    content: outcome.content,
    dataID: outcome.dataID ?? '',
    latency: outcome.latency ?? sinceMicros(started),
    values: outcome.values,
    ...(outcome.repeated && { repeated: true }),
  }
}

/** A cut inside a character is moved before it: half of one would make all of the text unreadable. */
function beginningOf(payload: Buffer): Buffer {
  if (payload.length <= mostRefusedContent) return payload
  let end = mostRefusedContent
  // UTF-8: at most three bytes follow the first one of a character, each 10xxxxxx.
  while (end > mostRefusedContent - 3 && ((payload[end] as number) & 0xc0) === 0x80) end--
  return payload.subarray(0, end)
}

/** What was received, as far as it can be shown: text, else hex. */
function shown(payload: Buffer): string {
  const part = beginningOf(payload)
  const text = part.toString('utf8')
  return text.includes('\ufffd') ? jsonText({ hex: part.toString('hex') }) : jsonText(text)
}

export interface Refused {
  packet: UplinkPacket
  known: Identified | undefined
  up: Uplink | undefined
  error: AppError
  kind: JournalKind
}

/** Who sent it is known from the session even when the topic belongs to somebody else. */
export function refusedEntry(refused: Refused, logDays: number, journal: Journal, started: number): JournalEntry {
  const { packet, known, up, error, kind } = refused
  const device = known?.device ?? packet.session.device
  return {
    deviceID: device.deviceID,
    productID: device.productID,
    deviceName: device.deviceName,
    logDays,
    at: packet.receivedAt,
    seq: journal.nextSeq(),
    kind,
    up: true,
    topic: shorten(packet.topic, mostTopic),
    method: (up?.message.method ?? '').slice(0, 64),
    token: up?.token ?? '',
    code: error.code,
    msg: shortText(error.message),
    deviceTime: 0,
    content: shown(packet.payload),
    dataID: '',
    latency: sinceMicros(started),
    values: undefined,
  }
}

/** Anything that is not a refusal of ours is a fault of ours: the device gets the generic code, the log the rest. */
export const asRefusal = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError(errors.system, { cause: error })
