/**
 * Messages from a broker that others run, on their way to the corridor. That broker asked our hooks who may publish what
 * (http-api.md 4.3), so that the topic says who speaks: the device itself, or the gateway that it is bound to.
 */
import { type DeviceTopic, ownerOf, parseTopic } from '@ithings/contract/device/topics.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import { parseClientID } from '#features/device-auth/door.ts'
import type { CachedDevice, DeviceCache } from '#features/devices/door.ts'
import type { Session, UplinkPacket } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import { partOf, type UpstreamMessage, type UpstreamPassage, upstreamClientID } from '#ports/upstream.ts'
import { makeLogThrottle } from './log-throttle.ts'
import { DeviceOrder } from './passage.ts'
import type { UpstreamDevices } from './upstream-devices.ts'

const disabled = 2
const [deletedText, disabledText, lostText] = [kept('设备已删除'), kept('设备已禁用'), kept('连接断开')]
/** As the broker inside takes them. */
const mostBytes = 256 * 1024
const lineLimits = { everyMs: 10_000, perSecond: 1, burst: 10 }

/** taken: handed to the corridor, which counts what becomes of it. */
export type UpstreamResult = 'taken' | 'topic' | 'unknown' | 'size'

export interface FromUpstreamDeps {
  devices: DeviceCache
  there: UpstreamDevices
  clock: Clock
  log: Pick<Logger, 'warn'>
  carry(packet: UplinkPacket): Promise<void>
  readEvent: ((message: UpstreamMessage, now: number) => UpstreamPassage | undefined) | undefined
  /** All servers together take so many parts of the devices. */
  parts: number
  count(result: UpstreamResult): void
}

const isRegistration = ({ head, type }: DeviceTopic): boolean => head === 'ext' && type === 'register'

export function makeFromUpstream(deps: FromUpstreamDeps) {
  const { devices, there, clock, carry, parts } = deps
  const order = new DeviceOrder()
  const throttle = makeLogThrottle({ clock, ...lineLimits })

  const drop = (why: Exclude<UpstreamResult, 'taken'>, { topic, payload }: UpstreamMessage): undefined => {
    deps.count(why)
    const times = throttle.times('', why)
    if (times === undefined) return
    const about = { topic: topic.slice(0, 256), bytes: payload.length, why, times }
    deps.log.warn(about, 'a message of the upstream MQTT server was dropped')
  }

  /** Somebody who registers has no device yet. */
  const newcomer = ({ productID, deviceName }: DeviceTopic, now: number): Session => ({
    device: { productID, deviceName, deviceID: 0, deviceType: 0 },
    clientID: upstreamClientID,
    ip: '',
    connectedAt: now,
    registering: true,
  })

  /** The corridor refuses what a disabled device says, and it does not count as being there. */
  const sessionOf = (device: CachedDevice): Session => {
    if (device.isEnable === disabled) there.left(device, disabledText)
    else return there.heard(device)
    const { productID, deviceName, deviceID, deviceType } = device
    const who = { productID, deviceName, deviceID, deviceType }
    return { device: who, clientID: upstreamClientID, ip: '', connectedAt: clock.now(), registering: false }
  }

  const speaksFor = (device: CachedDevice | undefined): Session | undefined | Promise<Session | undefined> => {
    if (!device) return undefined
    const { gateway } = device
    if (!gateway) return sessionOf(device)
    const through = devices.get(gateway.productID, gateway.deviceName)
    if (through instanceof Promise) return through.then((known) => sessionOf(known ?? device))
    return sessionOf(through ?? device)
  }
  /** At once when the cache remembers, which is the rule. */
  const findSession = ({ productID, deviceName }: DeviceTopic) => {
    const device = devices.get(productID, deviceName)
    return device instanceof Promise ? device.then(speaksFor) : speaksFor(device)
  }

  async function event({ clientID, online, at, ip, reason }: UpstreamPassage, part: number): Promise<void> {
    const client = parseClientID(clientID)
    if (!client || client.registering || partOf(`${client.productID}/${client.deviceName}`, parts) !== part) return
    const device = await devices.get(client.productID, client.deviceName)
    if (!device || device.isEnable === disabled) return
    if (online) there.heard(device, { at, ip })
    else there.left(device, reason || lostText, at)
  }

  return {
    /** Resolves when it is stored or of no use to anybody. @param part the others are somebody else's */
    async message(message: UpstreamMessage, part: number): Promise<void> {
      const { topic: text, payload, qos, dup } = message
      const now = clock.now()
      if (deps.readEvent && text.startsWith('$SYS/')) {
        const passage = deps.readEvent(message, now)
        return passage && event(passage, part)
      }
      const owner = ownerOf(text)
      if (partOf(owner, parts) !== part) return
      const topic = parseTopic(text)
      if (topic?.way !== 'up') return drop('topic', message)
      if (payload.length > mostBytes) return drop('size', message)
      const found = isRegistration(topic) ? newcomer(topic, now) : order.run(owner, () => findSession(topic))
      const session = found instanceof Promise ? await found : found
      if (!session) return drop('unknown', message)
      deps.count('taken')
      return carry({ session, topic: text, payload, qos, dup, comesAgain: false, receivedAt: now })
    },
    /** A device was changed or deleted. */
    async changed(productID: string, deviceName: string): Promise<void> {
      const session = there.sessionOf(productID, deviceName)
      if (!session) return
      const device = await devices.get(productID, deviceName)
      if (device?.deviceID !== session.device.deviceID) there.left(session.device, deletedText)
      else if (device.isEnable === disabled) there.left(session.device, disabledText)
    },
  }
}
