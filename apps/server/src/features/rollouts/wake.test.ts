import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { RowState, RunState } from './rollout-kind.ts'
import { parkedUntil } from './run-row.ts'
import { type RolloutServer, testKind } from './testing/rollout-server.ts'
import { openRolloutsRoom, productID, type RolloutsRoom } from './testing/rollouts-room.ts'

let room: RolloutsRoom
beforeAll(async () => {
  room = await openRolloutsRoom()
})
afterEach(() => room.clear())
afterAll(() => room.close())

/** Sends only to devices that the database says are online. */
async function openPatient() {
  const tries: number[] = []
  const server = await room.openServer(
    testKind({
      send: async (_run, row) => {
        tries.push(row.deviceID)
        const device = await room.db
          .selectFrom('device')
          .select('is_online')
          .where('device_id', '=', row.deviceID)
          .executeTakeFirst()
        return device?.is_online === 1 ? { result: 'done' } : { result: 'offline', msg: '等待设备上线' }
      },
    }),
  )
  return { server, tries }
}
const connect = async ({ bus }: RolloutServer, deviceIDs: number[]) => {
  await room.setOnline(deviceIDs, 1)
  for (const deviceID of deviceIDs) {
    const device = { productID, deviceName: `d${deviceID}`, deviceID }
    bus.emit('device.presence', { device, online: true, at: room.clock.now(), reason: '' })
  }
}
const parked = async (runID: number) => (await room.readRows(runID)).filter((row) => row.due_at === parkedUntil).length

test('a device that is away is sent to when it connects, and the tries before do not count', async () => {
  const { server, tries } = await openPatient()
  const devices = await room.addDevices(3, 2)
  const [here = 0] = await room.addDevices(1)
  const runID = await room.startRun(server, [...devices, here])
  await expect.poll(() => parked(runID)).toBe(3)
  expect((await room.readRows(runID))[0]).toMatchObject({ state: RowState.waiting, attempts: 0, msg: '等待设备上线' })
  await connect(server, devices.slice(0, 2))
  await expect.poll(async () => (await room.readRun(runID)).success).toBe(3)
  expect((await room.readRows(runID)).map((row) => row.attempts)).toEqual([1, 1, 0, 1])
  expect(await room.stateOf(runID)).toBe(RunState.running)
  await connect(server, devices.slice(2))
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
  // Once in vain, once for good.
  expect(tries.filter((deviceID) => deviceID === devices[2])).toHaveLength(2)
})

test('devices that are away do not use up the pace of those that are there', async () => {
  const { server } = await openPatient()
  const away = await room.addDevices(5, 2)
  const [here = 0] = await room.addDevices(1)
  const began = room.clock.now()
  // One a minute: six minutes if the five counted.
  const runID = await room.startRun(server, [...away, here], { perMinute: 1 })
  await expect.poll(async () => (await room.readRun(runID)).success).toBe(1)
  expect(room.clock.now() - began).toBeLessThan(240_000)
})

test('a device that connects in the very moment in which it is found away is not forgotten', async () => {
  const device = await room.addDevices(1, 2)
  const steps: string[] = []
  const server: RolloutServer = await room.openServer(
    testKind({
      send: async () => {
        if (steps.length > 0) return { result: 'done' }
        steps.push('away')
        // Its connection is written and told before the machinery has noted that it was away.
        await connect(server, device)
        return { result: 'offline' }
      },
    }),
  )
  const runID = await room.startRun(server, device)
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
})

test('a device whose connection is being written meanwhile is tried again soon instead of being parked', async () => {
  const device = await room.addDevices(1, 2)
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let away = true
  const server = await room.openServer(
    testKind({ send: async () => (away ? { result: 'offline' } : { result: 'done' }) }),
  )
  const writing = room.db.transaction().execute(async (tx) => {
    await sql`update device set is_online = 1 where device_id = any (${device})`.execute(tx)
    begun.resolve()
    await held.promise
  })
  await begun.promise
  const runID = await room.startRun(server, device)
  await expect.poll(async () => (await room.readRows(runID))[0]?.due_at ?? 0).toBeGreaterThan(0)
  expect(await parked(runID)).toBe(0)
  away = false
  held.resolve()
  await writing
  await expect.poll(() => room.stateOf(runID)).toBe(RunState.done)
})

test('rows whose device came without a word, or was deleted, are found by looking', async () => {
  const { server } = await openPatient()
  const [came = 0, gone = 0, away = 0] = await room.addDevices(3, 2)
  const runID = await room.startRun(server, [came, gone, away])
  await expect.poll(() => parked(runID)).toBe(3)
  await room.setOnline([came], 1)
  await room.db.deleteFrom('device').where('device_id', '=', gone).execute()
  room.clock.advance(60_000)
  await expect
    .poll(async () => (await room.readRows(runID)).map((row) => row.state))
    .toEqual([RowState.success, RowState.failed, RowState.waiting])
  expect((await room.readRows(runID))[1]?.msg).toBe('设备已删除')
})
