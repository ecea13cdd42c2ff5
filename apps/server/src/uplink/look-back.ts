/**
 * Redeliveries from before the memory of repeats (decisions.md 4.2: messages with a device time are the same however much
 * later they come). Nothing is asked for a message that is newer than what is known of its device.
 */
import type { CorridorKit } from './corridor-kit.ts'
import { fingerprint, type Repeats, rememberMs } from './repeats.ts'
import type { Outcome, PackedPart, Uplink } from './uplink-message.ts'

/** Devices that bring much of the past at once must not take the database from the others. */
const atOnce = 4

export interface LookBack {
  /** Newest values are what a late message is measured by; undefined: they are known, or it is not late. */
  values(up: Uplink): Promise<void> | undefined
  /** Marks the events that were stored before; undefined: there is none to look for. */
  events(parts: PackedPart[]): Promise<void> | undefined
  /** The same for a message that is not packed. */
  event(up: Uplink, outcome: Outcome): Promise<void> | undefined
}

export function makeLookBack(kit: Pick<CorridorKit, 'doors' | 'latest'>, repeats: Repeats): LookBack {
  let running = 0
  // At most one a device: a lane waits for the message that it is at.
  const waiting: Array<() => void> = []

  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  const isSuspect = (up: Uplink, { event, dataID = '', content }: Outcome): boolean =>
    event === true &&
    repeats.mayBeOld(up) &&
    !repeats.remembers(up, fingerprint(up.token, up.deviceTime, dataID, content))

  const mark = async (suspects: PackedPart[]): Promise<void> => {
    for (const { up, outcome } of suspects) {
      const { device, deviceTime, token } = up
      const event = { time: deviceTime, eventID: outcome.dataID ?? '', token }
      if (await kit.doors.knowsEvent(device.deviceID, event)) outcome.repeated = true
    }
  }

  const events = (parts: PackedPart[]) => {
    const suspects = parts.filter(({ up, outcome }) => isSuspect(up, outcome))
    return suspects.length > 0 ? inTurn(() => mark(suspects)) : undefined
  }

  return {
    values({ device, deviceTime, packet }) {
      if (deviceTime === 0) return undefined
      if (!packet.dup && packet.receivedAt - deviceTime <= rememberMs) return undefined
      const { deviceID } = device
      if (kit.latest.peek(deviceID) !== undefined) return undefined
      return inTurn(async () => void (await kit.latest.read(deviceID)))
    },
    events,
    event: (up, outcome) => (isSuspect(up, outcome) ? inTurn(() => mark([{ up, outcome }])) : undefined),
  }
}
