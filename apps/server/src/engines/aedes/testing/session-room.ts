/** A database with devices, and brokers whose stored sessions lie in it, as many as there are servers. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { inject } from 'vitest'
import { connect } from '#db/connect.ts'
import type { SessionLimits } from '#engines/pg-sessions/limits.ts'
import { PgSessions } from '#engines/pg-sessions/pg-sessions.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { systemClock } from '#ports/clock.ts'
import { makeTestBackground } from '#testing/background.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { productID, startTestBroker, type TestBroker } from './test-broker.ts'

export interface RoomServer extends TestBroker {
  /** Its connections have no numbers, as of the only server of a database. */
  alone: boolean
  serverID: string
  sessions: PgSessions
  /** Messages that waited and had to go. */
  dropped(): Promise<number>
}

export interface SessionRoom {
  open(limits?: Partial<SessionLimits>): Promise<RoomServer>
  count(table: 'mqtt_session' | 'mqtt_filter' | 'mqtt_message'): Promise<number>
  /** A device is deleted, and made anew under its old name. */
  remake(deviceName: string): Promise<void>
  idOf(deviceName: string): number
  pool: pg.Pool
  close(): Promise<void>
}

export async function openSessionRoom(names: string[]): Promise<SessionRoom> {
  const database = await makeScratchDatabase(inject('databaseUrl'), inject('migratedTemplate'))
  const { pool, close } = connect(database.url, () => {})
  const log = pino({ level: 'silent' })
  const ids = new Map<string, number>()
  const idOf = (name: string) => ids.get(name) ?? 0
  const makeDevice = async (name: string) => {
    const text = `insert into device (product_id, device_name, secret) values ($1, $2, 'x') returning device_id as id`
    const { rows } = await pool.query<{ id: number }>(text, [productID, name])
    ids.set(name, rows[0]?.id ?? 0)
  }
  const product = `insert into product (product_id, product_name, device_type, secret) values ($1, 'product', 1, 'x')`
  await pool.query(product, [productID])
  for (const name of names) await makeDevice(name)

  return {
    idOf,
    pool,
    async open(limits = {}) {
      const metrics = new Registry()
      const signal = makePgSignal(database.url, pool, () => {})
      await signal.start()
      const background = makeTestBackground(systemClock)
      const serverID = randomUUID()
      const sessions = new PgSessions({ pool, signal, serverID, background, log, metrics, limits })
      sessions.start()
      const nextEpoch = async () => {
        if (server.alone) return undefined
        return (await pool.query<{ epoch: number }>(`select nextval('device_session_epoch') as epoch`)).rows[0]?.epoch
      }
      const world = await startTestBroker({ sessions, idOf, nextEpoch })
      const { stop } = world
      const server: RoomServer = Object.assign(world, {
        alone: false,
        serverID,
        sessions,
        async dropped() {
          const found = await metrics.getSingleMetric('ithings_mqtt_queue_dropped_total')?.get()
          return found?.values[0]?.value ?? 0
        },
        async stop() {
          await stop()
          await sessions.stop()
          await signal.stop()
        },
      })
      return server
    },
    async count(table) {
      return (await pool.query<{ count: number }>(`select count(*) from ${table}`)).rows[0]?.count ?? 0
    },
    async remake(deviceName) {
      await pool.query('delete from device where device_id = $1', [idOf(deviceName)])
      await makeDevice(deviceName)
    },
    async close() {
      await close()
      await database.drop()
    },
  }
}
