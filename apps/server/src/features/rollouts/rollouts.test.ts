import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RowState, RunState } from './rollout-kind.ts'
import { openRolloutsRoom, type RolloutsRoom, statuses, testKind } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterEach(() => room.stopServers())
afterAll(() => room.close())

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
    await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
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
})
