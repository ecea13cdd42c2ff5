/**
 * The time that the platform gives to a message: when it was received, or the next free millisecond of its device. Values
 * without a time of their own are kept under it, and two under one time would be one (decisions.md 5).
 */

/** Devices that are remembered before those whose time has passed are forgotten. */
const many = 10_000

export interface GivenTimes {
  /** In the order of arrival; no two of a device are the same. */
  next(deviceID: number, receivedAt: number): number
}

export function makeGivenTimes(): GivenTimes {
  const last = new Map<number, number>()
  let room = many

  /** A time that has passed can be given to nobody any more. */
  const forgetPast = (now: number) => {
    for (const [deviceID, time] of last) if (time < now) last.delete(deviceID)
    room = Math.max(many, last.size * 2)
  }

  return {
    next(deviceID, receivedAt) {
      const before = last.get(deviceID)
      const time = before !== undefined && before >= receivedAt ? before + 1 : receivedAt
      last.set(deviceID, time)
      if (last.size > room) forgetPast(receivedAt)
      return time
    },
  }
}
