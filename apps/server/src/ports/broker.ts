/** MQTT as the platform sees it: who may come in, what devices say, and a way to speak to them. */

/** A device that has signed in, or is about to register itself (device-protocol.md 3: MQTT variant). */
export interface SessionDevice {
  productID: string
  deviceName: string
  /** 0 while it registers itself. */
  deviceID: number
  deviceType: number
}

export interface Session {
  readonly device: SessionDevice
  readonly clientID: string
  readonly ip: string
  readonly connectedAt: number
  /** Client id `register&…`: may use the two registration topics only. */
  readonly registering: boolean
  /** Mark of the secret that it proved to know. */
  readonly signedWith?: string | undefined
  /** When the password that it sent stops to be good for another sign-in, ms. */
  readonly expiresAt?: number | undefined
  /** Higher than that of every earlier connection of the device, on whatever server; none if there is one server. */
  readonly epoch?: number | undefined
  /** Its connection is over. */
  ended?: true
  /** What it sends is not read for now, so nobody would notice that its connection is over. */
  unread?: boolean
  /** One of its messages was handed back, which ends its connection: what it has sent since comes again behind that one. */
  handedBack?: true
}

/** Who listens, connected or not. */
export type Listener = Pick<Session, 'device' | 'registering'>

/** Whoever knocks; the client id is '' until it is known. */
export interface Caller {
  ip: string
  clientID: string
}

export interface UplinkPacket {
  session: Session
  topic: string
  payload: Buffer
  qos: 0 | 1 | 2
  /** The device sends it again. */
  dup: boolean
  /** It is sent again unless it is acknowledged: neither a will nor a message that asks for no acknowledgement. */
  comesAgain: boolean
  /** Milliseconds. */
  receivedAt: number
}

export interface LoginAttempt extends Caller {
  userName: string
  password: string
}

export interface LoginRefusal {
  ok: false
  returnCode: 4 | 5
  code: number
  msg: string
  /** That it says it is, when there is such a device. */
  device?: SessionDevice | undefined
}

/** decisions.md 2 "Refusals on MQTT": 4 unknown or bad password, 5 expired or disabled. */
export type LoginAnswer =
  | ({ ok: true } & Pick<Session, 'device' | 'registering' | 'signedWith' | 'expiresAt' | 'epoch'>)
  | LoginRefusal

/** What the broker refuses by itself; each has a counter in /metrics and a line in the hub log, or, of nobody known, in the server's. */
export type BrokerLimit = 'packetSize' | 'connections' | 'connectRate' | 'inflight' | 'messageRate' | 'storeTimeout'

export interface BrokerHooks {
  login(attempt: LoginAttempt): Promise<LoginAnswer>
  /** Told of every one; who writes it down does so now and then. */
  refused(caller: Caller, refusal: LoginRefusal): void
  /**
   * At once when what decides is remembered, which is the rule. Asked for filters, and for each message on a topic of
   * another device: a child may have left its gateway since.
   */
  maySubscribe(who: Listener, topic: string): boolean | Promise<boolean>
  /**
   * The PUBACK follows when it resolves. It rejects only when the message could not be stored: then the connection is
   * dropped without PUBACK and the device sends again (decisions.md 4.1).
   */
  message(packet: UplinkPacket): Promise<void>
  connected(session: Session): void
  /** Called once a session; `takenOver`: the same device is connected again already. */
  disconnected(session: Session, reason: string, takenOver: boolean): void
  subscribed(session: Session, topic: string, allowed: boolean): void
  limited(limit: BrokerLimit, who: Session | undefined, detail: string, caller: Caller): void
}

export interface Broker {
  /**
   * QoS 1, never retained. Resolves when the broker has taken it. Without anybody connected here that it is for, it is
   * queued for stored sessions (ports/session-store.ts).
   * @param asker who is answered; while it is connected nobody else is looked for
   */
  publish(topic: string, payload: string | Uint8Array, asker?: Session): Promise<void>
  /** The session of the device on this server, if it has one. */
  sessionOf(productID: string, deviceName: string): Session | undefined
  /** Ends the device's connection, for example because it was disabled or deleted. */
  kick(productID: string, deviceName: string, reason: string): Promise<void>
  readonly connections: number
}
