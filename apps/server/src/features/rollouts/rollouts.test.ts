import { AppError, errors } from '@ithings/contract/errors.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RolloutRow, RowState, RunState } from './rollout-kind.ts'
import { statuses, testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, productID, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterEach(() => room.clear())
afterAll(() => room.close())

const states = async (runID: number) => (await room.readRows(runID)).map((row) => row.state)
const over = (runID: number) => expect.poll(() => room.stateOf(runID)).toBe(RunState.done)

/** The sending is written down: a clock that jumps does not make it a lost one. */
const underWay = (runID: number) => expect.poll(async () => (await room.readRows(runID))[0]?.sent_at).toBeGreaterThan(0)

/** A kind whose devices answer only when the test lets them. */
function silentKind(timeoutMs = 60_000) {
  const sent: RolloutRow[] = []
  const kind = testKind({
    send: async (_run, row) => {
      sent.push(row)
      return { result: 'sent', timeoutMs }
    },
  })
  return { kind, sent }
}

describe('a run', () => {
  test('sends to each device once and is over when all have ended, which its kind hears once', async () => {
    const sent: number[] = []
    const ends: Array<{ state: number; success: number }> = []
    const server = await room.openServer(
      testKind({
        send: async (_run, row) => {
          sent.push(row.deviceID)
          return { result: 'done' }
        },
        ended: async (_tx, run, counts) => {
          ends.push({ state: run.state, success: counts.byState[RowState.success] })
        },
      }),
    )
    const devices = await room.addDevices(20)
    const runID = await room.startRun(server, devices)
    await over(runID)
    expect(sent).toEqual(devices)
    expect(ends).toEqual([{ state: RunState.done, success: 20 }])
    const run = await room.readRun(runID)
    expect(run).toMatchObject({ total: 20, success: 20, failed: 0 })
    expect(run.finished_at).toBeGreaterThanOrEqual(run.started_at)
    for (const row of await room.readRows(runID)) {
      expect(row).toMatchObject({ state: RowState.success, status: statuses.success, code: 200, attempts: 1 })
    }
  })

  test('without any device is over as soon as it is ready', async () => {
    const ends: number[] = []
    const server = await room.openServer(testKind({ ended: async (_tx, run) => void ends.push(run.state) }))
    const runID = await room.startRun(server, [])
    expect(await room.readRun(runID)).toMatchObject({ state: RunState.done, total: 0 })
    expect(ends).toEqual([RunState.done])
  })

  test('waits for its time', async () => {
    const { kind, sent } = silentKind()
    const server = await room.openServer(kind)
    const runID = await room.startRun(server, await room.addDevices(1), { startAt: room.clock.now() + 3_600_000 })
    const other = await room.startRun(server, await room.addDevices(1))
    await underWay(other)
    expect(sent.map((row) => row.runID)).toEqual([other])
    expect(await room.stateOf(runID)).toBe(RunState.waiting)
    room.clock.advance(3_600_000)
    await expect.poll(() => sent.map((row) => row.runID)).toEqual([other, runID])
  })

  test('is not begun while its devices are being listed, however often the listing is begun again', async () => {
    const { kind, sent } = silentKind()
    const { rollouts } = await room.openServer(kind)
    const rows = (await room.addDevices(3)).map((deviceID) => ({ deviceID, productID, deviceName: `d${deviceID}` }))
    const runID = await rollouts.create(room.db, {
      kind: 'task',
      ownerID: 1,
      productID,
      topic: 'task/1',
      trigger: '',
      perMinute: 6_000,
      retries: 0,
      retryMs: 0,
      startAt: 0,
      userName: '',
    })
    const add = (some: typeof rows) => room.db.transaction().execute((tx) => rollouts.addRows(tx, runID, some))
    expect(await add(rows.slice(1))).toBe(2)
    expect(await add([...rows, ...rows])).toBe(1)
    expect(await room.stateOf(runID)).toBe(RunState.preparing)
    expect((await room.readRun(runID)).total).toBe(3)
    await room.db.transaction().execute((tx) => rollouts.ready(tx, runID))
    rollouts.nudge()
    await expect.poll(() => sent.length).toBe(3)
    expect(sent.map((row) => row.position)).toEqual([1, 2, 3])
    expect(sent[2]?.deviceID).toBe(rows[0]?.deviceID)
  })

  test('of a kind that keeps it open takes later devices, until its end', async () => {
    const { kind, sent } = silentKind()
    const server = await room.openServer({ ...kind, staysOpen: async () => true })
    const [first = 0, second = 0] = await room.addDevices(2)
    const runID = await room.startRun(server, [first], { endAt: room.clock.now() + 600_000 })
    await expect.poll(() => sent.length).toBe(1)
    await server.rollouts.settle({ id: sent[0]?.id ?? 0 }, { result: 'success' })
    await expect.poll(async () => (await room.readRun(runID)).success).toBe(1)
    const late = { deviceID: second, productID, deviceName: 'late' }
    expect(await room.db.transaction().execute((tx) => server.rollouts.addRows(tx, runID, [late]))).toBe(1)
    await expect.poll(() => sent.length).toBe(2)
    await server.rollouts.settle({ id: sent[1]?.id ?? 0 }, { result: 'success' })
    expect(await room.stateOf(runID)).toBe(RunState.running)
    room.clock.advance(600_000)
    await over(runID)
    expect(await room.db.transaction().execute((tx) => server.rollouts.addRows(tx, runID, [late]))).toBe(0)
  })

  test('that reaches its end fails whoever still waits, and lets those go on that were sent to', async () => {
    const { kind, sent } = silentKind(7_200_000)
    const server = await room.openServer(kind)
    const runID = await room.startRun(server, await room.addDevices(3), {
      endAt: room.clock.now() + 600_000,
      limitTo: 1,
    })
    await underWay(runID)
    room.clock.advance(600_000)
    await expect.poll(() => states(runID)).toEqual([RowState.sent, RowState.failed, RowState.failed])
    expect((await room.readRows(runID))[2]).toMatchObject({ msg: '已超过截止时间', status: statuses.failed })
    expect(await room.stateOf(runID)).toBe(RunState.running)
    await server.rollouts.settle({ id: sent[0]?.id ?? 0 }, { result: 'success' })
    await over(runID)
    expect(await room.readRun(runID)).toMatchObject({ success: 1, failed: 2 })
  })
})

describe('a device that', () => {
  test('fails is tried again as the run says, each time with a new token, and keeps its last reason', async () => {
    const tokens: string[] = []
    const server = await room.openServer(
      testKind({
        send: async (_run, row) => {
          tokens.push(row.clientToken)
          if (row.attempts < 3) throw new AppError(errors.deviceError, { detail: `第${row.attempts}次` })
          return { result: 'failed', code: 77, msg: '拒绝' }
        },
      }),
    )
    const runID = await room.startRun(server, await room.addDevices(1), { retries: 2, retryMs: 60_000 })
    await expect.poll(async () => (await room.readRows(runID))[0]?.msg).toBe('设备回复错误:第1次')
    expect(await states(runID)).toEqual([RowState.waiting])
    room.clock.advance(60_000)
    await expect.poll(() => tokens.length).toBe(2)
    await expect.poll(() => states(runID)).toEqual([RowState.waiting])
    room.clock.advance(60_000)
    await over(runID)
    expect((await room.readRows(runID))[0]).toMatchObject({
      state: RowState.failed,
      code: 77,
      msg: '拒绝',
      attempts: 3,
    })
    expect(new Set(tokens).size).toBe(3)
  })

  test('makes sending throw something unexpected fails without showing what', async () => {
    const server = await room.openServer(testKind({ send: () => Promise.reject(new Error('secret of the inside')) }))
    const runID = await room.startRun(server, await room.addDevices(1))
    await over(runID)
    expect((await room.readRows(runID))[0]).toMatchObject({
      state: RowState.failed,
      code: errors.system.code,
      msg: errors.system.msg,
    })
    expect(server.logged.join()).toContain('secret of the inside')
  })

  test('does not answer in time fails; one that moved has more time', async () => {
    const { kind, sent } = silentKind(60_000)
    const server = await room.openServer(kind)
    const runID = await room.startRun(server, await room.addDevices(2))
    await expect.poll(async () => (await room.readRows(runID)).map((row) => row.sent_at > 0)).toEqual([true, true])
    const moved = { result: 'moved', status: 401, detail: { step: 10 }, timeoutMs: 300_000 } as const
    expect(await server.rollouts.settle({ id: sent[1]?.id ?? 0 }, moved)).toBe(true)
    room.clock.advance(61_000)
    await expect.poll(() => states(runID)).toEqual([RowState.failed, RowState.sent])
    const [silent, busy] = await room.readRows(runID)
    expect(silent).toMatchObject({ msg: '超时', code: errors.deviceTimeout.code })
    expect(busy).toMatchObject({ status: 401, detail: { step: 10 } })
    room.clock.advance(300_000)
    await over(runID)
    expect(await server.metrics.metrics()).toContain('ithings_rollout_devices_total{kind="task",what="timed_out"} 2')
  })

  test('answers before sending has come back is not forgotten', async () => {
    const answers: Promise<boolean>[] = []
    const server = await room.openServer(
      testKind({
        send: async (_run, row) => {
          const end = { result: row.position === 1 ? 'success' : 'moved', status: 66, timeoutMs: 60_000 } as const
          answers.push(server.rollouts.settleByToken('task', row.deviceID, row.clientToken, end))
          await answers.at(-1)
          return { result: 'sent', timeoutMs: 60_000, detail: { url: 'x' } }
        },
      }),
    )
    const runID = await room.startRun(server, await room.addDevices(2))
    await expect
      .poll(async () => (await room.readRows(runID)).map((row) => row.detail))
      .toEqual([{ url: 'x' }, { url: 'x' }])
    expect(await Promise.all(answers)).toEqual([true, true])
    const rows = await room.readRows(runID)
    expect(rows.map(({ state, status }) => ({ state, status }))).toEqual([
      { state: RowState.success, status: 66 },
      { state: RowState.sent, status: 66 },
    ])
  })

  test('is settled once, by its token, and only for its kind', async () => {
    const { kind, sent } = silentKind()
    const { rollouts, ...server } = await room.openServer(kind)
    const runID = await room.startRun({ rollouts, ...server }, await room.addDevices(1))
    await expect.poll(() => sent.length).toBe(1)
    const { deviceID = 0, clientToken = '', id = 0 } = sent[0] ?? {}
    expect(await rollouts.openRows('task', deviceID)).toMatchObject([{ id, runID, clientToken }])
    expect(await rollouts.openRows('ota', deviceID)).toEqual([])
    const end = { result: 'success', msg: 'ok\0' } as const
    expect(await rollouts.settleByToken('ota', deviceID, clientToken, end)).toBe(false)
    expect(await rollouts.settleByToken('task', deviceID, 'other', end)).toBe(false)
    const several = [1, 2, 3].map(() => rollouts.settleByToken('task', deviceID, clientToken, end))
    expect(await Promise.all(several)).toEqual([true, false, false])
    expect(await rollouts.settle({ id }, { result: 'failed' })).toBe(false)
    await over(runID)
    expect(await rollouts.openRows('task', deviceID)).toEqual([])
  })

  test('was deleted fails with that reason and is not sent to', async () => {
    const { kind, sent } = silentKind()
    const server = await room.openServer(kind)
    const [gone = 0] = await room.addDevices(1)
    await room.db.deleteFrom('device').where('device_id', '=', gone).execute()
    const runID = await room.startRun(server, [gone])
    await over(runID)
    expect((await room.readRows(runID))[0]).toMatchObject({ state: RowState.failed, msg: '设备已删除' })
    expect(sent).toEqual([])
  })
})

describe('stages', () => {
  test('nothing is sent beyond the position that a review allows, and a review can halt', async () => {
    const sent: number[] = []
    const ends: Array<{ state: number; reason: string }> = []
    const server = await room.openServer(
      testKind({
        send: async (_run, row) => {
          sent.push(row.position)
          return row.position > 12 ? { result: 'failed', code: 1, msg: '坏' } : { result: 'done' }
        },
        review: async (_tx, _run, { byState }) => {
          if (byState[RowState.failed] > 0) return { halt: '失败率过高' }
          return byState[RowState.success] >= 10 ? { limitTo: 20 } : { limitTo: 10 }
        },
        ended: async (_tx, run) => void ends.push({ state: run.state, reason: run.reason }),
      }),
    )
    const runID = await room.startRun(server, await room.addDevices(40), { limitTo: 10 })
    await expect.poll(() => room.stateOf(runID)).toBe(RunState.paused)
    expect(sent.length).toBe(20)
    expect(ends).toEqual([{ state: RunState.paused, reason: '失败率过高' }])
    await expect
      .poll(() => room.readRun(runID))
      .toMatchObject({ reason: '失败率过高', limit_to: 20, success: 12, failed: 8, finished_at: 0 })
  })
})
