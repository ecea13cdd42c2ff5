/** Reading what was added to the journal since somebody looked last, without a gap and without a repetition. */
import type { JournalKind } from './journal.ts'

export interface TailRow {
  at: number
  seq: number
  deviceID: number
  productID: string
  kind: JournalKind
  /** ms; 0: the message carried none. */
  deviceTime: number
  content: string
  dataID: string
  /** Adds values or an event to the history: neither refused nor repeated. */
  adds: boolean
  logDays: number
  /** Of lines that add nothing. */
  said?: { up: boolean; method: string; token: string; code: number; msg: string } | undefined
}

/**
 * How far somebody has come in a table whose rows name the transaction that wrote them. Times and serial numbers come in
 * another order than commits do, and a row that is committed late must not be passed over; a snapshot of PostgreSQL tells
 * exactly what was committed when it was taken.
 */
export interface Place {
  /** What is visible in this snapshot has been dealt with, but for `since`. */
  seen: string
  /** When it was taken, ms. */
  seenAt: number
  /** Under way: what became visible up to this snapshot, in the order of transaction, time and number. */
  until?: { snapshot: string; at: number }
  after?: [xid: string, at: number, number: number]
  /** Replay: what `seen` has from here on is sent again, in the order of time and number, before anything else. */
  since?: [at: number, number: number]
}

export interface Portion<Row> {
  rows: Row[]
  /** Where to go on when these have been dealt with. */
  next: Place
  /** There may be more at once. */
  more: boolean
}

/** An alarm was raised (again), or somebody or the platform dealt with it. */
export interface AlarmRow {
  at: number
  number: number
  act: 'raised' | 'dealt'
  recordID: number
  alarmID: number
  alarmName: string
  level: number
  /** 0: there is none of this name. */
  deviceID: number
  productID: string
  deviceName: string
  sceneID: number
  sceneName: string
  /** What was seen, or how it was dealt with. */
  text: string
  /** Who dealt with it; '' is the platform. */
  userName: string
}

export interface OperationRow {
  id: number
  /** ms */
  at: number
  userName: string
  name: string
  uri: string
  address: string
  code: number
  msg: string
  req: string
}

export interface Tail {
  /** Everything until now has been seen. @param since ms: what came from then on is still to be read */
  begin(since?: number): Promise<Place>
  /** The number of the newest operation before a moment (ms), or of the newest of all. */
  lastOperation(before?: number): Promise<number>
  journal(place: Place, kinds: readonly JournalKind[], most: number): Promise<Portion<TailRow>>
  /** How many rows are still to come, counted up to so many. */
  countJournal(place: Place, kinds: readonly JournalKind[], most: number): Promise<number>
  countAlarms(place: Place, most: number): Promise<number>
  alarms(place: Place, most: number): Promise<Portion<AlarmRow>>
  /** Numbers of operations follow each other without gaps, in the order of their commits. */
  operations(after: number, most: number): Promise<OperationRow[]>
}
