/**
 * Repeated deliveries (decisions.md 4.2): same content and device time, or, without a device time, same token and
 * content within ten minutes. What the journal knows is asked once a device after a start. Memory reaches back ten
 * minutes: what has a device time and may be older is told apart by it (look-back.ts).
 */
import { minuteMs } from '@ithings/contract/durations.ts'
import type { Session } from '#ports/broker.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import type { Uplink } from './uplink-message.ts'

export const rememberMs = 10 * minuteMs
/** Of one device; the oldest give way. */
const mostPrints = 512
const fewestPrints = 16

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

const emptySeen = (): Seen => ({
  prints: new Float64Array(fewestPrints),
  times: new Uint32Array(fewestPrints),
  next: 0,
  count: 0,
  askedIn: undefined,
  doubt: false,
  unheard: undefined,
  newestEvent: 0,
})

function grow(seen: Seen): void {
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

/** The oldest makes room when it is too old to matter or the ring is as big as it may be; otherwise the ring grows. */
function note(seen: Seen, print: number, seconds: number): void {
  const size = seen.prints.length
  const oldest = seen.times[seen.next] as number
  if (seen.count === size && size < mostPrints && seconds - oldest < rememberMs / 1000) grow(seen)
  seen.prints[seen.next] = print
  seen.times[seen.next] = seconds
  seen.next = (seen.next + 1) % seen.prints.length
  if (seen.count < seen.prints.length) seen.count++
}

/** Newest first, as a repeated delivery follows soon. */
function knows({ prints, times, next, count }: Seen, print: number, since: number): boolean {
  for (let i = next - 1; i >= 0; i--) if (prints[i] === print) return (times[i] as number) >= since
  for (let i = count - 1; i >= next; i--) if (prints[i] === print) return (times[i] as number) >= since
  return false
}

type RepeatsDeps = Pick<CorridorDeps, 'clock' | 'doors' | 'startedAt' | 'alone' | 'memoryDevices'>

export class Repeats {
  readonly #deps: RepeatsDeps
  readonly #devices = new Map<number, Seen>()
  /** No device had to be forgotten. */
  #complete = true

  constructor(deps: RepeatsDeps) {
    this.#deps = deps
  }

  /** Prepares the memory of the device; undefined when it is ready. */
  recall(deviceID: number, session: Session): Promise<void> | undefined {
    const { alone, clock, startedAt } = this.#deps
    const seen = this.#seenOf(deviceID)
    // Between two connections to this server the device may have spoken to another one.
    if (!seen.doubt && (seen.askedIn === session || (seen.askedIn && alone))) return undefined
    // Whoever is alone and started longer ago than the window has seen everything in it.
    if (!seen.doubt && alone && this.#complete && clock.now() - startedAt > rememberMs) {
      seen.askedIn = session
      return undefined
    }
    return this.#ask(deviceID, seen, session)
  }

  /** Checks and notes in one step; call after `recall`. */
  isRepeat({ token, deviceTime, packet, device }: Uplink, print: number): boolean {
    const seen = this.#seenOf(device.deviceID)
    const seconds = this.#secondsAt(packet.receivedAt)
    const since = seconds - rememberMs / 1000
    if (knows(seen, print, since) && (packet.dup || token !== '' || deviceTime !== 0)) return true
    note(seen, print, seconds)
    seen.unheard?.delete(print)
    return false
  }

  /** An event that is not newer than another one of its device, or that MQTT marks as sent again. */
  mayBeOld({ deviceTime, packet, device }: Uplink): boolean {
    if (deviceTime === 0) return false
    const seen = this.#seenOf(device.deviceID)
    const { newestEvent } = seen
    if (deviceTime <= newestEvent) return true
    seen.newestEvent = deviceTime
    return packet.dup || (newestEvent === 0 && packet.receivedAt - deviceTime > rememberMs)
  }

  /** Whether `isRepeat` will say so. */
  remembers({ packet, device }: Uplink, print: number): boolean {
    return knows(this.#seenOf(device.deviceID), print, this.#secondsAt(packet.receivedAt) - rememberMs / 1000)
  }

  /** It could not be stored, as far as is known: the device will send it again. */
  forget(deviceID: number, print: number): void {
    const seen = this.#devices.get(deviceID)
    if (!seen) return
    for (let i = 0; i < seen.count; i++) if (seen.prints[i] === print) seen.prints[i] = 0
    seen.doubt = true
    seen.unheard ??= new Set()
    if (seen.unheard.size < mostPrints) seen.unheard.add(print)
  }

  /** What became of a forgotten one is known. @returns whether it has not been stored anew meanwhile */
  settle(deviceID: number, print: number): boolean {
    return this.#devices.get(deviceID)?.unheard?.delete(print) ?? false
  }

  #seenOf(deviceID: number): Seen {
    const known = this.#devices.get(deviceID)
    if (known) return known
    const seen = emptySeen()
    this.#devices.set(deviceID, seen)
    if (this.#devices.size > this.#deps.memoryDevices) {
      const [oldest] = this.#devices.keys()
      if (oldest !== undefined) this.#devices.delete(oldest)
      this.#complete = false
    }
    return seen
  }

  #secondsAt(time: number): number {
    return Math.max(0, Math.floor((time - this.#deps.startedAt) / 1000))
  }

  async #ask(deviceID: number, seen: Seen, session: Session): Promise<void> {
    const messages = await this.#deps.doors.recentMessages(deviceID)
    const seconds = this.#secondsAt(this.#deps.clock.now())
    // The journal gives the newest first.
    for (const { token, deviceTime, dataID, content } of messages.toReversed()) {
      note(seen, fingerprint(token, deviceTime, dataID, content), seconds)
    }
    seen.askedIn = session
    seen.doubt = false
  }
}
