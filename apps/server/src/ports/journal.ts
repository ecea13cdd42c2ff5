/**
 * The journal of device messages (decisions.md 5): one message, one row, one commit. It is the hub log and the hot part
 * of the history; latest values, events and the packed history are derived from it.
 */

/** hub-log actions of http-api.md 4.4, numbered as they are stored. */
export const JournalKind = {
  connected: 1,
  disconnected: 2,
  property: 3,
  event: 4,
  action: 5,
  subscribe: 6,
  publish: 7,
  thing: 8,
  gateway: 9,
  sdkLog: 10,
  ntp: 11,
  ext: 12,
  otaLog: 13,
  config: 14,
  shadow: 15,
  login: 16,
} as const
export type JournalKind = (typeof JournalKind)[keyof typeof JournalKind]

export interface JournalEntry {
  deviceID: number
  productID: string
  deviceName: string
  /** Days of logs of the product: 1, 3, 7 or 15. */
  logDays: number
  /** Receive time, ms; with `seq` it is unique and makes the trace id. */
  at: number
  seq: number
  kind: JournalKind
  up: boolean
  /** The topic as sent. */
  topic: string
  method: string
  /** clientToken or msgToken; '' when absent. */
  token: string
  /** 200 or the catalogue code of the refusal. */
  code: number
  /** The refusal for people, naming the field; '' when accepted. */
  msg: string
  /** Device time, ms; 0 when the message carried none (then the receive time counts). */
  deviceTime: number
  /** JSON text: coerced params of an accepted report or event, else what was received. */
  content: string
  /** Event, action or '' */
  dataID: string
  /** Microseconds from receipt to the hand-over for storing; of a reply: since its request. */
  latency: number
  /**
   * Property values that this message adds to the history, already coerced; undefined when it adds none (refusals,
   * duplicates, other kinds). In memory only: `content` holds the same.
   */
  values: Record<string, unknown> | undefined
  /** The same message was stored before (decisions.md 4.2): an event then shows in the hub log only. */
  repeated?: boolean
}

export interface Sender {
  readonly ended?: true
  readonly unread?: boolean
}

export interface Journal {
  /** A number that no other entry of this server has in the same millisecond. */
  nextSeq(): number
  /**
   * Resolves after the commit that holds the entry (decisions.md 4.1); rejects when it could not be stored in 5 s, as far
   * as is known then: the error may be a StoreDoubt.
   * @param sender sends it again, perhaps to another server, unless it is acknowledged before its connection ends: what
   *   still waits here then is not stored
   */
  append(entry: JournalEntry, sender?: Sender): Promise<void>
  /** Entries that wait for their commit; the corridor holds back new packets beyond a limit. */
  readonly waiting: number
}

/** A message was not stored in the time that it has (decisions.md 4.1). */
export class StoreTimeout extends Error {}

/** The entry was sent to the store and no answer came in time. */
export interface StoreDoubt extends Error {
  /** Whether it was stored all the same; told once the store can be asked, false when it never can. Does not reject. */
  storedAfterAll: Promise<boolean>
}

/** http-api.md 4.4 `tranceID`: where the entry is, as text. */
export const traceIDOf = (entry: { at: number; seq: number }): string =>
  `${entry.at.toString(16).padStart(12, '0')}${entry.seq.toString(16).padStart(10, '0')}`

export function parseTraceID(text: string): { at: number; seq: number } | undefined {
  if (!/^[0-9a-f]{22}$/.test(text)) return undefined
  return { at: Number.parseInt(text.slice(0, 12), 16), seq: Number.parseInt(text.slice(12), 16) }
}
