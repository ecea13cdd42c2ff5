/**
 * Devices that are connected to a broker that others run. It says who is there only where it tells of its clients; of
 * the others a message is the sign that they are, and a long silence that they are gone.
 */
import { minuteMs } from '@ithings/contract/durations.ts'
import { kept } from '@ithings/contract/text.ts'
import type { CachedDevice, Presence } from '#features/devices/door.ts'
import type { Session, SessionDevice } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { upstreamClientID } from '#ports/upstream.ts'

/** A device that moved to another server and back is claimed anew, but not with every message. */
const claimAgainMs = minuteMs

interface There {
  session: Session
  heardAt: number
  claimedAt: number
  /** When its broker says that it came; 0: it was only heard, and clocks of two machines are not compared. */
  cameAt: number
  /** Another server has claimed it since. */
  elsewhere: boolean
}

export interface UpstreamDevicesDeps {
  clock: Clock
  presence: Pick<Presence, 'heard' | 'left'>
  /** It is connected to this server itself, which counts more. */
  isDirect(device: DeviceRef): boolean
  silentMs: number
}

const keyOf = ({ productID, deviceName }: { productID: string; deviceName: string }) => `${productID}/${deviceName}`

export class UpstreamDevices {
  readonly #deps: UpstreamDevicesDeps
  readonly #there = new Map<string, There>()

  constructor(deps: UpstreamDevicesDeps) {
    this.#deps = deps
  }

  get size(): number {
    return this.#there.size
  }

  sessionOf(productID: string, deviceName: string): Session | undefined {
    return this.#there.get(`${productID}/${deviceName}`)?.session
  }

  /** It has said something, or its broker says that it is there. */
  heard(device: CachedDevice | SessionDevice, came?: { at: number; ip: string }): Session {
    const { clock, presence, isDirect } = this.#deps
    const { productID, deviceName, deviceID, deviceType } = device
    const now = clock.now()
    const key = keyOf(device)
    const known = this.#there.get(key)
    const same = known?.session.device.deviceID === deviceID && !came ? known : undefined
    if (same) {
      same.heardAt = now
      if (!same.elsewhere || now - same.claimedAt < claimAgainMs) return same.session
      same.elsewhere = false
      same.claimedAt = now
      presence.heard(same.session.device, same.session)
      return same.session
    }
    const session: Session = {
      device: { productID, deviceName, deviceID, deviceType },
      clientID: upstreamClientID,
      ip: came?.ip ?? '',
      connectedAt: came?.at ?? now,
      registering: false,
    }
    if (isDirect(session.device)) return session
    this.#there.set(key, { session, heardAt: now, claimedAt: now, cameAt: came?.at ?? 0, elsewhere: false })
    presence.heard(session.device, session)
    return session
  }

  /** @param wentAt as its broker says: nothing follows from the end of a connection before the newest one */
  left(device: DeviceRef, reason: string, wentAt = Number.POSITIVE_INFINITY): void {
    const key = keyOf(device)
    const known = this.#there.get(key)
    if (!known || known.cameAt > wentAt) return
    this.#there.delete(key)
    const { device: whom, ip, connectedAt } = known.session
    const now = this.#deps.clock.now()
    this.#deps.presence.left(whom, reason, now, { ip, seconds: Math.max(0, Math.round((now - connectedAt) / 1000)) })
  }

  /** Presence says that a newer connection is on another server. */
  claimedElsewhere(device: { productID: string; deviceName: string }): void {
    const known = this.#there.get(keyOf(device))
    if (known) known.elsewhere = true
  }

  /** Without a word: another server hears them from now on, or they are connected to this one itself. */
  forget(which: (key: string) => boolean): void {
    for (const key of this.#there.keys()) if (which(key)) this.#there.delete(key)
  }
  forgetOne(device: { productID: string; deviceName: string }): void {
    this.#there.delete(keyOf(device))
  }

  /** Nothing could be heard for a while: nobody was silent. */
  pardon(): void {
    const now = this.#deps.clock.now()
    for (const one of this.#there.values()) one.heardAt = now
  }

  missSilent(): void {
    const { clock, silentMs } = this.#deps
    const until = clock.now() - silentMs
    const silent = [...this.#there.values()].filter(({ heardAt }) => heardAt < until)
    const why = kept('{minutes} 分钟没有消息', { minutes: Math.round(silentMs / minuteMs) })
    for (const { session } of silent) this.left(session.device, why)
  }
}
