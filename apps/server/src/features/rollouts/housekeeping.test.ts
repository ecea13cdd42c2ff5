import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropOldRollouts } from './housekeeping.ts'
import { RunState } from './rollout-kind.ts'
import { testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, productID, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterAll(() => room.close())

test('runs go 90 days after their end with their devices; open ones and the last one of a task stay', async () => {
  const server = await room.openServer(
    testKind({ send: async () => ({ result: 'sent', timeoutMs: 365 * 86_400_000 }) }),
  )
  const devices = await room.addDevices(2)
  const [old, shown, open] = [
    await room.startRun(server, devices),
    await room.startRun(server, devices),
    await room.startRun(server, devices),
  ]
  await server.rollouts.cancelRun(old, '')
  await server.rollouts.cancelRun(shown, '')
  await sql`
    insert into device_task (name, task_type, product_id, schedule, plan, last_run)
    values ('夜间', 1, ${productID}, 1, '{}', ${shown})`.execute(room.db)
  room.clock.advance(89 * 86_400_000)
  expect(await dropOldRollouts(room.db, room.clock)).toBe(0)
  room.clock.advance(2 * 86_400_000)
  expect(await dropOldRollouts(room.db, room.clock)).toBe(1)
  expect(await room.readRows(old)).toEqual([])
  expect(await room.stateOf(shown)).toBe(RunState.cancelled)
  expect(await room.readRows(open)).toHaveLength(2)
})
