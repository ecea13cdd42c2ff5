/** Which of the messages that wait for their commit are given up: their devices send them again. */
import type { JournalEntry, Sender } from '#ports/journal.ts'
import { storeTimeoutMs } from './lane-connection.ts'

/** A device whose connection ended may be at another server by then. Most commits take less. */
const goneMs = 250

export interface Waiting {
  entry: JournalEntry
  sender: Sender | undefined
  /** By performance.now(). */
  since: number
  cleaned: boolean
  resolve(): void
  reject(error: Error): void
}

/** While the store was lost, a device that is not read may have gone to another server without anybody here noticing. */
const isElsewhere = (sender: Sender | undefined, afterLoss: boolean): boolean =>
  sender?.ended === true || (afterLoss && sender?.unread === true)

/**
 * What its device sent after a message that waits for too long goes with it: the device sends both again, in their order.
 * To store the later one first would make the earlier one old news. What was not sent to the store when the connection of
 * its device ended goes, too, unless the device is back here: another server may store it meanwhile.
 * @param afterLoss the connection to the store was lost, and there is a new one
 */
export function findGivenUp(
  sent: Waiting[][],
  unsent: Waiting[][],
  now: number,
  afterLoss = false,
): ((one: Waiting) => boolean) | undefined {
  // Each list begins with its oldest: most of the time that is all there is to look at.
  if ([...sent, ...unsent].every(([oldest]) => oldest === undefined || now - oldest.since <= goneMs)) return undefined
  const late = new Set<number>()
  const gone = new Set<number>()
  for (const { since, entry } of [...sent, ...unsent].flat()) if (now - since > storeTimeoutMs) late.add(entry.deviceID)
  for (const { since, sender, entry } of unsent.flat()) {
    if (isElsewhere(sender, afterLoss) && now - since > goneMs) gone.add(entry.deviceID)
  }
  if (late.size + gone.size === 0) return undefined
  for (const { sender, entry } of unsent.flat()) {
    if (sender && !isElsewhere(sender, afterLoss)) gone.delete(entry.deviceID)
  }
  return ({ entry, sender }) => late.has(entry.deviceID) || (isElsewhere(sender, afterLoss) && gone.has(entry.deviceID))
}
