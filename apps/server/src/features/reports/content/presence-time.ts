/** The arithmetic of availability: pure, over what was written down of one device. */

export interface PresenceChange {
  at: number
  online: boolean
}

export interface Availability {
  /** From when on it was counted, and how long: the base of the share. */
  since: number
  base: number
  online: number
  /** How often it went from online to offline, and its longest time away within the period. */
  outages: number
  longest: number
}

/**
 * @param span [from, to) of what is known: not before the device was there for the first time, not after now
 * @param before what it was at `from`
 * @param changes old to new; those outside of the span do not count
 */
export function availabilityOf(
  { from, to }: { from: number; to: number },
  before: boolean,
  changes: readonly PresenceChange[],
): Availability | undefined {
  if (to <= from) return undefined
  const result: Availability = { since: from, base: to - from, online: 0, outages: 0, longest: 0 }
  let online = before
  let since = from
  const until = (end: number) => {
    if (online) result.online += end - since
    else result.longest = Math.max(result.longest, end - since)
    since = end
  }
  for (const change of changes) {
    // The same said twice is no change: a device may come again before it was missed.
    if (change.at < from || change.at >= to || change.online === online) continue
    until(change.at)
    if (online) result.outages += 1
    online = change.online
  }
  until(to)
  return result
}
