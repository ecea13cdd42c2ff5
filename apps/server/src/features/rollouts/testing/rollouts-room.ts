/** The machinery of one or several servers on a scratch database, with a kind of the test's choosing. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { type Connection, connect } from '#db/connect.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import type { EventBus } from '#ports/event-bus.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { makeTestClock } from '#testing/world.ts'
import type { RolloutKind, RolloutRow, RolloutRun, SendOutcome } from '../rollout-kind.ts'
import { makeRollouts } from '../rollouts.ts'
import type { NewRun, Rollouts } from '../rollouts-kit.ts'

export const productID = 'P0000000001'
/** Not 1 to 5, so that nothing mixes up states and the feature's own statuses. */
export const statuses = { waiting: 11, sent: 12, success: 13, failed: 14, cancelled: 15 }

export const testKind = (more: Partial<RolloutKind> = {}): RolloutKind => ({
  kind: 'task',
  statuses,
  send: async () => ({ result: 'done' }),
  lost: () => ({ then: 'again' }),
  ...more,
})

export interface RolloutServer {
  rollouts: Rollouts
  connection: Connection
  bus: EventBus
  metrics: Registry
  logged: string[]
  stop(): Promise<void>
}

export type Send = (run: RolloutRun, row: RolloutRow) => Promise<SendOutcome>

export async function openRolloutsRoom() {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('templateName'))
  const clock = makeTestClock()
  const connection = connect(database.url, () => {})
  const { db } = connection
  const servers: RolloutServer[] = []
  await sql`insert into product (product_id, product_name, secret) values (${productID}, '产品', 'x')`.execute(db)

  /** Another server; `max`: connections of its pool. */
  const openServer = async (kind: RolloutKind, max?: number): Promise<RolloutServer> => {
    const own = connect(database.url, () => {}, max)
    const signal = makePgSignal(database.url, own.pool, () => {})
    await signal.start()
    const bus = makeMemoryBus((error) => {
      throw error
    })
    const metrics = new Registry()
    const logged: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
    const rollouts = makeRollouts({ db: own.db, clock, bus, signal, log, metrics, serverID: randomUUID() })
    rollouts.register(kind)
    await rollouts.start()
    let stopped: Promise<void> | undefined
    const server: RolloutServer = {
      rollouts,
      connection: own,
      bus,
      metrics,
      logged,
      stop() {
        stopped ??= (async () => {
          await rollouts.stop()
          await signal.stop()
          await own.close()
        })()
        return stopped
      },
    }
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

  const readRun = (runID: number) =>
    db.selectFrom('rollout').selectAll().where('run_id', '=', runID).executeTakeFirstOrThrow()
  const readRows = (runID: number) =>
    db.selectFrom('rollout_device').selectAll().where('run_id', '=', runID).orderBy('position').execute()

  return {
    db,
    clock,
    url: database.url,
    openServer,
    addDevices,
    setOnline,
    startRun,
    readRun,
    readRows,
    stateOf: async (runID: number) => (await readRun(runID)).state,
    async stopServers() {
      for (const server of servers.splice(0)) await server.stop()
    },
    async close() {
      for (const server of servers.splice(0)) await server.stop()
      await connection.close()
      await database.drop()
    },
  }
}

export type RolloutsRoom = Awaited<ReturnType<typeof openRolloutsRoom>>
