import type { Logger } from 'pino'
import type { PendingReplies, PendingRequest, RequestKind } from '#downlink/pending-replies.ts'
import type { DeviceCache } from '#features/devices/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Broker, Session, UplinkPacket } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef, EventBus } from '#ports/event-bus.ts'
import type { Journal, JournalEntry } from '#ports/journal.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { Outcome, Uplink } from './uplink-message.ts'

export type Handler = (up: Uplink, deps: CorridorDeps) => Outcome | Promise<Outcome>

/** The slower things that a message can ask for; each is a feature's own operation, named in app/. */
export interface CorridorDoors {
  /** device-protocol.md 5: desired values that wait; `delivered` marks them once they are stored. */
  takeDesired(
    deviceID: number,
    identifiers: string[] | undefined,
  ): Promise<{ values: Record<string, unknown>; delivered(): Promise<void> }>
  /** A command was answered: its row in the history of commands is completed. */
  replied(
    deviceID: number,
    reply: { token: string; code: number; msg: string; data: unknown },
    /** Another server sent it and waits. */
    elsewhere: boolean,
  ): void
  /** A command that another server sent and that has no answer yet. */
  findRequest(deviceID: number, token: string, kind: RequestKind): Promise<PendingRequest | undefined>
  updateInfo(up: Uplink): Promise<void>
  registerSelf(packet: UplinkPacket, payload: unknown): Promise<Record<string, unknown>>
  gateway: Record<'register' | 'bind' | 'unbind' | 'describeSubDevices' | 'online' | 'offline', GatewayOperation>
  writeSdkLogs(up: Uplink, lines: Array<{ at: number; logLevel: number; content: string }>): Promise<void>
  /** The newest remote configuration of the device's product as text; undefined when there is none. Asking is getting. */
  readConfig(device: DeviceRef): Promise<string | undefined>
  /** device-protocol.md 8: a version was reported; what `$ota/down/upgrade` answers, undefined: nothing to do. */
  reportVersion(device: DeviceRef, report: VersionReport): Promise<Record<string, unknown> | undefined>
  /** A step of an upgrade; step < 0: it failed. @returns why nothing changed, '' when it counts */
  reportStep(device: DeviceRef, report: UpgradeStep): Promise<string>
  /** What this device sent in the last ten minutes, as the journal knows it, the newest first. */
  recentMessages(deviceID: number): Promise<RecentMessage[]>
  /** Whether what a stored entry says was stored another time too, by another server. */
  isStoredAgain(entry: JournalEntry): Promise<boolean>
  /** Whether this event of this device time is stored already. */
  knowsEvent(deviceID: number, event: { time: number; eventID: string; token: string }): Promise<boolean>
}

/** What a repeated delivery is told by. */
export interface RecentMessage {
  token: string
  deviceTime: number
  dataID: string
  content: string
}

export interface VersionReport {
  version: string
  module: string
}
export interface UpgradeStep {
  /** Of the device's part in a task; undefined: the one that is under way. */
  id: number | undefined
  step: number
  desc: string
  module: string
}

export type GatewayOperation = (
  gateway: { productID: string; deviceName: string; deviceID: number },
  devices: unknown,
  session: Session,
) => Promise<Array<Record<string, unknown>>>

export interface CorridorDeps {
  products: ProductCache
  devices: DeviceCache
  journal: Journal
  latest: LatestValues
  bus: EventBus
  clock: Clock
  broker: Pick<Broker, 'publish'>
  scripts: ScriptRunner
  pending: PendingReplies
  doors: CorridorDoors
  log: Logger
  /** Counters of /metrics. */
  count(result: 'stored' | 'refused' | 'repeated' | 'failed'): void
  startedAt: number
  /** Devices of which it is remembered what they sent lately. */
  memoryDevices: number
  /** No other server stores messages of the same devices. */
  alone: boolean
}
