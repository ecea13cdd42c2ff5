/**
 * Repeated deliveries (decisions.md 4.2): same content and device time, or, without a device time, same token and
 * content within ten minutes. What the journal knows is asked once a device after a start.
 */
import type { Session } from '#ports/broker.ts'
import type { CorridorKit } from './corridor-kit.ts'
import type { Uplink } from './uplink-message.ts'

export const rememberMs = 10 * 60_000
const mostPerGeneration = 256
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

interface Seen {
  young: Set<number>
  old: Set<number>
  turnedAt: number
  /** The connection in which the journal was asked. */
  askedIn: Session | undefined
  /** Something was refused by the store and may have been stored all the same: the journal is asked again. */
  doubt: boolean
}

export interface Repeats {
  /** Prepares the memory of the device; undefined when it is ready. */
  recall(deviceID: number, session: Session): Promise<void> | undefined
  /** Checks and notes in one step; call after `recall`. */
  isRepeat(up: Uplink, print: number): boolean
  /** It could not be stored, as far as is known: the device will send it again. */
  forget(deviceID: number, print: number): void
}

export function makeRepeats(kit: Pick<CorridorKit, 'clock' | 'doors' | 'startedAt' | 'alone'>): Repeats {
  const devices = new Map<number, Seen>()
  let complete = true

  const seenOf = (deviceID: number): Seen => {
    let seen = devices.get(deviceID)
    if (seen) return seen
    seen = { young: new Set(), old: new Set(), turnedAt: kit.clock.now(), askedIn: undefined, doubt: false }
    devices.set(deviceID, seen)
    if (devices.size > mostDevices) {
      const [oldest] = devices.keys()
      if (oldest !== undefined) devices.delete(oldest)
      complete = false
    }
    return seen
  }

  const turn = (seen: Seen, now: number) => {
    if (seen.young.size < mostPerGeneration && now - seen.turnedAt < rememberMs) return
    seen.old = seen.young
    seen.young = new Set()
    seen.turnedAt = now
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
        for (const print of prints) seen.old.add(print)
        seen.askedIn = session
        seen.doubt = false
      })
    },
    isRepeat(up, print) {
      const { token, deviceTime, packet, device } = up
      const seen = seenOf(device.deviceID)
      turn(seen, packet.receivedAt)
      const known = seen.young.has(print) || seen.old.has(print)
      if (known && (packet.dup || token !== '' || deviceTime !== 0)) return true
      seen.young.add(print)
      return false
    },
    forget(deviceID, print) {
      const seen = devices.get(deviceID)
      if (!seen) return
      seen.young.delete(print)
      seen.old.delete(print)
      seen.doubt = true
    },
  }
}
