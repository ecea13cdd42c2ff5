import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunState } from './rollout-kind.ts'
import type { NewRun } from './rollouts-deps.ts'
import { type RolloutServer, testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, productID, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
let server: RolloutServer
beforeAll(async () => {
  room = await openRolloutsRoom()
  server = await room.openServer(testKind())
  server.rollouts.register(testKind({ kind: 'config' }))
})
afterAll(() => room.close())

/** A run whose devices are still to be listed, by a job with this status. */
async function prepare(kind: NewRun['kind'], status?: JobStatus, error = ''): Promise<number> {
  const runID = await server.rollouts.create(room.db, {
    kind,
    ownerID: 1,
    productID,
    topic: `${kind}/1`,
    trigger: '',
    perMinute: 60,
    retries: 0,
    retryMs: 0,
    startAt: room.clock.now(),
    userName: '',
  })
  if (status !== undefined) {
    await sql`insert into job (job_id, kind, title, status, error, input, deadline_at)
      values (${`job-${runID}`}, 'list', '', ${status}, ${error}, ${JSON.stringify({ runID })}, now())`.execute(room.db)
  }
  return runID
}

test('runs that nobody lists any more end with the reason; others are waited for', async () => {
  const failed = await prepare('config', JobStatus.failed, '数据库不可用')
  const cancelled = await prepare('task', JobStatus.cancelled)
  const forgotten = await prepare('config')
  const busy = await prepare('config', JobStatus.running)
  const mended = await prepare('task')
  room.clock.advance(31_000)
  await expect.poll(() => room.stateOf(forgotten)).toBe(RunState.cancelled)
  const reason = async (runID: number) => (await room.readRun(runID)).reason
  expect(await reason(forgotten)).toBe('没有列出目标设备：平台当时停止')
  await expect.poll(() => reason(failed)).toBe('没有列出目标设备：数据库不可用')
  await expect.poll(() => reason(cancelled)).toBe('没有列出目标设备：已取消')
  expect(await room.stateOf(busy)).toBe(RunState.preparing)
  expect(await room.stateOf(mended)).toBe(RunState.preparing)
})

test('devices that are listed outside a transaction are counted with it', async () => {
  const runID = await prepare('config')
  const devices = await room.addDevices(2)
  const rows = devices.map((deviceID) => ({ deviceID, productID, deviceName: `d${deviceID}` }))
  const lists = await Promise.all(rows.map((row) => server.rollouts.addRows(room.db, runID, [row])))
  expect(lists).toEqual([1, 1])
  expect((await room.readRows(runID)).map((row) => row.position)).toEqual([1, 2])
  expect((await room.readRun(runID)).total).toBe(2)
})
