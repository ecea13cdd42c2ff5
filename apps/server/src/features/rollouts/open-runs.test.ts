/** However many runs wait for devices that never come, the others go on. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOpenRuns } from './open-runs.ts'
import { RowState, RunState } from './rollout-kind.ts'
import { parkedUntil } from './run-row.ts'
import { testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, productID, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterAll(() => room.close())

/** Runs whose only device is away. */
async function addWaitingRuns(count: number, deviceID: number): Promise<number[]> {
  const { rows } = await sql<{ run_id: number }>`
    with made as (
      insert into rollout (kind, owner_id, product_id, topic, state, per_minute, total, start_at, started_at, created_at)
      select 'task', 1, ${productID}, 'task/1', 2, 60, 1, 1, 1, 1 from generate_series(1, ${count}::integer)
      returning run_id
    )
    insert into rollout_device (run_id, device_id, product_id, device_name, position, status, due_at, updated_at)
    select run_id, ${deviceID}, ${productID}, 'away', 1, 11, ${parkedUntil}, 1 from made returning run_id`.execute(
    room.db,
  )
  return rows.map((row) => row.run_id)
}

test('runs that only wait for devices that are away are left alone, until one comes or the last is cancelled', async () => {
  const [away = 0] = await room.addDevices(1, 2)
  const [one = 0, other = 0] = await addWaitingRuns(1_100, away)
  expect(await readOpenRuns(room.db, room.clock.now())).toEqual([])
  const server = await room.openServer(testKind())
  const newer = await room.startRun(server, await room.addDevices(1))
  await expect.poll(() => room.stateOf(newer)).toBe(RunState.done)

  expect(await server.rollouts.cancelRows(one, {}, '已取消')).toBe(1)
  await expect.poll(() => room.stateOf(one)).toBe(RunState.done)
  await room.db.updateTable('rollout_device').set({ due_at: 0 }).where('run_id', '=', other).execute()
  server.rollouts.nudge()
  await expect.poll(async () => (await room.readRows(other))[0]?.state).toBe(RowState.success)
})

test('runs that can go on come before older ones that cannot', async () => {
  const [device = 0] = await room.addDevices(1)
  // Their device is to be tried again much later.
  const later = await addWaitingRuns(1_000, device)
  await room.db.updateTable('rollout_device').set({ due_at: 8e15 }).where('run_id', 'in', later).execute()
  const [ready = 0] = await addWaitingRuns(1, device)
  const { db } = room
  await db.updateTable('rollout_device').set({ due_at: 0 }).where('run_id', '=', ready).execute()
  await db.updateTable('rollout').set({ start_at: 2 }).where('run_id', '=', ready).execute()
  const [first] = await readOpenRuns(db, room.clock.now())
  expect(first).toMatchObject({ runID: ready, ready: true, turning: false })
})
