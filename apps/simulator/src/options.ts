/** What a virtual device is and how it behaves. */
import type { Dialect } from '@ithings/contract/device/messages.ts'
import type { Language } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { Curve } from './curves.ts'
import type { Scheduler } from './scheduler.ts'

export interface DeviceName {
  productID: string
  deviceName: string
}

export interface DeviceIdentity extends DeviceName {
  /** Base64, as the platform shows it. */
  secret: string
}

/** Shares are of messages, 0 to 1. */
export interface Faults {
  /** The socket breaks, without goodbye, about this often. */
  dropEveryMs?: number
  /** Signs off and on again in turn. */
  flap?: { upMs: number; downMs: number }
  /** Reports that are no JSON. */
  badJson?: number
  /** Reports with a value of a wrong type. */
  wrongType?: number
  /** Reports with a number beyond its limits. */
  outOfRange?: number
  /** Reports that are sent a second time, as after a lost PUBACK. */
  duplicate?: number
  /** The device's clock is wrong by this much. */
  clockSkewMs?: number
  /** What happens to commands; slow answers after `replyDelayMs`, beyond the platform's 10 s by default. */
  reply?: 'normal' | 'slow' | 'none' | 'error'
  replyDelayMs?: number
  /** Commands that are answered with a failure, and those that are not answered. */
  failedReplies?: number
  silentReplies?: number
  /** The upgrade fails at this step instead of reaching 100. */
  upgradeFailsAt?: number
}

/** How it takes firmware (device-protocol.md 8). */
export interface UpgradeOptions {
  /** Between two steps. */
  stepMs?: number
  /** Fetches the files in pieces and checks their hash; otherwise it only says so. */
  download?: boolean
  /** Where links without a host lead to. */
  http?: string
  /** Share of attempts that fail, 0 to 1: of these target versions, and of all others. */
  failShareOf?: Record<string, number>
  failShare?: number
  /** Signs off for so long before it comes back with the new version; 0: it tells the version at once. */
  restartMs?: number
  /** Signs off so long after it told the new version, as one that does not stand its probation. */
  leaveAfterMs?: number
  /** How long it stays away then; undefined: for good. */
  awayMs?: number
  /** It comes back from there with the version that it had before. */
  rollBack?: boolean
}

export interface SimulateOptions {
  /** The same seed gives the same values; by default the device's name. */
  seed?: string
  intervalMs?: number
  /** On average; 0: no events. */
  eventEveryMs?: number
  curves?: Record<string, Curve>
  dialect?: Dialect
  qos?: 0 | 1
  /** Of what it says about upgrades and commands; Chinese by default. Texts that it measures follow the names of its model. */
  language?: Language
  /** Of the main module, reported to the firmware topics at sign-in; undefined: not reported. */
  version?: string
  /** Versions of further modules by name: wifi, mcu. */
  modules?: Record<string, string>
  upgrade?: UpgradeOptions
  /** Asks for its remote configuration at sign-in and listens for pushes; true by default. */
  remoteConfig?: boolean
  keepaliveSeconds?: number
  /** The broker keeps commands for it while it is away. */
  persistent?: boolean
  /** Pause before the first try to connect again; doubles up to a minute. */
  reconnectMs?: number
  faults?: Faults
  /** The device's clock before its skew. */
  now?: () => number
  scheduler?: Scheduler
  onState?: (state: ConnectionState) => void
  /** Milliseconds from sending to PUBACK. */
  onAck?: (milliseconds: number) => void
}

export interface ConnectionState {
  connected: boolean
  /** Why it is not; '' when it is or was never. */
  reason: string
}

export interface SubDevice {
  device: DeviceIdentity
  model: ThingModel
  options?: Pick<
    SimulateOptions,
    | 'seed'
    | 'intervalMs'
    | 'eventEveryMs'
    | 'curves'
    | 'dialect'
    | 'faults'
    | 'language'
    | 'version'
    | 'modules'
    | 'upgrade'
    | 'remoteConfig'
  >
}

export interface Counts {
  connects: number
  sent: number
  acked: number
  /** Not sent because too many messages wait for their PUBACK. */
  skipped: number
  /** Replies of the platform that say 200, and those that do not. */
  accepted: number
  refused: number
  commands: number
  upgrades: number
  /** Bytes of firmware. */
  downloaded: number
  configs: number
}

export const noCounts = (): Counts => ({
  connects: 0,
  sent: 0,
  acked: 0,
  skipped: 0,
  accepted: 0,
  refused: 0,
  commands: 0,
  upgrades: 0,
  downloaded: 0,
  configs: 0,
})
