/** Which of two values of a property is the newer one, and how a value is stored. */
import { isDeepStrictEqual } from 'node:util'
import type { LatestValue } from '#ports/latest-values.ts'

/** With what decides whether another value is newer (LatestValues.put). */
export interface Known extends LatestValue {
  at: number
  /** The newest time that was stated so far, at most that of its receipt; 0: none was. */
  stated: number
}

/** decisions.md 4.2: same device, same property and device time. Asked for equal times only. */
const isSame = (known: unknown, value: unknown): boolean =>
  known === value || (typeof value === 'object' && isDeepStrictEqual(known, value))

/** Late, or the same message again, be it after one without a time. */
export const comesLate = (known: Known, value: unknown, claim: number, stated: number): boolean =>
  claim < known.stated || (claim === known.stated && (known.time !== stated || isSame(known.value, value)))

/** The last two are left out where nothing was stated: then the time is that of the receipt. */
export type Stored = [value: unknown, time: number, stated?: number, at?: number]
/** Of devices that another server wrote last: what both know. */
export type MergedRow = { device_id: number; merged: StoredRow['properties'] | null }
export type StoredRow = { device_id: number; properties: Record<string, Stored> }

export const toStored = ({ value, time, stated, at }: Known): Stored =>
  stated === 0 && time === at ? [value, time] : [value, time, stated, at]
export const toKnown = ([value, time, stated = 0, at = time]: Stored): Known => ({ value, time, stated, at })

/** Of what one server holds and what the database has: another server may have written it. */
export function newerOf(held: Known | undefined, stored: Known): Known {
  if (!held) return stored
  // A value that came with a time has the newest one that was stated.
  const isLate = held.stated < stored.stated && Math.min(held.time, held.at) === held.stated
  if (isLate || held.at < stored.at) return stored
  return { ...held, stated: Math.max(held.stated, stored.stated) }
}
