/** The machinery of one or several servers on a scratch database, with a kind of the test's choosing. */
import { fill, sayKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { makeTestClock } from '#testing/world.ts'
import type { RolloutKind } from '../rollout-kind.ts'
import type { NewRun } from '../rollouts-deps.ts'
import { openRolloutServer, type RolloutServer } from './rollout-server.ts'

export const productID = 'P0000000001'

export async function openRolloutsRoom() {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  const clock = makeTestClock()
  const connection = connect(database.url, () => {})
  const { db } = connection
  const servers: RolloutServer[] = []
  await sql`insert into product (product_id, product_name, secret) values (${productID}, '产品', 'x')`.execute(db)

  const openServer = async (kind: RolloutKind): Promise<RolloutServer> => {
    const server = await openRolloutServer(database.url, clock, kind)
    servers.push(server)
    return server
  }

  /** @returns their ids */
  const addDevices = async (count: number, isOnline: 1 | 2 = 1): Promise<number[]> => {
    const { rows } = await sql<{ device_id: number }>`
      insert into device (product_id, device_name, secret, is_online, first_login)
      select ${productID}, 'd' || replace(gen_random_uuid()::text, '-', ''), 'x', ${isOnline}, now()
      from generate_series(1, ${count}::integer) returning device_id`.execute(db)
    return rows.map((row) => row.device_id)
  }

  const setOnline = (deviceIDs: number[], isOnline: 1 | 2) =>
    sql`update device set is_online = ${isOnline} where device_id = any (${deviceIDs})`.execute(db)

  /** A run of these devices that begins at once, unless told otherwise. */
  const startRun = async ({ rollouts }: RolloutServer, devices: number[], more: Partial<NewRun> = {}) => {
    const runID = await db.transaction().execute(async (tx) => {
      const id = await rollouts.create(tx, {
        kind: 'task',
        ownerID: 1,
        productID,
        topic: 'task/1',
        trigger: 'test',
        perMinute: 600_000,
        retries: 0,
        retryMs: 0,
        startAt: clock.now(),
        userName: 'operator',
        ...more,
      })
      const rows = devices.map((deviceID) => ({ deviceID, productID, deviceName: `d${deviceID}` }))
      for (let at = 0; at < rows.length; at += 5_000) await rollouts.addRows(tx, id, rows.slice(at, at + 5_000))
      await rollouts.ready(tx, id)
      return id
    })
    rollouts.nudge()
    return runID
  }

  const stopServers = async () => {
    for (const server of servers.splice(0)) await server.stop()
  }

  const readRun = async (runID: number) => {
    const run = await db.selectFrom('rollout').selectAll().where('run_id', '=', runID).executeTakeFirstOrThrow()
    return { ...run, reason: sayKept(run.reason, fill) }
  }
  const readRows = async (runID: number) => {
    const rows = await db
      .selectFrom('rollout_device')
      .selectAll()
      .where('run_id', '=', runID)
      .orderBy('position')
      .execute()
    return rows.map((row) => ({ ...row, msg: sayKept(row.msg, fill) }))
  }

  return {
    db,
    clock,
    url: database.url,
    databaseName: database.name,
    openServer,
    addDevices,
    setOnline,
    startRun,
    readRun,
    readRows,
    stateOf: async (runID: number) => (await readRun(runID)).state,
    stopServers,
    /** After each test: what it left open would be worked on by the servers of the next one. */
    async clear() {
      await stopServers()
      await db.deleteFrom('rollout').execute()
    },
    async close() {
      await stopServers()
      await connection.close()
      await database.drop()
    },
  }
}

export type RolloutsRoom = Awaited<ReturnType<typeof openRolloutsRoom>>
