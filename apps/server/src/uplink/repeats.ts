/**
 * Repeated deliveries (decisions.md 4.2): same content and device time, or, without a device time, same token and
 * content within ten minutes. What the journal knows is asked once a device after a start. Memory reaches back ten
 * minutes: what has a device time and may be older is told apart by it (look-back.ts).
 */
import type { Session } from '#ports/broker.ts'
import type { CorridorKit } from './corridor-kit.ts'
import type { Uplink } from './uplink-message.ts'

export const rememberMs = 10 * 60_000
/** Of one device; the oldest give way. */
const mostPrints = 512
const fewestPrints = 16
const mostDevices = 100_000

/** FNV-1a over code units in two halves, as one number: texts would cost a hundred bytes a message. */
function digest(text: string): number {
  let a = 0x811c9dc5
  let b = 0x01000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b) ^ (b >>> 13)
  }
  return (a >>> 0) * 0x200000 + ((b >>> 0) & 0x1fffff)
}

/**
 * A message without token and device time can be told from an intended second one only by MQTT's own mark. Events of one
 * moment differ by their token, values of one moment do not.
 */
export function fingerprint(token: string, deviceTime: number, dataID: string, content: string): number {
  const moment = deviceTime === 0 ? token : dataID === '' ? deviceTime : `${deviceTime}|${token}`
  return digest(`${moment}|${dataID}|${content}`)
}

/** Fingerprints and when they were noted, in a ring that grows: sets of numbers would cost seven times the room. */
interface Seen {
  prints: Float64Array
  /** Seconds since the start of the server. */
  times: Uint32Array
  /** Where the next one goes; all of the ring is in use once it has come around. */
  next: number
  count: number
  /** The connection in which the journal was asked. */
  askedIn: Session | undefined
  /** Something was refused by the store and may have been stored all the same: the journal is asked again. */
  doubt: boolean
  /** What that was: if it was stored, nobody has heard of it. */
  unheard: Set<number> | undefined
  /** Device time of its newest event. */
  newestEvent: number
}

export interface Repeats {
  /** Prepares the memory of the device; undefined when it is ready. */
  recall(deviceID: number, session: Session): Promise<void> | undefined
  /** Checks and notes in one step; call after `recall`. */
  isRepeat(up: Uplink, print: number): boolean
  /** An event that is not newer than another one of its device, or that MQTT marks as sent again. */
  mayBeOld(up: Uplink): boolean
  /** Whether `isRepeat` will say so. */
  remembers(up: Uplink, print: number): boolean
  /** It could not be stored, as far as is known: the device will send it again. */
  forget(deviceID: number, print: number): void
  /** What became of a forgotten one is known. @returns whether it has not been stored anew meanwhile */
  settle(deviceID: number, print: number): boolean
}

export function makeRepeats(kit: Pick<CorridorKit, 'clock' | 'doors' | 'startedAt' | 'alone'>): Repeats {
  const devices = new Map<number, Seen>()
  let complete = true

  const seenOf = (deviceID: number): Seen => {
    let seen = devices.get(deviceID)
    if (seen) return seen
    seen = {
      prints: new Float64Array(fewestPrints),
      times: new Uint32Array(fewestPrints),
      next: 0,
      count: 0,
      askedIn: undefined,
      doubt: false,
      unheard: undefined,
      newestEvent: 0,
    }
    devices.set(deviceID, seen)
    if (devices.size > mostDevices) {
      const [oldest] = devices.keys()
      if (oldest !== undefined) devices.delete(oldest)
      complete = false
    }
    return seen
  }

  const secondsAt = (time: number): number => Math.max(0, Math.floor((time - kit.startedAt) / 1000))

  /** The oldest makes room when it is too old to matter or the ring is as big as it may be; otherwise the ring grows. */
  const note = (seen: Seen, print: number, seconds: number) => {
    const size = seen.prints.length
    const oldest = seen.times[seen.next] as number
    if (seen.count === size && size < mostPrints && seconds - oldest < rememberMs / 1000) grow(seen)
    seen.prints[seen.next] = print
    seen.times[seen.next] = seconds
    seen.next = (seen.next + 1) % seen.prints.length
    if (seen.count < seen.prints.length) seen.count++
  }

  const grow = (seen: Seen) => {
    const { prints, times, next } = seen
    const bigger = Math.min(prints.length * 4, mostPrints)
    seen.prints = new Float64Array(bigger)
    seen.times = new Uint32Array(bigger)
    seen.prints.set(prints.subarray(next))
    seen.prints.set(prints.subarray(0, next), prints.length - next)
    seen.times.set(times.subarray(next))
    seen.times.set(times.subarray(0, next), times.length - next)
    seen.next = prints.length
  }

  /** Newest first, as a repeated delivery follows soon. */
  const knows = ({ prints, times, next, count }: Seen, print: number, since: number): boolean => {
    for (let i = next - 1; i >= 0; i--) if (prints[i] === print) return (times[i] as number) >= since
    for (let i = count - 1; i >= next; i--) if (prints[i] === print) return (times[i] as number) >= since
    return false
  }

  return {
    recall(deviceID, session) {
      const seen = seenOf(deviceID)
      // Between two connections to this server the device may have spoken to another one.
      if (!seen.doubt && (seen.askedIn === session || (seen.askedIn && kit.alone))) return undefined
      // Whoever is alone and started longer ago than the window has seen everything in it.
      if (!seen.doubt && kit.alone && complete && kit.clock.now() - kit.startedAt > rememberMs) {
        seen.askedIn = session
        return undefined
      }
      return kit.doors.recentMessages(deviceID).then((prints) => {
        // The journal gives the newest first.
        for (const print of prints.toReversed()) note(seen, print, secondsAt(kit.clock.now()))
        seen.askedIn = session
        seen.doubt = false
      })
    },
    isRepeat(up, print) {
      const { token, deviceTime, packet, device } = up
      const seen = seenOf(device.deviceID)
      const seconds = secondsAt(packet.receivedAt)
      const since = seconds - rememberMs / 1000
      if (knows(seen, print, since) && (packet.dup || token !== '' || deviceTime !== 0)) return true
      note(seen, print, seconds)
      seen.unheard?.delete(print)
      return false
    },
    mayBeOld({ deviceTime, packet, device }) {
      if (deviceTime === 0) return false
      const seen = seenOf(device.deviceID)
      const { newestEvent } = seen
      if (deviceTime <= newestEvent) return true
      seen.newestEvent = deviceTime
      return packet.dup || (newestEvent === 0 && packet.receivedAt - deviceTime > rememberMs)
    },
    remembers({ packet, device }, print) {
      return knows(seenOf(device.deviceID), print, secondsAt(packet.receivedAt) - rememberMs / 1000)
    },
    forget(deviceID, print) {
      const seen = devices.get(deviceID)
      if (!seen) return
      for (let i = 0; i < seen.count; i++) if (seen.prints[i] === print) seen.prints[i] = 0
      seen.doubt = true
      seen.unheard ??= new Set()
      if (seen.unheard.size < mostPrints) seen.unheard.add(print)
    },
    settle(deviceID, print) {
      return devices.get(deviceID)?.unheard?.delete(print) ?? false
    },
  }
}
