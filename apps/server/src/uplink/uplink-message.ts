/** What walks through the corridor: types get richer step by step, so that no step can be skipped. */
import type { DeviceMethod, Dialect } from '@ithings/contract/device/messages.ts'
import type { DeviceTopic } from '@ithings/contract/device/topics.ts'
import type { CachedDevice } from '#features/devices/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { UplinkPacket } from '#ports/broker.ts'
import type { JournalKind } from '#ports/journal.ts'

/** A packet whose sender is known: the device itself, or one of its gateway's children. */
export interface Identified {
  packet: UplinkPacket
  topic: DeviceTopic
  device: CachedDevice
  product: CachedProduct
}

export interface Envelope {
  method: string
  clientToken?: unknown
  msgToken?: unknown
  timestamp?: unknown
  code?: unknown
  status?: unknown
  msg?: unknown
  params?: unknown
  payload?: unknown
  data?: unknown
  response?: unknown
  identifiers?: unknown
  eventID?: unknown
  actionID?: unknown
  type?: unknown
  sys?: { noAsk?: unknown }
}

/** A packet whose content is a message of the protocol. */
export interface Uplink extends Identified {
  message: Envelope
  method: DeviceMethod
  dialect: Dialect
  token: string
  /** ms; 0 when the message carries none. */
  deviceTime: number
}

export interface Reply {
  method: DeviceMethod
  /** Further members, for example the level of logs. */
  extra?: Record<string, unknown>
  /** Members that are read after the commit, so that what the device said before is in them. */
  later?: () => Promise<Record<string, unknown>>
}

/** What a handler made of a message, before anything is stored. */
export interface Outcome {
  kind: JournalKind
  /** What the hub log shows; JSON text. */
  content: string
  dataID?: string
  /** Property values for latest values and history. */
  values?: Record<string, unknown> | undefined
  /** Adds an event to the history; `content` holds its parameters. */
  event?: boolean
  /** Stored before: nothing is added. */
  repeated?: boolean
  /** Accepted unless said otherwise: a device's own failure in a reply. */
  code?: number
  msg?: string
  /** Since the request that this answers, microseconds. */
  latency?: number
  /** Absent: nothing is sent back. */
  reply?: Reply
  /** A packed message: what it brings for its own device and its children. */
  parts?: PackedPart[]
  /** Runs after the commit, before the reply. */
  after?: () => void
}

export interface PackedPart {
  up: Uplink
  outcome: Outcome
}
