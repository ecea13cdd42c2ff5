import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { adminQuery } from '#testing/scratch-database.ts'
import { RowState, RunState } from './rollout-kind.ts'
import { testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterEach(() => room.clear())
afterAll(() => room.close())

interface Push {
  deviceID: number
  by: string
  at: number
}

/** A server that notes whom it sent to. */
const openNoting = (pushes: Push[], by: string) =>
  room.openServer(
    testKind({
      send: async (_run, { deviceID }) => {
        pushes.push({ deviceID, by, at: room.clock.now() })
        return { result: 'done' }
      },
    }),
  )
const twice = (pushes: Push[]) => pushes.length - new Set(pushes.map((push) => push.deviceID)).size

/** How far the run was ahead of its rate at most, in devices. */
function aheadOf(pushes: Push[], perMinute: number, startedAt: number): number {
  const due = (at: number) => Math.floor(((at - startedAt) * perMinute) / 60_000) + 1
  const times = pushes.map((push) => push.at).toSorted((a, b) => a - b)
  return Math.max(...times.map((at, index) => index + 1 - due(at)))
}

test('two servers share 5,000 devices, none is sent to twice, and together they keep the rate', async () => {
  const pushes: Push[] = []
  const first = await openNoting(pushes, 'first')
  await openNoting(pushes, 'second')
  const runID = await room.startRun(first, await room.addDevices(5_000), { perMinute: 60_000 })
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
  expect(pushes).toHaveLength(5_000)
  expect(twice(pushes)).toBe(0)
  expect(new Set(pushes.map((push) => push.by))).toEqual(new Set(['first', 'second']))
  const run = await room.readRun(runID)
  expect(run).toMatchObject({ total: 5_000, success: 5_000 })
  // However long it takes: never ahead.
  expect(aheadOf(pushes, 60_000, run.started_at)).toBeLessThanOrEqual(0)
})

test('two servers that take as fast as they can never take the same device', async () => {
  const pushes: Push[] = []
  const first = await openNoting(pushes, 'first')
  await openNoting(pushes, 'second')
  const runID = await room.startRun(first, await room.addDevices(5_000), { perMinute: 6_000_000 })
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
  expect(pushes).toHaveLength(5_000)
  expect(twice(pushes)).toBe(0)
})

test('a server that is killed in the middle loses no device, and none is sent to twice', async () => {
  await sql`create table pushed (device_id bigint not null, by text not null)`.execute(room.db)
  const lost = '服务器中断，结果未知'
  const program = fileURLToPath(new URL('testing/doomed-server.ts', import.meta.url))
  const doomed = spawn(process.execPath, [program, room.url, lost])
  // Else the other one has sent to all of them before it comes.
  await once(doomed.stdout, 'data')
  const server = await room.openServer(
    testKind({
      send: async (_run, { deviceID }) => {
        await sql`insert into pushed (device_id, by) values (${deviceID}, 'survivor')`.execute(room.db)
        return { result: 'done' }
      },
      lost: () => ({ then: 'failed', msg: lost }),
    }),
  )
  const devices = await room.addDevices(600)
  const runID = await room.startRun(server, devices, { perMinute: 6_000 })
  const sentBy = async (by: string) => {
    const { rows } = await sql<{ device_id: number }>`select device_id from pushed where by = ${by}`.execute(room.db)
    return rows.map((row) => row.device_id)
  }
  await expect.poll(async () => (await sentBy('doomed')).length).toBeGreaterThan(30)
  const exited = once(doomed, 'exit')
  doomed.kill('SIGKILL')
  await exited
  // All the others are over; those that it had in hand wait for their claim to end.
  const open = async () => (await room.readRows(runID)).filter((row) => row.state < RowState.success)
  await expect.poll(async () => (await open()).every((row) => row.state === RowState.sent)).toBe(true)
  room.clock.advance(60_000)
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
  const all = [...(await sentBy('doomed')), ...(await sentBy('survivor'))]
  expect(new Set(all).size).toBe(all.length)
  const rows = await room.readRows(runID)
  expect(rows.some((row) => row.msg === lost)).toBe(true)
  for (const row of rows) {
    expect(row.state === RowState.success || row.msg === lost).toBe(true)
    expect(row.attempts).toBe(1)
  }
  expect(await room.readRun(runID)).toMatchObject({ total: 600 })
})

test('a server that stops gives back what it has not sent, and another goes on with it', async () => {
  const pushes: Push[] = []
  const held = Promise.withResolvers<void>()
  const leaving = await room.openServer(
    testKind({
      send: async (_run, { deviceID }) => {
        pushes.push({ deviceID, by: 'leaving', at: 0 })
        await held.promise
        return { result: 'done' }
      },
    }),
  )
  const devices = await room.addDevices(300)
  const runID = await room.startRun(leaving, devices, { perMinute: 60_000 })
  // So many are sent to at a time, the others it took wait.
  await expect.poll(() => pushes.length).toBe(64)
  await expect
    .poll(async () => (await room.readRows(runID)).filter((row) => row.state === 2).length)
    .toBeGreaterThan(64)
  const stopped = leaving.stop()
  held.resolve()
  await stopped
  expect((await room.readRows(runID)).filter((row) => row.state === RowState.sent)).toHaveLength(0)
  await openNoting(pushes, 'other')
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
  expect(pushes).toHaveLength(300)
  expect(twice(pushes)).toBe(0)
})

test('while the database is away nothing is lost, and the log tells of it once', async () => {
  const pushes: Push[] = []
  const server = await openNoting(pushes, 'only')
  const runID = await room.startRun(server, await room.addDevices(600), { perMinute: 12_000 })
  await expect.poll(() => pushes.length).toBeGreaterThan(50)
  const admin = (text: string) => adminQuery(inject('databaseUrl'), text)
  await admin(`alter database ${room.databaseName} with allow_connections false`)
  try {
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${room.databaseName}'`)
    const warnings = () => server.logged.filter((line) => /"work":"rollouts".*failed, trying again/.test(line))
    await expect.poll(() => warnings().length).toBe(1)
    const answer = server.rollouts.settle({ id: 1 }, { result: 'success' })
    await expect(answer).rejects.toThrow()
    expect(warnings()).toHaveLength(1)
  } finally {
    await admin(`alter database ${room.databaseName} with allow_connections true`)
  }
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
  expect(await room.readRun(runID)).toMatchObject({ total: 600, success: 600 })
  expect(pushes).toHaveLength(600)
  expect(twice(pushes)).toBe(0)
  expect(server.logged.some((line) => /"work":"rollouts".*goes on/.test(line))).toBe(true)
})
