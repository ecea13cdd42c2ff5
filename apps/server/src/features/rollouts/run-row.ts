/** Rows of the tables as the machinery and its kinds see them. */
import type { Selectable } from 'kysely'
import type { RolloutDeviceTable, RolloutTable } from '#db/tables/rollouts.ts'
import type { RolloutRow, RolloutRun, RowState, RunState } from './rollout-kind.ts'

export type RunColumns = Selectable<RolloutTable>
export type RowColumns = Selectable<RolloutDeviceTable>

export const toRun = (row: RunColumns): RolloutRun => ({
  runID: row.run_id,
  kind: row.kind,
  ownerID: row.owner_id,
  productID: row.product_id,
  topic: row.topic,
  trigger: row.trigger,
  state: row.state as RunState,
  reason: row.reason,
  perMinute: row.per_minute,
  limitTo: row.limit_to ?? undefined,
  retries: row.retries,
  retryMs: row.retry_ms,
  total: row.total,
  userName: row.user_name,
  startAt: row.start_at,
  endAt: row.end_at,
  startedAt: row.started_at,
  reopenedAt: row.reopened_at,
})

export const toRow = (row: RowColumns): RolloutRow => ({
  id: row.id,
  runID: row.run_id,
  deviceID: row.device_id,
  productID: row.product_id,
  deviceName: row.device_name,
  position: row.position,
  state: row.state as RowState,
  status: row.status,
  attempts: row.attempts,
  triedBefore: row.tried_before,
  clientToken: row.client_token,
  detail: row.detail,
  sentAt: row.sent_at,
})

/** A row that somebody holds locked, with all that can change. */
export interface HeldRow extends RolloutRow {
  code: number
  msg: string
  dueAt: number
  claimedBy: string
  doneAt: number
}

export const toHeld = (row: RowColumns): HeldRow => ({
  ...toRow(row),
  code: row.code,
  msg: row.msg,
  dueAt: row.due_at,
  claimedBy: row.claimed_by,
  doneAt: row.done_at,
})

/** due_at of rows that wait for their device to connect; the indexes name the same number. */
export const parkedUntil = 9_000_000_000_000_000
