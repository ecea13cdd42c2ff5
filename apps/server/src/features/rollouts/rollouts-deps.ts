import type { Registry } from 'prom-client'
import type { CommonDeps } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import type { RolloutKind, RolloutKindName, RolloutRow, RunCounts } from './rollout-kind.ts'

export interface RolloutParts extends CommonDeps {
  metrics: Registry
  /** Of platform_server: rows that a dead server took are found by it. */
  serverID: string
}

export interface NewRun {
  kind: RolloutKindName
  ownerID: number
  productID: string
  topic: string
  trigger: string
  perMinute: number
  retries: number
  retryMs: number
  /** ms; at once: now. */
  startAt: number
  endAt?: number
  limitTo?: number
  userName: string
}
export interface NewRow {
  deviceID: number
  productID: string
  deviceName: string
  detail?: Record<string, unknown>
}

/** How a device's part ended or moved, told by the feature. */
export interface Settlement {
  /** What `dropped` means is told at SendOutcome. */
  result: 'success' | 'failed' | 'moved' | 'dropped'
  status?: number
  code?: number
  msg?: string
  /** Merged into the detail that the row has. */
  detail?: Record<string, unknown>
  /** For `moved`: the row is given so long again. */
  timeoutMs?: number
  /** For `failed`: no further try. */
  final?: boolean
}

/**
 * Which rows: by ids, by names, by the feature's status, or that wait because their device was not there; nothing named:
 * all of the run that the act can touch.
 */
export interface RowChoice {
  ids?: number[]
  deviceNames?: string[]
  status?: number
  away?: boolean
}

export interface Rollouts {
  register(kind: RolloutKind): void
  /** A run without devices, preparing. @returns its id */
  create(tx: Db, run: NewRun): Promise<number>
  /**
   * Devices of a run that is prepared, or later ones of an open run (dynamic upgrades). Positions follow the order
   * given; devices that it has already are left alone, so that a job that was cut off can begin again. In the caller's
   * transaction, or one of its own.
   * @returns how many are new
   */
  addRows(db: Db, runID: number, rows: readonly NewRow[]): Promise<number>
  /** All devices are there: it begins when its time comes. None at all: it is over. Transactions as above. */
  ready(db: Db, runID: number): Promise<void>
  /** Work may be there: looked at now instead of at the next tick. */
  nudge(): void
  /** Rows of a device that are under way (waiting or sent), newest run first. */
  openRows(kind: RolloutKindName, deviceID: number): Promise<RolloutRow[]>
  /** Under a lock of the row; false: it was not open any more, nothing happened. */
  settle(row: { id: number }, settlement: Settlement): Promise<boolean>
  /** Of the row that was sent with this token; false: none. */
  settleByToken(kind: RolloutKindName, deviceID: number, clientToken: string, end: Settlement): Promise<boolean>
  /** Waiting and sent rows become cancelled. @returns how many */
  cancelRows(runID: number, choice: RowChoice, msg: string): Promise<number>
  /** Failed and cancelled rows wait again, with as many tries as the run gives; attempts go on counting; a run that was over runs again. */
  retryRows(runID: number, choice: RowChoice): Promise<number>
  pause(runID: number, reason: string): Promise<boolean>
  resume(runID: number): Promise<boolean>
  /** Rows that wait then fail (ms; 0: never). False: it is over. */
  endAt(runID: number, at: number): Promise<boolean>
  /** The run and all of its open rows. */
  cancelRun(runID: number, msg: string): Promise<boolean>
  counts(db: Db, runID: number): Promise<RunCounts>
  start(): Promise<void>
  stop(): Promise<void>
}
