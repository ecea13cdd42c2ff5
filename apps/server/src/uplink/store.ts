/** From an outcome to the journal: one message, one row, one commit (decisions.md 5). */
import { kept } from '@ithings/contract/text.ts'
import { type JournalEntry, StoreTimeout } from '#ports/journal.ts'
import { type CorridorContext, type HandedEntry, type Passage, upOf } from './passage.ts'
import { fingerprint } from './repeats.ts'
import type { Outcome, Uplink } from './uplink-message.ts'

/** As long as the journal itself tries. */
const longestMs = 5_000
const repeatedText = kept('重复消息，已忽略')

function entryOf(up: Uplink, outcome: Outcome, at: number, seq: number, started: number): JournalEntry {
  const { device, product, packet } = up
  return {
    deviceID: device.deviceID,
    productID: device.productID,
    deviceName: device.deviceName,
    logDays: product.logDays,
    at,
    seq,
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
    latency: outcome.latency ?? Math.round((performance.now() - started) * 1000),
    values: outcome.values,
    ...(outcome.repeated && { repeated: true }),
  }
}

/** A repeated delivery is logged and answered like the first one, but adds nothing and triggers nothing. */
function withoutContent(outcome: Outcome): Outcome {
  const { values: _, event: __, ...rest } = outcome
  return { ...rest, repeated: true, msg: repeatedText }
}

function toEntry(up: Uplink, outcome: Outcome, started: number, corridor: CorridorContext): HandedEntry {
  const { repeats, times, journal } = corridor
  let print = 0
  let kept = outcome
  if (outcome.values || outcome.event) {
    print = fingerprint(up.token, up.deviceTime, outcome.dataID ?? '', outcome.content)
    if (outcome.repeated || repeats.isRepeat(up, print)) {
      corridor.count('repeated')
      kept = withoutContent(outcome)
      print = 0
    }
  }
  const at = times.next(up.device.deviceID, up.packet.receivedAt)
  return { up, print, entry: entryOf(up, kept, at, journal.nextSeq(), started), stored: false }
}

/** With one server only it comes again here, and is known then. */
const senderOf = ({ packet }: Passage, { alone }: CorridorContext) =>
  packet.comesAgain && !alone ? packet.session : undefined

/** Children have lanes of their own in the journal: what is stored stays so when another part fails. */
async function storeAll(passage: Passage, corridor: CorridorContext): Promise<void> {
  const { entries } = passage
  const append = async (one: HandedEntry) => {
    try {
      await corridor.journal.append(one.entry, senderOf(passage, corridor))
      one.stored = true
    } catch (error) {
      one.failure = error
      throw error
    }
  }
  const failed = (await Promise.allSettled(entries.map(append))).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Who stood still on the way must not store what the device has sent again to another server. */
const isLate = ({ started }: Passage): boolean => performance.now() - started > longestMs

/** Stored before a message that comes again, it would make that one old news. */
const isBehindAnother = ({ packet }: Passage): boolean => packet.comesAgain && packet.session.handedBack === true

/** The last step in the order of the device; the commit itself is waited for beside those of its next messages. */
export function handOver(passage: Passage, corridor: CorridorContext): undefined {
  const { outcome, started, packet } = passage
  if (!outcome) throw new Error('a message without an outcome cannot be stored')
  const first = toEntry(upOf(passage), outcome, started, corridor)
  const parts = outcome.parts?.map((part) => toEntry(part.up, part.outcome, started, corridor))
  passage.entries = parts ? [first, ...parts] : [first]
  if (isLate(passage) || isBehindAnother(passage)) {
    if (packet.comesAgain) packet.session.handedBack = true
    passage.stored = Promise.reject(new StoreTimeout('received too long ago'))
  } else if (parts) passage.stored = storeAll(passage, corridor)
  else passage.stored = corridor.journal.append(first.entry, senderOf(passage, corridor))
}
