/** The operations of features that device messages can ask for, given to the corridor. */
import { kept } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import { type CommandsDeps, findRequest, replied, takeDesired } from '#features/commands/door.ts'
import type { DeviceAuth } from '#features/device-auth/door.ts'
import { type Presence, reportInfo, writeSdkLogs } from '#features/devices/door.ts'
import {
  bindChildren,
  describeChildren,
  type GatewayRef,
  ownChildren,
  registerChildren,
  unbindChildren,
} from '#features/gateways/door.ts'
import { isStoredAgain, knowsEvent, makeRecentMessages } from '#features/history/door.ts'
import type { Broker, Session } from '#ports/broker.ts'
import type { CorridorDoors } from '#uplink/corridor-deps.ts'
import { rememberMs } from '#uplink/repeats.ts'
import type { OperationDoors } from './operations.ts'

const unboundText = kept('已从网关解绑')
const downText = kept('网关上报下线')

export interface DoorParts extends Common<'db' | 'clock' | 'signal' | 'bus'> {
  commands: CommandsDeps
  presence: Presence
  auth: DeviceAuth
  operations: OperationDoors
}

/** Nobody speaks for them any more; one with a connection of its own goes on. @returns a function that ends it */
export const followUnbound = (
  { bus, presence, clock }: Pick<DoorParts, 'bus' | 'presence' | 'clock'>,
  broker: Pick<Broker, 'sessionOf'>,
): (() => void) =>
  bus.on('gateway.children', ({ bound, children }) => {
    const left = bound ? [] : children.filter((one) => !broker.sessionOf(one.productID, one.deviceName))
    for (const child of left) presence.offline(child, unboundText, clock.now())
  })

export function makeCorridorDoors(parts: DoorParts): CorridorDoors {
  const { db, clock, commands, presence, auth } = parts

  /** Sub-devices have no connection of their own: their gateway says whether they are there. */
  const setChildren = (online: boolean) => async (gateway: GatewayRef, devices: unknown, session: Session) => {
    const children = await ownChildren(parts, gateway, devices)
    const at = clock.now()
    for (const child of children) {
      if (online) presence.online(child, { clientID: '', ip: session.ip, connectedAt: at })
      else presence.offline(child, downText, at)
    }
    await presence.settled()
    return children.map(({ productID, deviceName }) => ({ productID, deviceName, result: 200 }))
  }

  return {
    takeDesired: (deviceID, identifiers) => takeDesired(commands, deviceID, identifiers),
    replied: (deviceID, reply, elsewhere) => replied(commands, deviceID, reply, elsewhere),
    findRequest: (deviceID, token, kind) => findRequest(commands, deviceID, token, kind),
    async updateInfo({ device, message }) {
      const { version } = await reportInfo(parts, device, message.params)
      // A version told here is the main module's: upgrades under way hear of it, and speak on their own topic only.
      if (version) await parts.operations.reportVersion(device, { version, module: '' })
    },
    registerSelf: (packet, payload) => auth.registerOverMqtt(packet.session, payload),
    gateway: {
      register: (_gateway, devices) => registerChildren(parts, devices),
      bind: (gateway, devices) => bindChildren(parts, gateway, devices),
      unbind: (gateway, devices) => unbindChildren(parts, gateway, devices),
      describeSubDevices: (gateway) => describeChildren(parts, gateway),
      online: setChildren(true),
      offline: setChildren(false),
    },
    writeSdkLogs: ({ device }, lines) => writeSdkLogs(db, device, lines),
    ...parts.operations,
    recentMessages: makeRecentMessages(db, clock, rememberMs),
    isStoredAgain: (entry) => isStoredAgain(db, entry, rememberMs),
    knowsEvent: (deviceID, event) => knowsEvent(db, deviceID, event),
  }
}
