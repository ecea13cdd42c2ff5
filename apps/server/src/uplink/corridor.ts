/**
 * THE CORRIDOR: every message of every device walks through here, one step after another
 * (architecture.md "Walk 7: a device message"). Nothing a device sends can stop it: refusals are answered with a
 * catalogue code and leave a line in the hub log; only a message that could not be stored is handed back as an error,
 * so that the device sends it again (decisions.md 4.1).
 */
import { replyMethodOf, successText } from '@ithings/contract/device/messages.ts'
import { journalKindOf } from '#downlink/journal-kind.ts'
import type { UplinkPacket } from '#ports/broker.ts'
import { type JournalEntry, JournalKind, type StoreDoubt } from '#ports/journal.ts'
import type { CorridorKit } from './corridor-kit.ts'
import { checkTime, decode } from './decode.ts'
import { handlerOf } from './dispatch.ts'
import { makeGivenTimes } from './given-times.ts'
import { identify } from './identify.ts'
import { makeLanes } from './lanes.ts'
import { makeLookBack } from './look-back.ts'
import { registerSelf } from './register-self.ts'
import { fingerprint, makeRepeats } from './repeats.ts'
import { reply } from './reply.ts'
import { asRefusal, entryOf, refusedEntry, shortText } from './store.ts'
import { isPassing } from './try-again.ts'
import type { Identified, Outcome, PackedPart, Uplink } from './uplink-message.ts'

/** Days of logs of a sender whose product is not known. */
const defaultLogDays = 7

interface HandedEntry {
  up: Uplink
  entry: JournalEntry
  print: number
  stored: boolean
  /** Why it is not. */
  failure?: unknown
  /** Its values without those that were older than what is known: they neither change nor confirm anything. */
  news?: Record<string, unknown> | undefined
}

/** A message that is on its way to the journal. */
interface Handed {
  up: Uplink | undefined
  outcome: Outcome
  entries: HandedEntry[]
  stored: Promise<unknown>
  code: number
  msg: string
}

export interface Corridor {
  /** Resolves when the message is stored and answered. */
  carry(packet: UplinkPacket): Promise<void>
  readonly lanesBusy: number
}

/** All topics of a device end in its two names. */
const laneOf = (topic: string): string => topic.slice(topic.lastIndexOf('/', topic.lastIndexOf('/') - 1))

function newsOf(values: Record<string, unknown>, late: string[] | undefined): Record<string, unknown> | undefined {
  if (!late) return values
  const news = Object.entries(values).filter(([identifier]) => !late.includes(identifier))
  return news.length > 0 ? Object.fromEntries(news) : undefined
}

const repeatedText = '重复消息，已忽略'

export function makeCorridor(kit: CorridorKit): Corridor {
  const lanes = makeLanes()
  const times = makeGivenTimes()
  const repeats = makeRepeats(kit)
  const lookBack = makeLookBack(kit, repeats)
  const { journal } = kit

  /** What the message is compared with, if it has to be read first. */
  const recall = (up: Uplink): Promise<unknown> | undefined => {
    const messages = repeats.recall(up.device.deviceID, up.packet.session)
    const values = lookBack.values(up)
    return messages && values ? Promise.all([messages, values]) : (messages ?? values)
  }

  /** Steps that know the sender; what they find out stays for the refusal. */
  const take = (packet: UplinkPacket, trail: { known?: Identified; up?: Uplink }) => {
    const read = (known: Identified): Uplink | Promise<Uplink> => {
      trail.known = known
      return decode(known, kit)
    }
    const judge = (up: Uplink): Outcome | Promise<Outcome> => {
      trail.up = up
      checkTime(up)
      const recalled = recall(up)
      return recalled === undefined ? handlerOf(up)(up, kit) : recalled.then(() => handlerOf(up)(up, kit))
    }
    const known = identify(packet, kit)
    if (known instanceof Promise) return known.then(read).then(judge)
    const up = read(known)
    return up instanceof Promise ? up.then(judge) : judge(up)
  }

  /** A repeated delivery is logged and answered like the first one, but adds nothing and triggers nothing. */
  const withoutRepeats = (up: Uplink, outcome: Outcome): { outcome: Outcome; print: number } => {
    if (!outcome.values && !outcome.event) return { outcome, print: 0 }
    const print = fingerprint(up.token, up.deviceTime, outcome.dataID ?? '', outcome.content)
    if (!outcome.repeated && !repeats.isRepeat(up, print)) return { outcome, print }
    kit.count('repeated')
    const { values: _, event: __, ...rest } = outcome
    return { outcome: { ...rest, repeated: true, msg: repeatedText }, print: 0 }
  }

  const hand = (up: Uplink, judged: Outcome, started: number): Handed => {
    const parts = [{ up, outcome: judged }, ...(judged.parts ?? [])]
    const entries = parts.map((part): HandedEntry => {
      const { outcome, print } = withoutRepeats(part.up, part.outcome)
      const at = times.next(part.up.device.deviceID, part.up.packet.receivedAt)
      return {
        up: part.up,
        print,
        entry: entryOf(part.up, outcome, { at, seq: journal.nextSeq() }, started),
        stored: false,
      }
    })
    const [first] = entries
    const stored = entries.length === 1 && first ? journal.append(first.entry) : storeAll(entries)
    return { up, outcome: judged, entries, stored, code: 200, msg: successText }
  }

  /** Children have lanes of their own in the journal: what is stored stays so when another part fails. */
  const storeAll = async (entries: HandedEntry[]): Promise<void> => {
    const append = async (one: HandedEntry) => {
      try {
        await journal.append(one.entry)
        one.stored = true
      } catch (error) {
        one.failure = error
        throw error
      }
    }
    const failed = (await Promise.allSettled(entries.map(append))).find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** What a packed message brings for children is compared with what they said themselves. */
  const recallParts = (parts: PackedPart[]): Promise<unknown> | undefined => {
    const asked = parts.map(({ up }) => recall(up))
    const events = () => lookBack.events(parts)
    return asked.some((one) => one !== undefined) ? Promise.all(asked).then(events) : events()
  }

  const refuse = (
    packet: UplinkPacket,
    trail: { known?: Identified; up?: Uplink },
    cause: unknown,
    started: number,
  ) => {
    const error = asRefusal(cause)
    if (error !== cause) kit.log.error({ err: cause, topic: packet.topic }, 'a device message could not be handled')
    kit.count('refused')
    const { known, up } = trail
    const kind = known ? journalKindOf(known.topic.head, known.topic.type) : JournalKind.publish
    const logDays = known?.product.logDays ?? defaultLogDays
    const entry = refusedEntry({ packet, known, up, error, kind }, logDays, journal, started)
    const method = up && replyMethodOf(up.method)
    const outcome: Outcome = { kind, content: '', ...(method && { reply: { method } }) }
    return { up, outcome, entries: [], stored: journal.append(entry), code: error.code, msg: shortText(error.message) }
  }

  /** Inside the lane: everything up to the hand-over, so that the journal sees a device's messages in their order. */
  const enter = (packet: UplinkPacket, started: number): Handed | Promise<Handed> => {
    const trail: { known?: Identified; up?: Uplink } = {}
    const done = (outcome: Outcome): Handed | Promise<Handed> => {
      const up = trail.up as Uplink
      const recalled = outcome.parts ? recallParts(outcome.parts) : lookBack.event(up, outcome)
      const handOver = () => hand(up, outcome, started)
      return recalled ? recalled.then(handOver) : handOver()
    }
    const failed = (error: unknown) => {
      if (isPassing(error)) throw error
      return refuse(packet, trail, error, started)
    }
    try {
      const outcome = take(packet, trail)
      return outcome instanceof Promise ? outcome.then(done).catch(failed) : done(outcome)
    } catch (error) {
      return failed(error)
    }
  }

  const remember = (one: HandedEntry) => {
    const { deviceID, values, at } = one.entry
    if (values) one.news = newsOf(values, kit.latest.put(deviceID, values, at, one.up.deviceTime))
  }
  const tell = ({ entry, up, news }: HandedEntry) =>
    kit.bus.emit('uplink.stored', { device: up.device, entry, values: news })

  /**
   * The message is handed back, and the device sends it again. What of it is stored, or turns out to be, will be a repeat
   * then and no news: so it counts now. With several servers the device may have gone to another one, which may have
   * taken it for new: then nothing is triggered a second time.
   */
  const giveBack = (one: HandedEntry, error: unknown) => {
    const { print, up } = one
    const { deviceID } = up.device
    if (print === 0) return
    if (one.stored) {
      remember(one)
      tell(one)
      return
    }
    repeats.forget(deviceID, print)
    const { storedAfterAll } = (one.failure ?? error) as Partial<StoreDoubt>
    void storedAfterAll?.then((stored) => {
      if (!repeats.settle(deviceID, print) || !stored) return
      remember(one)
      if (kit.alone) tell(one)
    })
  }

  /** After the commit: memory first, then those who wait, then the device, then whoever listens. */
  const finish = ({ up, outcome, entries, code, msg }: Handed) => {
    for (const one of entries) remember(one)
    outcome.after?.()
    for (const part of outcome.parts ?? []) part.outcome.after?.()
    if (up && outcome.reply) reply(up, outcome.reply, code, msg, kit)
    for (const one of entries) tell(one)
    if (code === 200) kit.count('stored')
  }

  const carry = async (packet: UplinkPacket): Promise<void> => {
    if (packet.session.registering) return registerSelf(packet, kit)
    const started = performance.now()
    let handed: Handed | undefined
    try {
      handed = await lanes.run(laneOf(packet.topic), () => enter(packet, started))
      await handed.stored
    } catch (error) {
      kit.count('failed')
      for (const one of handed?.entries ?? []) giveBack(one, error)
      throw error
    }
    finish(handed)
  }

  return {
    carry,
    get lanesBusy() {
      return lanes.busy
    },
  }
}
