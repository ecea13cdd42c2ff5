/** What follows the commit of a message, or its failure. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalEntry, StoreDoubt } from '#ports/journal.ts'
import type { CorridorContext, HandedEntry, Passage } from './passage.ts'

function newsOf(values: Record<string, unknown>, late: string[] | undefined): Record<string, unknown> | undefined {
  if (!late) return values
  const news = Object.entries(values).filter(([identifier]) => !late.includes(identifier))
  return news.length > 0 ? Object.fromEntries(news) : undefined
}

function rememberOne(one: HandedEntry, { latest }: CorridorContext): void {
  const { deviceID, values, at } = one.entry
  if (values) one.news = newsOf(values, latest.put(deviceID, values, at, one.up.deviceTime))
}

const tellOne = ({ entry, up, news }: HandedEntry, { bus }: CorridorContext): void =>
  bus.emit('uplink.stored', { device: up.device, entry, values: news })

/** The newest values. */
export function remember({ entries }: Passage, corridor: CorridorContext): void {
  for (const one of entries) rememberOne(one, corridor)
}

/** What the handlers asked for: whoever waits for a reply goes on. */
export function runAfter({ outcome }: Passage): void {
  outcome?.after?.()
  for (const part of outcome?.parts ?? []) part.outcome.after?.()
}

/** Screens and scenes. */
export function tell({ entries, code }: Passage, corridor: CorridorContext): void {
  for (const one of entries) tellOne(one, corridor)
  if (code === 200) corridor.count('stored')
}

/**
 * The message is handed back, and the device sends it again. What of it is stored, or turns out to be, will be a repeat
 * then and no news: so it counts now. With several servers the device may have gone to another one, which may have
 * taken it for new before this one was seen: then it triggers there and nothing here.
 */
export function giveBack({ entries, packet }: Passage, corridor: CorridorContext, error: unknown): void {
  if (packet.comesAgain) packet.session.handedBack = true
  corridor.count('failed')
  for (const one of entries) giveBackOne(one, corridor, error)
}

function giveBackOne(one: HandedEntry, corridor: CorridorContext, error: unknown): void {
  const { print, up } = one
  const { repeats } = corridor
  const { deviceID } = up.device
  if (print === 0) return
  if (one.stored) {
    rememberOne(one, corridor)
    tellOne(one, corridor)
    return
  }
  repeats.forget(deviceID, print)
  const { storedAfterAll } = (one.failure ?? error) as Partial<StoreDoubt>
  void storedAfterAll?.then(async (stored) => {
    if (!repeats.settle(deviceID, print) || !stored) return
    rememberOne(one, corridor)
    if (corridor.alone || (await isThereOnce(one.entry, corridor))) tellOne(one, corridor)
  })
}

/** A database that was promoted or moved is there again by then. */
const askAgainMs = 1_000
const mostAsked = 60

/** Who cannot find out takes it for stored twice: a scene that runs twice is worse than one that does not. */
async function isThereOnce(entry: JournalEntry, { doors, log }: CorridorContext): Promise<boolean> {
  for (let asked = 1; ; asked++) {
    try {
      return !(await doors.isStoredAgain(entry))
    } catch (error) {
      if (asked === mostAsked) {
        log.error({ err: error, deviceID: entry.deviceID }, 'whether a message counts could not be found out')
        return false
      }
      await sleep(askAgainMs, undefined, { ref: false })
    }
  }
}
