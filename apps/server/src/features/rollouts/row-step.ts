/**
 * What becomes of a device's row when something happens: one pure table of all moves
 * (architecture.md "One thing to many devices").
 */
import { errors } from '@ithings/contract/errors.ts'
import { kept } from '@ithings/contract/text.ts'
import { type RolloutKind, RowState, type SendOutcome } from './rollout-kind.ts'
import type { Settlement } from './rollouts-deps.ts'
import { type HeldRow, parkedUntil } from './run-row.ts'

export type RowEvent =
  /** What sending came to; counts only for the try with this token. */
  | { type: 'outcome'; token: string; outcome: SendOutcome }
  /** Taken, but this server stops before it is sent. */
  | { type: 'released'; token: string }
  | { type: 'settled'; settlement: Settlement }
  /** The time for an answer is over, unless one came in this moment. */
  | { type: 'overdue' }
  /** Its device was deleted. */
  | { type: 'gone' }

export interface StepContext {
  kind: Pick<RolloutKind, 'statuses' | 'lost' | 'dropsGone'>
  retries: number
  retryMs: number
  now: number
  /** The device has a connection, as far as the database knows. */
  online: boolean
}

type Patch = Partial<HeldRow>

/** Claims are held so long; then the server that has it is taken for dead. */
export const leaseMs = 60_000
/** Presence says online while sending found the device offline: one of them is late, so it is tried again soon. */
const onlineAgainMs = 1_000
/** A row that was lost with its server so often may be what ends servers: it is given up. */
const mostLost = 3

const isOpen = (row: HeldRow): boolean => row.state === RowState.waiting || row.state === RowState.sent

interface Failure {
  status?: number | undefined
  code: number
  msg: string
  final?: boolean | undefined
}

function fail(
  row: HeldRow,
  { kind, retries, retryMs, now }: StepContext,
  { status, code, msg, final }: Failure,
): Patch {
  if (!final && row.attempts - row.triedBefore <= retries) {
    // Its token stays: a late answer to the last try still counts until the next one.
    return { state: RowState.waiting, status: kind.statuses.waiting, code, msg, dueAt: now + retryMs, claimedBy: '' }
  }
  return { state: RowState.failed, status: status ?? kind.statuses.failed, code, msg, doneAt: now }
}

const succeed = (
  row: HeldRow,
  { kind, now }: StepContext,
  end: { status?: number | undefined; code?: number | undefined; msg?: string | undefined; detail?: HeldRow['detail'] },
): Patch => ({
  state: RowState.success,
  status: end.status ?? kind.statuses.success,
  code: end.code ?? 200,
  msg: end.msg ?? '',
  detail: { ...row.detail, ...end.detail },
  sentAt: row.sentAt || now,
  doneAt: now,
})

const drop = ({ kind, now }: StepContext, { code, msg }: { code: number; msg: string }): Patch => ({
  state: RowState.cancelled,
  status: kind.statuses.cancelled,
  code,
  msg,
  doneAt: now,
})

const waitAgain = (row: HeldRow, { kind }: StepContext, dueAt: number): Patch => ({
  state: RowState.waiting,
  status: kind.statuses.waiting,
  attempts: Math.max(0, row.attempts - 1),
  dueAt,
  claimedBy: '',
})

function sent(row: HeldRow, context: StepContext, outcome: Extract<SendOutcome, { result: 'sent' }>): Patch {
  const { kind, now } = context
  const dueAt = now + outcome.timeoutMs
  // The device was quicker than our own note: what it said stands, and when it is tried again too.
  const detail = { ...outcome.detail, ...row.detail }
  if (row.state !== RowState.sent) return { detail }
  if (row.sentAt !== 0) return { detail, dueAt: Math.max(row.dueAt, dueAt) }
  return {
    status: outcome.status ?? kind.statuses.sent,
    code: 0,
    msg: outcome.msg ?? '',
    sentAt: now,
    dueAt,
    detail: { ...row.detail, ...outcome.detail },
  }
}

function afterSending(row: HeldRow, context: StepContext, outcome: SendOutcome): Patch | undefined {
  if (outcome.result === 'sent') return sent(row, context, outcome)
  if (row.state !== RowState.sent) return undefined
  if (outcome.result === 'done') return succeed(row, context, outcome)
  // It moved, so it has it, whatever sending thinks.
  if (row.sentAt !== 0) return undefined
  if (outcome.result === 'failed') return fail(row, context, outcome)
  if (outcome.result === 'dropped') return drop(context, outcome)
  const dueAt = context.online ? context.now + onlineAgainMs : parkedUntil
  return { ...waitAgain(row, context, dueAt), msg: outcome.msg ?? '', code: errors.notOnline.code }
}

function settle(row: HeldRow, context: StepContext, settlement: Settlement): Patch | undefined {
  if (!isOpen(row)) return undefined
  const { result, status, code, msg, detail, timeoutMs, final } = settlement
  const { now } = context
  if (result === 'success') return succeed(row, context, { status, code, msg, ...(detail && { detail }) })
  const merged = { ...row.detail, ...detail }
  if (result === 'failed') {
    const failure = { status, code: code ?? errors.deviceError.code, msg: msg ?? kept(errors.deviceError.msg), final }
    return { ...fail(row, context, failure), detail: merged }
  }
  if (result === 'dropped') return { ...drop(context, { code: code ?? 0, msg: msg ?? '' }), detail: merged }
  const held = row.state === RowState.sent ? row.dueAt : now + leaseMs
  return {
    state: RowState.sent,
    status: status ?? row.status,
    code: code ?? row.code,
    msg: msg ?? row.msg,
    detail: merged,
    sentAt: row.sentAt || now,
    dueAt: timeoutMs === undefined ? held : now + timeoutMs,
  }
}

function overdue(row: HeldRow, context: StepContext): Patch | undefined {
  const { kind, now, retries } = context
  if (row.state !== RowState.sent || row.dueAt > now) return undefined
  if (row.sentAt !== 0) return fail(row, context, { code: errors.deviceTimeout.code, msg: kept('超时') })
  const lost = kind.lost(row)
  if (lost.then === 'sent') return { status: kind.statuses.sent, sentAt: now, dueAt: now + lost.timeoutMs }
  if (lost.then === 'failed') return fail(row, context, { code: errors.system.code, msg: lost.msg, final: true })
  if (row.attempts - row.triedBefore > retries + mostLost) {
    return fail(row, context, { code: errors.system.code, msg: kept('多次下发中断'), final: true })
  }
  return { state: RowState.waiting, status: kind.statuses.waiting, dueAt: now, claimedBy: '' }
}

function gone(row: HeldRow, context: StepContext): Patch | undefined {
  const result = context.kind.dropsGone ? 'dropped' : 'failed'
  return settle(row, context, { result, code: errors.notFound.code, msg: kept('设备已删除'), final: true })
}

/** @returns what changes; undefined: the event comes too late or belongs to another try */
export function step(row: HeldRow, event: RowEvent, context: StepContext): Patch | undefined {
  switch (event.type) {
    case 'settled':
      return settle(row, context, event.settlement)
    case 'overdue':
      return overdue(row, context)
    case 'gone':
      return gone(row, context)
    case 'outcome':
      return row.clientToken === event.token ? afterSending(row, context, event.outcome) : undefined
    case 'released': {
      const mine = row.clientToken === event.token && row.state === RowState.sent && row.sentAt === 0
      return mine ? waitAgain(row, context, context.now) : undefined
    }
  }
}
