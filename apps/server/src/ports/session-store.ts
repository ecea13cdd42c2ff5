/**
 * What outlives a connection (MQTT 3.1.1, 4.1) of a device that asked for it: its filters, and the QoS 1 messages that it
 * has not acknowledged. Whatever server it comes back to finds both.
 */

/** A connection of a device. Of two, on whatever servers, the one with the higher number has the session. */
export interface SessionHolder {
  deviceID: number
  epoch: number
}

export interface Opening {
  deviceID: number
  /** As sign-in gave it (`Session` of ports/broker.ts); without one, this is the newest connection. */
  epoch: number | undefined
  /** What was stored ends. */
  clean: boolean
}

export interface StoredFilter {
  topic: string
  qos: number
}

/** A stored session, connected or not, that has a filter of QoS 1 or more. */
export interface StoredListener {
  deviceID: number
  productID: string
  deviceName: string
  filter: string
}

export interface WaitingMessage {
  id: number
  topic: string
  payload: Buffer
  /** It was sent before and not acknowledged. */
  dup: boolean
}

/** In their order. */
export interface TakenMessages {
  messages: WaitingMessage[]
  more: boolean
}

export interface OpenedSession {
  holder: SessionHolder
  filters: StoredFilter[]
  /** There are messages to be taken. */
  waits: boolean
}

export interface SessionStore {
  /**
   * Before CONNACK: from here on the session is this connection's; undefined of a clean one, which has none.
   * Rejects when the device has a newer connection on another server, and while nothing can be stored.
   */
  open(opening: Opening): Promise<OpenedSession | undefined>
  subscribe(holder: SessionHolder, filters: StoredFilter[]): Promise<void>
  unsubscribe(holder: SessionHolder, filters: string[]): Promise<void>
  /**
   * A message that is sent next, unless it waits elsewhere: for a newer connection of the device.
   * @returns its number; undefined: there is no such session any more, so it is not stored
   */
  keep(holder: SessionHolder, topic: string, payload: Buffer): Promise<number | 'elsewhere' | undefined>
  /** A message that waits until the device takes it; when it is connected somewhere, that is at once. */
  queue(deviceID: number, topic: string, payload: Buffer): Promise<void>
  /** Some of those behind the given one, sent before or not. They count as sent from here on. */
  take(holder: SessionHolder, after: number): Promise<TakenMessages>
  /** Some of those that were never sent. */
  takeUnsent(holder: SessionHolder): Promise<TakenMessages>
  acknowledged(deviceID: number, id: number): void
  /** The connection has ended. */
  left(holder: SessionHolder): void
  /** Who listens to topics of this `product/device`. */
  listenersOf(owner: string): Promise<StoredListener[]>
  /** Calls when messages wait for a device that is connected to this server. */
  onQueued(listener: (deviceID: number) => void): void
  count(): Promise<{ sessions: number; queued: number }>
}
