/**
 * What a feature tells the machinery about its runs (architecture.md "One thing to many devices"). A run sends one
 * thing to many devices at a pace; the machinery knows when and to whom, the kind knows what is sent and what an end
 * means.
 */
import type { Db } from '#db/schema.ts'

export type RolloutKindName = 'task' | 'ota' | 'config'

/** States of rows that the machinery works with; `status` beside it is the feature's own number. */
export const RowState = { waiting: 1, sent: 2, success: 3, failed: 4, cancelled: 5 } as const
export type RowState = (typeof RowState)[keyof typeof RowState]
/** Paused: by a person or because a kind halted it; `reason` says why. Preparing: its devices are still being listed. */
export const RunState = { waiting: 1, running: 2, done: 3, cancelled: 4, paused: 5, preparing: 6 } as const
export type RunState = (typeof RunState)[keyof typeof RunState]

export interface RolloutRun {
  runID: number
  kind: RolloutKindName
  ownerID: number
  productID: string
  /** Of live notices: task/1, ota/<uid>, config/<productID>. */
  topic: string
  trigger: string
  state: RunState
  reason: string
  perMinute: number
  /** Positions up to this one (counted from 1) may be sent; undefined: all. */
  limitTo: number | undefined
  retries: number
  retryMs: number
  total: number
  userName: string
  /** ms; 0: not yet, no end. */
  startAt: number
  endAt: number
  startedAt: number
  /** Somebody asked for another try after it was over; 0: nobody. */
  reopenedAt: number
}

export interface RolloutRow {
  id: number
  runID: number
  deviceID: number
  productID: string
  deviceName: string
  position: number
  state: RowState
  status: number
  /** How often it was sent, the present try included. */
  attempts: number
  /** How many of these attempts were made before a person asked for another round: retries are counted from there. */
  triedBefore: number
  /** Made anew for each try, before it is sent: send with it, so that no answer can come too early. */
  clientToken: string
  /** What the feature keeps with the row: source version, step, probation. */
  detail: Record<string, unknown>
  sentAt: number
}

export type SendOutcome =
  /** It is out; without an end within the time it failed (msg 超时). */
  | { result: 'sent'; timeoutMs: number; status?: number; msg?: string; detail?: Record<string, unknown> }
  /** Over at once: desired value written, version already there. */
  | { result: 'done'; status?: number; code?: number; msg?: string; detail?: Record<string, unknown> }
  /** Tried again as the run says, unless final. */
  | { result: 'failed'; status?: number; code: number; msg: string; final?: boolean }
  /** Not for this device, which is no failure: it ends as cancelled, without another try. */
  | { result: 'dropped'; code: number; msg: string }
  /** The device is not there: waits until it connects; does not count for the pace. */
  | { result: 'offline'; msg?: string }

export interface RunCounts {
  byState: Record<RowState, number>
  byStatus: Record<number, number>
}

/** What a kind decides before more is sent, while the run is locked. */
export interface Review {
  limitTo?: number
  /** Pauses the run with this reason. */
  halt?: string
}

export interface RolloutKind {
  kind: RolloutKindName
  /** The feature's numbers of the states (101 ... 701; 1 ... 4). */
  statuses: Record<'waiting' | 'sent' | 'success' | 'failed' | 'cancelled', number>
  /** Throws: failed with the error's code and text, tried again as the run says. */
  send(run: RolloutRun, row: RolloutRow): Promise<SendOutcome>
  /**
   * A server died between taking the row and saying that it was sent. again: sending twice does no harm; sent: wait
   * for the device with this time-out; failed: nobody knows, people decide.
   */
  lost(row: RolloutRow): { then: 'again' } | { then: 'sent'; timeoutMs: number } | { then: 'failed'; msg: string }
  /** A device that was deleted is dropped; else it failed. */
  dropsGone?: boolean
  /**
   * Stages and thresholds; called with the run locked, before rows are taken, when counts moved or a second passed. Of a
   * run that was reopened, devices that ended before are not counted: a person wants it in spite of them.
   */
  review?(tx: Db, run: RolloutRun, counts: RunCounts): Promise<Review>
  /**
   * Once for each end, in its transaction; `run.state` says which: done (no row is waiting or sent), cancelled, or paused
   * when a review halted it. A run that is resumed or retried may end again.
   */
  ended?(tx: Db, run: RolloutRun, counts: RunCounts): Promise<void>
  /** A run that was over runs again, because somebody asked for another try; in that transaction. */
  reopened?(tx: Db, run: RolloutRun): Promise<void>
  /** Keeps a run open although no row is open: a dynamic upgrade that waits for late devices. */
  staysOpen?(tx: Db, run: RolloutRun): Promise<boolean>
}
