import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EventMap } from '#ports/event-bus.ts'
import { type RolloutKind, type RolloutRow, RowState, RunState } from './rollout-kind.ts'
import { statuses, testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterEach(() => room.clear())
afterAll(() => room.close())

/** Devices answer only when the test lets them; every end of a run is noted. */
async function openSilent(more: Partial<RolloutKind> = {}) {
  const sent: RolloutRow[] = []
  const ends: number[] = []
  const server = await room.openServer(
    testKind({
      send: async (_run, row) => {
        sent.push(row)
        return { result: 'sent', timeoutMs: 600_000 }
      },
      ended: async (_tx, run) => void ends.push(run.state),
      ...more,
    }),
  )
  return { server, rollouts: server.rollouts, sent, ends }
}
const states = async (runID: number) => (await room.readRows(runID)).map((row) => row.state)
const runState = (runID: number, state: RunState) => expect.poll(() => room.stateOf(runID)).toBe(state)
const underWay = (runID: number, count: number) =>
  expect.poll(async () => (await room.readRows(runID)).filter((row) => row.sent_at > 0).length).toBe(count)

describe('cancelling', () => {
  test('some devices: by name, by id, by status; those that are over stay as they are', async () => {
    const { server, rollouts, sent, ends } = await openSilent()
    const runID = await room.startRun(server, await room.addDevices(6), { limitTo: 3 })
    await underWay(runID, 3)
    await rollouts.settle({ id: sent[0]?.id ?? 0 }, { result: 'success' })
    const names = (await room.readRows(runID)).map((row) => row.device_name)
    expect(await rollouts.cancelRows(runID, { deviceNames: names.slice(0, 2) }, '已取消')).toBe(1)
    expect(await rollouts.cancelRows(runID, { ids: [sent[2]?.id ?? 0] }, '已取消')).toBe(1)
    expect(await states(runID)).toEqual([3, 5, 5, 1, 1, 1])
    expect((await room.readRows(runID))[1]).toMatchObject({ status: statuses.cancelled, msg: '已取消' })
    // An answer that comes later changes nothing.
    expect(await rollouts.settle({ id: sent[2]?.id ?? 0 }, { result: 'success' })).toBe(false)
    expect(await rollouts.cancelRows(runID, { status: statuses.sent }, '已取消')).toBe(0)
    expect(await rollouts.cancelRows(runID, { status: statuses.waiting }, '已取消')).toBe(3)
    await runState(runID, RunState.done)
    expect(await room.readRun(runID)).toMatchObject({ total: 6, success: 1, failed: 0 })
    expect(ends).toEqual([RunState.done])
  })

  test('the run: all that is open is cancelled, the counts are exact, its kind hears once, twice is refused', async () => {
    const { server, rollouts, ends } = await openSilent()
    const runID = await room.startRun(server, await room.addDevices(4), { limitTo: 2 })
    await underWay(runID, 2)
    const twice = await Promise.all([rollouts.cancelRun(runID, '不要了'), rollouts.cancelRun(runID, '不要了')])
    expect(twice.toSorted()).toEqual([false, true])
    expect(await states(runID)).toEqual([5, 5, 5, 5])
    expect(await room.readRun(runID)).toMatchObject({
      state: RunState.cancelled,
      reason: '不要了',
      total: 4,
      success: 0,
    })
    expect(ends).toEqual([RunState.cancelled])
  })
})

describe('devices that were taken but not sent to yet', () => {
  /** Sending is slow: the first ones are held, the others wait behind them. */
  async function openSlow() {
    const held = Promise.withResolvers<void>()
    const sent: number[] = []
    const { server, rollouts } = await openSilent({
      send: async (_run, row) => {
        sent.push(row.id)
        await held.promise
        return { result: 'done' }
      },
    })
    const runID = await room.startRun(server, await room.addDevices(100), { perMinute: 60_000 })
    await expect.poll(async () => (await states(runID)).filter((state) => state === RowState.sent).length).toBe(100)
    await expect.poll(() => sent.length).toBe(64)
    return { rollouts, runID, sent, release: held.resolve }
  }

  test('are not sent to when the run is cancelled meanwhile', async () => {
    const { rollouts, runID, sent, release } = await openSlow()
    await rollouts.cancelRun(runID, '')
    room.clock.advance(2_000)
    release()
    await room.stopServers()
    expect(sent).toHaveLength(64)
    expect(new Set(await states(runID))).toEqual(new Set([RowState.cancelled]))
  })

  test('wait again when the run is paused meanwhile', async () => {
    const { rollouts, runID, sent, release } = await openSlow()
    await rollouts.pause(runID, '')
    room.clock.advance(2_000)
    release()
    await expect.poll(async () => (await states(runID)).filter((state) => state === RowState.waiting).length).toBe(36)
    expect(sent).toHaveLength(64)
    await rollouts.resume(runID)
    await runState(runID, RunState.done)
    expect(new Set(sent).size).toBe(100)
    expect(sent).toHaveLength(100)
  })
})

describe('another try', () => {
  test('of devices that failed or were cancelled; a run that was over runs again, in spite of its end', async () => {
    let good = false
    const { server, rollouts, ends } = await openSilent({
      send: async (_run, row) =>
        good || row.position === 1 ? { result: 'done' } : { result: 'failed', code: 5, msg: '坏' },
    })
    const endAt = room.clock.now() + 60_000
    const runID = await room.startRun(server, await room.addDevices(3), { endAt })
    await runState(runID, RunState.done)
    expect(await states(runID)).toEqual([3, 4, 4])
    expect(await rollouts.retryRows(runID, { ids: [] })).toBe(0)
    expect(await room.stateOf(runID)).toBe(RunState.done)
    good = true
    room.clock.advance(60_000)
    expect(await rollouts.retryRows(runID, {})).toBe(2)
    await runState(runID, RunState.done)
    expect(await room.readRun(runID)).toMatchObject({ success: 3, failed: 0 })
    expect((await room.readRows(runID))[1]).toMatchObject({ attempts: 2, tried_before: 1, msg: '', code: 200 })
    expect(ends).toEqual([RunState.done, RunState.done])
  })
})

describe('a run that was over and is reopened', () => {
  const badKind = (counted: number[], more: Partial<RolloutKind> = {}): Partial<RolloutKind> => ({
    send: async () => ({ result: 'failed', code: 5, msg: '坏' }),
    review: async (_tx, run, { byState }) => {
      if (run.reopenedAt > 0) counted.push(byState[RowState.failed])
      return {}
    },
    ...more,
  })

  test('is judged by what comes of the new tries alone', async () => {
    const counted: number[] = []
    const { server, rollouts } = await openSilent(badKind(counted))
    const runID = await room.startRun(server, await room.addDevices(4))
    await runState(runID, RunState.done)
    const ids = (await room.readRows(runID)).map((row) => row.id)
    room.clock.advance(10)
    // One of them is not allowed yet, so that the run is looked at with an end and somebody waiting.
    await room.db.updateTable('rollout').set({ limit_to: 1 }).where('run_id', '=', runID).execute()
    expect(await rollouts.retryRows(runID, { ids: ids.slice(0, 2) })).toBe(2)
    await expect.poll(() => counted.at(-1)).toBe(1)
    expect(await states(runID)).toEqual([4, 1, 4, 4])
    room.clock.advance(10)
    // Once more while it is open: that end does not count either.
    expect(await rollouts.retryRows(runID, { ids: ids.slice(2, 3) })).toBe(1)
    await expect.poll(() => counted.at(-1)).toBe(0)
    // The counts are written in the transaction that was just looked into.
    await expect.poll(() => room.readRun(runID)).toMatchObject({ total: 4, failed: 2 })
  })

  test('tells its kind in the same transaction, and is not reopened when that fails', async () => {
    let fails = true
    const told: number[] = []
    const { server, rollouts } = await openSilent(
      badKind([], {
        reopened: async (_tx, run) => {
          if (fails) throw new Error('no')
          told.push(run.runID)
        },
      }),
    )
    const runID = await room.startRun(server, await room.addDevices(1))
    await runState(runID, RunState.done)
    await expect(rollouts.retryRows(runID, {})).rejects.toThrow('no')
    expect([await room.stateOf(runID), await states(runID)]).toEqual([RunState.done, [RowState.failed]])
    fails = false
    expect(await rollouts.retryRows(runID, {})).toBe(1)
    expect(told).toEqual([runID])
  })
})

describe('pausing', () => {
  test('nothing more is sent until the run is resumed; what is out goes on', async () => {
    const { server, rollouts, sent } = await openSilent()
    const runID = await room.startRun(server, await room.addDevices(4), { limitTo: 2 })
    await underWay(runID, 2)
    expect(await rollouts.pause(runID, '人工暂停')).toBe(true)
    expect(await rollouts.pause(runID, '再次')).toBe(false)
    expect(await room.readRun(runID)).toMatchObject({ state: RunState.paused, reason: '人工暂停' })
    await room.db.updateTable('rollout').set({ limit_to: null }).where('run_id', '=', runID).execute()
    expect(await rollouts.settle({ id: sent[0]?.id ?? 0 }, { result: 'success' })).toBe(true)
    // Another run is worked on meanwhile: the tick has been there.
    const other = await room.startRun(server, await room.addDevices(1))
    await underWay(other, 1)
    await expect.poll(async () => (await room.readRun(runID)).success).toBe(1)
    expect(await states(runID)).toEqual([3, 2, 1, 1])
    expect(await rollouts.resume(runID)).toBe(true)
    expect(await rollouts.resume(runID)).toBe(false)
    await expect.poll(() => states(runID)).toEqual([3, 2, 2, 2])
    expect(await room.readRun(runID)).toMatchObject({ state: RunState.running, reason: '' })
  })

  test('a run whose last devices end while it is paused is over; one that reaches its end too', async () => {
    const { server, rollouts, sent } = await openSilent()
    const runID = await room.startRun(server, await room.addDevices(1))
    await underWay(runID, 1)
    await rollouts.pause(runID, '')
    await rollouts.settle({ id: sent[0]?.id ?? 0 }, { result: 'success' })
    await runState(runID, RunState.done)
    const late = await room.startRun(server, await room.addDevices(1), { limitTo: 0, endAt: room.clock.now() + 60_000 })
    await runState(late, RunState.running)
    await rollouts.pause(late, '')
    room.clock.advance(60_000)
    await runState(late, RunState.done)
    expect(await states(late)).toEqual([RowState.failed])
  })
})

describe('screens', () => {
  test('are told of changes, seldom, and after the last one', async () => {
    const { server, rollouts, sent } = await openSilent()
    const told: Array<EventMap['rollout.changed'] & { at: number }> = []
    let stateWhenTold = 0
    const runID = await room.startRun(server, await room.addDevices(50))
    server.bus.on('rollout.changed', (event) => {
      if (event.runID !== runID) return
      told.push({ ...event, at: performance.now() })
      void room.stateOf(runID).then((state) => {
        stateWhenTold = state
      })
    })
    await underWay(runID, 50)
    for (const { id } of sent) await rollouts.settle({ id }, { result: 'success' })
    await expect.poll(() => stateWhenTold).toBe(RunState.done)
    expect(told[0]).toMatchObject({ kind: 'task', topic: 'task/1', runID })
    const gaps = told.slice(1).map((one, index) => one.at - (told[index]?.at ?? 0))
    // Timers may fire a millisecond early.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(245)
  })
})
