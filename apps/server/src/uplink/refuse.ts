/** A message that is not taken: answered with a code of the catalogue, kept for the hub log; or handed back. */
import { replyMethodOf } from '@ithings/contract/device/messages.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { clipKept } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import { journalKindOf } from '#downlink/journal-kind.ts'
import { isDatabaseAway } from '#ports/database-away.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import type { CorridorContext, Passage } from './passage.ts'

/** Not the message's fault, and over soon: it is handed back, so that the device sends it again (decisions.md 4.1). */
export class TryAgain extends Error {}

/** A database that is away for a moment must not make us acknowledge what nobody stored. */
export const isPassing = (error: unknown): boolean => error instanceof TryAgain || isDatabaseAway(error)

/** Days of logs of a sender whose product is not known. */
const defaultLogDays = 7
/** A refused message is kept for the log only, so its beginning is enough. */
const mostContent = 4_096
const mostText = 256
const mostTopic = 512
const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/** Refusals name what was received; what a device sends as a name can be as long as a message. */
export const shortText = (text: string): string => shorten(text, mostText)

/** For the hub log. */
export const shortKept = (error: AppError): string => clipKept(error.kept(), mostText)

/** A cut inside a character is moved before it: half of one would make all of the text unreadable. */
function beginningOf(payload: Buffer): Buffer {
  if (payload.length <= mostContent) return payload
  let end = mostContent
  // UTF-8: at most three bytes follow the first one of a character, each 10xxxxxx.
  while (end > mostContent - 3 && ((payload[end] as number) & 0xc0) === 0x80) end--
  return payload.subarray(0, end)
}

/** What was received, as far as it can be shown: text, else hex. */
function shown(payload: Buffer): string {
  const part = beginningOf(payload)
  const text = part.toString('utf8')
  return text.includes('\ufffd') ? jsonText({ hex: part.toString('hex') }) : jsonText(text)
}

const kindOf = ({ known }: Pick<Passage, 'known'>): JournalKind =>
  known ? journalKindOf(known.topic.head, known.topic.type) : JournalKind.publish

/** Who sent it is known from the session even when the topic belongs to somebody else. */
export function refusedEntry(
  passage: Pick<Passage, 'packet' | 'known' | 'up' | 'started'>,
  error: AppError,
  seq: number,
): JournalEntry {
  const { packet, known, up } = passage
  const { deviceID, productID, deviceName } = known?.device ?? packet.session.device
  return {
    deviceID,
    productID,
    deviceName,
    logDays: known?.product.logDays ?? defaultLogDays,
    at: packet.receivedAt,
    seq,
    kind: kindOf(passage),
    up: true,
    topic: shorten(packet.topic, mostTopic),
    method: (up?.message.method ?? '').slice(0, 64),
    token: up?.token ?? '',
    code: error.code,
    msg: shortKept(error),
    deviceTime: 0,
    content: shown(packet.payload),
    dataID: '',
    latency: Math.round((performance.now() - passage.started) * 1000),
    values: undefined,
  }
}

/** Anything that is not a refusal of ours is a fault of ours: the device gets the generic code, the log the rest. */
export const asRefusal = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError(errors.system, { cause: error })

/** Instead of the steps that were not taken: the refusal is stored and answered like a message. */
export function refuse(passage: Passage, { journal, count, log }: CorridorContext, cause: unknown): void {
  if (isPassing(cause)) throw cause
  const error = asRefusal(cause)
  const { packet, up } = passage
  if (error !== cause) log.error({ err: cause, topic: packet.topic }, 'a device message could not be handled')
  count('refused')
  const method = up && replyMethodOf(up.method)
  passage.outcome = { kind: kindOf(passage), content: '', ...(method && { reply: { method } }) }
  passage.entries = []
  passage.stored = journal.append(refusedEntry(passage, error, journal.nextSeq()))
  passage.code = error.code
  passage.msg = shortText(error.message)
}
