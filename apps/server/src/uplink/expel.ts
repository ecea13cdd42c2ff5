/** Devices that may no longer speak are sent away at once, wherever they are connected (issue: disabled device). */
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import { markOf, validSecrets } from '#db/secrets.ts'
import type { CachedDevice, DeviceCache, Presence } from '#features/devices/door.ts'
import type { Broker, Session } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'

export interface ExpelDeps {
  signal: Signal
  bus: Pick<EventBus, 'on'>
  /** Made before: it hears of a change first and forgets what it knew. */
  devices: DeviceCache
  broker: Pick<Broker, 'kick'>
  presence: Pick<Presence, 'offline'>
  clock: Clock
  log: Logger
}

export interface Expel {
  connected(session: Session): void
  disconnected(session: Session): void
  /** While no notice arrives: asks the database for those that may no longer be here. */
  lookWhileDeaf(): Promise<void>
}

const disabled = 2
const [deletedText, disabledText, secretText] = [kept('设备已删除'), kept('设备已禁用'), kept('设备密钥已更换')]
const shortestWaitMs = 1_000
/** Longer than a timer can wait: then it looks, and waits on. */
const longestWaitMs = 2 ** 31 - 1

const isSigned = (mark: string | undefined, secrets: string[]): boolean =>
  mark === undefined || secrets.some((secret) => markOf(secret) === mark)

function whyNot({ device, signedWith }: Session, known: CachedDevice | undefined, now: number): string | undefined {
  // A device of the same name that was made anew is another one, with another secret.
  if (known?.deviceID !== device.deviceID) return deletedText
  if (known.isEnable === disabled) return disabledText
  return isSigned(signedWith, validSecrets(known.secrets, now)) ? undefined : secretText
}

/** When the secret ends that a session was signed with, if it is no longer the newest one. */
const endOf = ({ signedWith }: Session, { secrets }: CachedDevice): number | undefined =>
  isSigned(signedWith, [secrets.secret]) ? undefined : secrets.old_secret_until

export function expelDevices({ signal, bus, devices, broker, presence, clock, log }: ExpelDeps): Expel {
  const products = new Map<string, Map<string, Session>>()
  const sessionOf = (productID: string, deviceName: string) => products.get(productID)?.get(deviceName)

  const timers = new Map<Session, NodeJS.Timeout>()
  const forgetTimer = (session: Session) => {
    clearTimeout(timers.get(session))
    timers.delete(session)
  }
  const lookAgain = (session: Session, at: number | undefined): void => {
    forgetTimer(session)
    if (at === undefined) return
    const wait = Math.min(Math.max(at - clock.now(), shortestWaitMs), longestWaitMs)
    timers.set(session, setTimeout(() => void check(session), wait).unref())
  }
  /** @returns whether it could be found out */
  const check = async (session: Session): Promise<boolean> => {
    const { productID, deviceName } = session.device
    try {
      const known = await devices.get(productID, deviceName)
      const why = whyNot(session, known, clock.now())
      if (sessionOf(productID, deviceName) !== session) return true
      if (why) await broker.kick(productID, deviceName, why)
      else if (known) lookAgain(session, endOf(session, known))
      return true
    } catch (error) {
      log.warn({ err: error, deviceName }, 'it is not known whether a device may stay')
      return false
    }
  }
  /** A sub-device has no connection of its own that could be ended: whoever disabled it says that it is gone. */
  const silence = async (keys: DeviceKey[]): Promise<void> => {
    const connectThemselves = new Set<string>()
    for (const { productID, deviceName } of keys) {
      if (connectThemselves.has(productID)) continue
      const known = await devices.get(productID, deviceName)
      if (known && known.deviceType !== DeviceType.subDevice) connectThemselves.add(productID)
      else if (known?.isEnable === disabled)
        presence.offline({ productID, deviceName, deviceID: known.deviceID }, disabledText, clock.now())
    }
  }
  /** One after the other: each may be a query. While the database is away nobody can be judged: the next gap asks. */
  const checkAll = async (sessions: Session[]): Promise<void> => {
    for (const session of sessions) if (!(await check(session))) return
  }

  const everybody = () => [...products.values()].flatMap((here) => [...here.values()])

  signal.on('device.changed', ({ productID, deviceName }) => {
    const here = products.get(productID)
    const one = here?.get(deviceName)
    if (deviceName === '') void checkAll([...(here?.values() ?? [])])
    else if (one) void check(one)
  })
  bus.on('device.disabled', ({ devices }) => {
    silence(devices).catch((error) => log.warn({ err: error }, 'disabled sub-devices could not be looked up'))
  })
  signal.onGap(() => {
    if (signal.connected) void checkAll(everybody())
  })

  return {
    connected(session) {
      if (session.registering) return
      const { productID, deviceName } = session.device
      const here = products.get(productID) ?? new Map<string, Session>()
      products.set(productID, here.set(deviceName, session))
      // It may have been disabled between its sign-in and now.
      void check(session)
    },
    disconnected(session) {
      forgetTimer(session)
      const { productID, deviceName } = session.device
      const here = products.get(productID)
      if (here?.get(deviceName) !== session) return
      here.delete(deviceName)
      if (here.size === 0) products.delete(productID)
    },
    async lookWhileDeaf() {
      const sessions = signal.connected ? [] : everybody()
      if (sessions.length === 0) return
      const enabled = await devices.enabledAmong(sessions.map(({ device }) => device.deviceID))
      await checkAll(sessions.filter(({ device }) => !enabled.has(device.deviceID)))
    },
  }
}
