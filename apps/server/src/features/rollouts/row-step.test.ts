import { errors } from '@ithings/contract/errors.ts'
import { kept } from '@ithings/contract/text.ts'
import { describe, expect, test } from 'vitest'
import { RowState, type SendOutcome } from './rollout-kind.ts'
import type { Settlement } from './rollouts-deps.ts'
import { leaseMs, type RowEvent, type StepContext, step } from './row-step.ts'
import { type HeldRow, parkedUntil } from './run-row.ts'

const now = 1_800_000_000_000
const statuses = { waiting: 11, sent: 12, success: 13, failed: 14, cancelled: 15 }
const claimed: HeldRow = {
  id: 1,
  runID: 1,
  deviceID: 7,
  productID: 'P0000000001',
  deviceName: 'lamp',
  position: 1,
  state: RowState.sent,
  status: 11,
  attempts: 1,
  triedBefore: 0,
  clientToken: 't1',
  detail: { from: '1.0' },
  sentAt: 0,
  code: 0,
  msg: '',
  dueAt: now + leaseMs,
  claimedBy: 'server',
  doneAt: 0,
}
const out: HeldRow = { ...claimed, status: 12, sentAt: now - 500, dueAt: now + 9_500 }
const waiting: HeldRow = { ...claimed, state: RowState.waiting, attempts: 0, clientToken: '', dueAt: 0, claimedBy: '' }
const over = [RowState.success, RowState.failed, RowState.cancelled].map((state) => ({
  ...out,
  state,
  doneAt: now - 1,
}))

const context = (more: Partial<StepContext> = {}): StepContext => ({
  kind: { statuses, lost: () => ({ then: 'again' }) },
  retries: 0,
  retryMs: 5_000,
  now,
  online: false,
  ...more,
})
const outcome = (sent: SendOutcome, token = 't1'): RowEvent => ({ type: 'outcome', token, outcome: sent })
const settled = (settlement: Settlement): RowEvent => ({ type: 'settled', settlement })
const after = (row: HeldRow, event: RowEvent, more: Partial<StepContext> = {}): HeldRow | undefined => {
  const patch = step(row, event, context(more))
  return patch && { ...row, ...patch }
}

describe('what sending came to', () => {
  test('sent: its time runs', () => {
    expect(after(claimed, outcome({ result: 'sent', timeoutMs: 10_000, detail: { step: 0 } }))).toMatchObject({
      state: RowState.sent,
      status: 12,
      sentAt: now,
      dueAt: now + 10_000,
      detail: { from: '1.0', step: 0 },
    })
  })

  test('sent with a status and words of its own', () => {
    expect(after(claimed, outcome({ result: 'sent', timeoutMs: 1, status: 401, msg: '观察中' }))).toMatchObject({
      state: RowState.sent,
      status: 401,
      msg: '观察中',
    })
  })

  test('dropped: over at once, neither success nor failure, and never tried again', () => {
    const dropped = outcome({ result: 'dropped', code: 9, msg: '不适用' })
    expect(after(claimed, dropped, { retries: 5 })).toMatchObject({
      state: RowState.cancelled,
      status: 15,
      code: 9,
      msg: '不适用',
      doneAt: now,
    })
    for (const row of [out, ...over]) expect(step(row, dropped, context())).toBeUndefined()
  })

  test('sent, but the device was quicker: what it said stands', () => {
    const moved = { ...out, status: 401, detail: { step: 30 } }
    expect(after(moved, outcome({ result: 'sent', timeoutMs: 60_000, detail: { step: 0, url: 'x' } }))).toMatchObject({
      status: 401,
      sentAt: out.sentAt,
      dueAt: now + 60_000,
      detail: { step: 30, url: 'x' },
    })
    const won = after({ ...out, state: RowState.success, status: 13 }, outcome({ result: 'sent', timeoutMs: 60_000 }))
    expect(won).toMatchObject({ state: RowState.success, status: 13 })
    const refused = { ...claimed, state: RowState.waiting, dueAt: now + 5_000 }
    const again = after(refused, outcome({ result: 'sent', timeoutMs: 60_000 }))
    expect(again).toMatchObject({ state: RowState.waiting, dueAt: now + 5_000 })
  })

  test('done: over', () => {
    expect(after(claimed, outcome({ result: 'done' }))).toMatchObject({
      state: RowState.success,
      status: 13,
      code: 200,
      doneAt: now,
    })
    expect(after(claimed, outcome({ result: 'done', status: 601, code: 1, msg: '已是' }))).toMatchObject({
      status: 601,
      code: 1,
      msg: '已是',
    })
  })

  test('failed: tried again as often as the run says, unless it is final', () => {
    const failed = outcome({ result: 'failed', code: 9, msg: '坏' })
    expect(after(claimed, failed)).toMatchObject({
      state: RowState.failed,
      status: 14,
      code: 9,
      msg: '坏',
      doneAt: now,
    })
    expect(after(claimed, failed, { retries: 1 })).toMatchObject({
      state: RowState.waiting,
      status: 11,
      dueAt: now + 5_000,
      msg: '坏',
    })
    expect(after({ ...claimed, attempts: 2 }, failed, { retries: 1 })).toMatchObject({ state: RowState.failed })
    const final = outcome({ result: 'failed', code: 9, msg: '坏', final: true, status: 701 })
    expect(after(claimed, final, { retries: 3 })).toMatchObject({ state: RowState.failed, status: 701 })
  })

  test('offline: waits for the device without counting the try', () => {
    const parked = after(claimed, outcome({ result: 'offline', msg: '设备不在线' }))
    expect(parked).toMatchObject({
      state: RowState.waiting,
      status: 11,
      attempts: 0,
      dueAt: parkedUntil,
      msg: '设备不在线',
    })
    expect(after(claimed, outcome({ result: 'offline' }), { online: true })?.dueAt).toBe(now + 1_000)
  })

  test('of an earlier try: nothing', () => {
    for (const result of [
      { result: 'sent', timeoutMs: 1 },
      { result: 'done' },
      { result: 'failed', code: 1, msg: '' },
      { result: 'offline' },
    ] as const) {
      expect(step(claimed, outcome(result, 't0'), context())).toBeUndefined()
    }
  })

  test('failed or offline after the device moved or ended: nothing', () => {
    for (const row of [out, ...over, { ...waiting, clientToken: 't1' }]) {
      expect(step(row, outcome({ result: 'failed', code: 1, msg: '' }), context({ retries: 5 }))).toBeUndefined()
      expect(step(row, outcome({ result: 'offline' }), context())).toBeUndefined()
    }
    for (const row of over) expect(step(row, outcome({ result: 'done' }), context())).toBeUndefined()
  })

  test('a server that stops gives back what it has not sent', () => {
    expect(after(claimed, { type: 'released', token: 't1' })).toMatchObject({
      state: RowState.waiting,
      attempts: 0,
      dueAt: now,
      claimedBy: '',
    })
    expect(step(out, { type: 'released', token: 't1' }, context())).toBeUndefined()
    expect(step(claimed, { type: 'released', token: 't0' }, context())).toBeUndefined()
  })
})

describe('what a feature tells', () => {
  test('success and failure of a row that is under way, sent or waiting', () => {
    for (const row of [claimed, out, waiting]) {
      expect(after(row, settled({ result: 'success', detail: { to: '2.0' } }))).toMatchObject({
        state: RowState.success,
        status: 13,
        detail: { from: '1.0', to: '2.0' },
        sentAt: row.sentAt || now,
        doneAt: now,
      })
      expect(
        after(row, settled({ result: 'failed', status: 402, code: 4, msg: '校验失败', final: true }), { retries: 2 }),
      ).toMatchObject({
        state: RowState.failed,
        status: 402,
        code: 4,
        msg: '校验失败',
      })
    }
    expect(after(out, settled({ result: 'failed', msg: '忙' }), { retries: 1 })).toMatchObject({
      state: RowState.waiting,
      msg: '忙',
    })
  })

  test('dropped: over as cancelled, sent or waiting', () => {
    for (const row of [claimed, out, waiting]) {
      const dropped = settled({ result: 'dropped', msg: '不适用', detail: { seen: '1.5' } })
      expect(after(row, dropped, { retries: 2 })).toMatchObject({
        state: RowState.cancelled,
        status: 15,
        msg: '不适用',
        detail: { from: '1.0', seen: '1.5' },
        doneAt: now,
      })
    }
  })

  test('moved: stays under way, with more time', () => {
    expect(
      after(out, settled({ result: 'moved', status: 401, detail: { step: 50 }, timeoutMs: 60_000 })),
    ).toMatchObject({
      state: RowState.sent,
      status: 401,
      detail: { from: '1.0', step: 50 },
      dueAt: now + 60_000,
      sentAt: out.sentAt,
    })
    expect(after(out, settled({ result: 'moved' }))?.dueAt).toBe(out.dueAt)
    expect(after(waiting, settled({ result: 'moved', status: 401 }))).toMatchObject({
      state: RowState.sent,
      sentAt: now,
      dueAt: now + leaseMs,
    })
  })

  test('of a row that is over: nothing', () => {
    for (const row of over) {
      for (const result of ['success', 'failed', 'moved', 'dropped'] as const) {
        expect(step(row, settled({ result }), context({ retries: 9 }))).toBeUndefined()
      }
    }
  })
})

test('a device that was deleted fails for good, or is dropped where its kind wants that', () => {
  for (const row of [claimed, out, waiting]) {
    expect(after(row, { type: 'gone' }, { retries: 3 })).toMatchObject({
      state: RowState.failed,
      code: errors.notFound.code,
      msg: kept('设备已删除'),
    })
    const kind = { ...context().kind, dropsGone: true }
    expect(after(row, { type: 'gone' }, { retries: 3, kind })).toMatchObject({
      state: RowState.cancelled,
      msg: kept('设备已删除'),
    })
  }
  for (const row of over) expect(step(row, { type: 'gone' }, context())).toBeUndefined()
})

describe('time that is over', () => {
  const late = { ...out, dueAt: now }

  test('fails what was sent, or tries again', () => {
    expect(after(late, { type: 'overdue' })).toMatchObject({
      state: RowState.failed,
      code: errors.deviceTimeout.code,
      msg: kept('超时'),
    })
    expect(after(late, { type: 'overdue' }, { retries: 1 })).toMatchObject({
      state: RowState.waiting,
      dueAt: now + 5_000,
    })
  })

  test('means nothing to a row that was given more time, waits or is over', () => {
    for (const row of [out, claimed, waiting, ...over.map((one) => ({ ...one, dueAt: 0 }))]) {
      expect(step(row, { type: 'overdue' }, context())).toBeUndefined()
    }
  })

  test('of a claim: the kind says what becomes of a device that perhaps was sent to', () => {
    const lost = { ...claimed, dueAt: now }
    const kind = (then: ReturnType<StepContext['kind']['lost']>) => ({ kind: { statuses, lost: () => then } })
    expect(after(lost, { type: 'overdue' }, kind({ then: 'again' }))).toMatchObject({
      state: RowState.waiting,
      dueAt: now,
      claimedBy: '',
    })
    expect(after(lost, { type: 'overdue' }, kind({ then: 'sent', timeoutMs: 70 }))).toMatchObject({
      state: RowState.sent,
      status: 12,
      sentAt: now,
      dueAt: now + 70,
    })
    expect(after(lost, { type: 'overdue' }, { ...kind({ then: 'failed', msg: '未知' }), retries: 9 })).toMatchObject({
      state: RowState.failed,
      msg: '未知',
    })
    // A device whose turn ends the server each time is given up.
    expect(
      after({ ...lost, attempts: 5 }, { type: 'overdue' }, { ...kind({ then: 'again' }), retries: 1 }),
    ).toMatchObject({ state: RowState.failed })
  })
})
