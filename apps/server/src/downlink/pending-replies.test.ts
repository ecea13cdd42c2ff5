import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type DeviceReply,
  installPendingMetrics,
  keepMs,
  type PendingLimits,
  PendingReplies,
} from './pending-replies.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const make = (limits?: PendingLimits) => new PendingReplies({ now: () => Date.now() }, limits)
const request = (token: string, params: Record<string, unknown> = { power: true }) =>
  ({ deviceID: 7, token, kind: 'property', params, target: '' }) as const
const reply = (token: string, fields: Partial<DeviceReply> = {}): DeviceReply => ({
  token,
  kind: 'property',
  code: 200,
  msg: '成功',
  data: undefined,
  ...fields,
})

describe('a reply', () => {
  test('gives back what was asked, and the caller goes on once it is stored', async () => {
    const pending = make()
    pending.open(request('a1'))
    const woken = vi.fn()
    const waiting = pending.wait(7, 'a1', 10_000).then(woken)
    expect(pending.settle(7, reply('a1'))).toMatchObject({ params: { power: true }, kind: 'property' })
    await vi.advanceTimersByTimeAsync(100)
    expect(woken).not.toHaveBeenCalled()
    pending.confirm(7, 'a1')
    await waiting
    expect(woken).toHaveBeenCalledWith(reply('a1'))
    expect(pending.counts()).toMatchObject({ kept: 0, waiting: 0, answered: 1 })
  })

  test('to an unknown token, of another device or of another kind answers nothing', () => {
    const pending = make()
    pending.open(request('a1'))
    expect(pending.settle(7, reply('zz'))).toBeUndefined()
    expect(pending.settle(8, reply('a1'))).toBeUndefined()
    expect(pending.settle(7, reply('a1', { kind: 'action' }))).toBeUndefined()
    expect(pending.counts()).toMatchObject({ kept: 1, unknown: 3, answered: 0 })
    expect(pending.settle(7, reply('a1'))).toBeDefined()
  })

  test('counts once: a second one is unknown as soon as the first is stored', () => {
    const pending = make()
    pending.open(request('a1'))
    pending.settle(7, reply('a1'))
    pending.confirm(7, 'a1')
    expect(pending.settle(7, reply('a1'))).toBeUndefined()
  })

  test('that could not be stored is sent again and settles again', () => {
    const pending = make()
    pending.open(request('a1'))
    pending.settle(7, reply('a1'))
    expect(pending.settle(7, reply('a1'))).toMatchObject({ token: 'a1' })
    expect(pending.counts().answered).toBe(1)
  })

  test('that is not stored when the time is up is no reply to the caller, who would take it for kept', async () => {
    const pending = make()
    pending.open(request('a1'))
    const waiting = pending.wait(7, 'a1', 10_000)
    pending.settle(7, reply('a1'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toBeUndefined()
  })

  test('may be late: after the waiting, within ten minutes', async () => {
    const pending = make()
    pending.open(request('a1'))
    const waiting = pending.wait(7, 'a1', 10_000)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toBeUndefined()
    await vi.advanceTimersByTimeAsync(keepMs - 10_001)
    expect(pending.settle(7, reply('a1'))).toBeDefined()
  })

  test('after ten minutes comes to nobody', async () => {
    const pending = make()
    pending.open(request('a1'))
    await vi.advanceTimersByTimeAsync(keepMs)
    expect(pending.settle(7, reply('a1'))).toBeUndefined()
    expect(pending.counts()).toMatchObject({ kept: 0, expired: 1 })
  })
})

describe('waiting', () => {
  test('for a token that nobody sent ends at once', async () => {
    expect(await make().wait(7, 'zz', 10_000)).toBeUndefined()
  })

  test('ends when the request was not sent after all', async () => {
    const pending = make()
    pending.open(request('a1'))
    const waiting = pending.wait(7, 'a1', 10_000)
    pending.drop(7, 'a1')
    expect(await waiting).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends for everybody when the server stops, and nobody waits after that', async () => {
    const pending = make()
    pending.open(request('a1'))
    pending.open(request('a2'))
    const all = Promise.all([
      pending.wait(7, 'a1', 10_000),
      pending.wait(7, 'a1', 10_000),
      pending.wait(7, 'a2', 10_000),
    ])
    pending.close()
    expect(await all).toEqual([undefined, undefined, undefined])
    expect(await pending.wait(7, 'a1', 10_000)).toBeUndefined()
    expect(pending.counts().waiting).toBe(0)
    expect(pending.closed).toBe(true)
  })

  test('does not keep the process awake', () => {
    vi.useRealTimers()
    const pending = make()
    pending.open(request('a1'))
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    void pending.wait(7, 'a1', 60_000)
    // Only timers that hold the process are listed.
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')).toHaveLength(before)
    pending.close()
  })
})

describe('limits', () => {
  test('a request too many is refused with 900002 until one is answered or expires', async () => {
    const pending = make({ requests: 2, size: 1_000 })
    pending.open(request('a1'))
    pending.open(request('a2'))
    expect(() => pending.open(request('a3'))).toThrow(expect.objectContaining({ code: 900002 }))
    pending.settle(7, reply('a1'))
    pending.confirm(7, 'a1')
    pending.open(request('a3'))
    await vi.advanceTimersByTimeAsync(keepMs)
    pending.open(request('a4'))
    expect(pending.counts()).toMatchObject({ kept: 1, refused: 1, expired: 2 })
  })

  test('large requests count by their size', () => {
    const pending = make({ requests: 10, size: 100 })
    pending.open(request('a1', { text: 'x'.repeat(80) }))
    expect(() => pending.open(request('a2', { text: 'x'.repeat(80) }))).toThrow(/等待设备回复的指令已有 1 条/)
    pending.drop(7, 'a1')
    pending.open(request('a2', { text: 'x'.repeat(80) }))
  })

  test('the same token again takes the place of the first; other devices may have it too', async () => {
    const pending = make()
    pending.open(request('a1', { power: true }))
    const waiting = pending.wait(7, 'a1', 10_000)
    pending.open(request('a1', { power: false }))
    pending.open({ ...request('a1', { power: 1 }), deviceID: 8 })
    expect(await waiting).toBeUndefined()
    expect(pending.settle(7, reply('a1'))?.params).toEqual({ power: false })
    expect(pending.settle(8, reply('a1'))?.params).toEqual({ power: 1 })
  })

  test('every counter stands in /metrics', async () => {
    const metrics = new Registry()
    const pending = make()
    installPendingMetrics(metrics, pending)
    pending.open(request('a1'))
    pending.settle(7, reply('zz'))
    const text = await metrics.metrics()
    expect(text).toContain('ithings_pending_replies{what="kept"} 1')
    expect(text).toContain('ithings_pending_replies{what="unknown"} 1')
  })
})
