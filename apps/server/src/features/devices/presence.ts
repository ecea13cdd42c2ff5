/**
 * Who is connected: written in batches, so that a storm of reconnects is a few statements; correct after kill -9,
 * because every session names its server and a server that is no longer seen has no sessions (issue: presence).
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef, EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'
import { clearServers, type PresenceChange, writePresence } from './presence-store.ts'

const flushMs = 50
const mostPerFlush = 1_000
const beatMs = 5_000
/** Three missed beats. */
export const deadAfterMs = 15_000

export interface Presence {
  online(device: DeviceRef, session: { clientID: string; ip: string; connectedAt: number }): void
  offline(device: DeviceRef, reason: string, at: number): void
  /** Resolves when everything told so far is written. */
  settled(): Promise<void>
  start(): Promise<void>
  /** Everybody who was connected here is offline. */
  stop(): Promise<void>
}

export interface PresenceKit {
  db: Db
  clock: Clock
  bus: EventBus
  signal: Signal
  log: Logger
  /** This server has the database for itself, so sessions of any other are left over. */
  alone: boolean
}

export function makePresence({ db, clock, bus, signal, log, alone }: PresenceKit): Presence {
  const serverID = randomUUID()
  // The last word about a device counts; a device that flaps costs one row a flush.
  let waiting = new Map<number, PresenceChange>()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined

  const tell = (changes: PresenceChange[]) => {
    for (const { device, online, at, reason } of changes) bus.emit('device.presence', { device, online, at, reason })
  }

  const flushOnce = async () => {
    const changes = [...waiting.values()].slice(0, mostPerFlush)
    for (const { device } of changes) waiting.delete(device.deviceID)
    try {
      const { activated, children } = await writePresence(db, serverID, changes)
      tell([...changes, ...children])
      for (const { productID, deviceName } of activated) await signal.send('device.changed', { productID, deviceName })
    } catch (error) {
      log.warn({ err: error, devices: changes.length }, 'presence could not be written, trying again')
      // Newer words have come meanwhile for some of them.
      waiting = new Map([...changes.map((change) => [change.device.deviceID, change] as const), ...waiting])
      await new Promise((resolve) => setTimeout(resolve, 500).unref())
    }
  }

  const flush = async () => {
    while (waiting.size > 0) await flushOnce()
  }

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      running ??= flush().finally(() => {
        running = undefined
        if (waiting.size > 0) schedule()
      })
    }, flushMs).unref()
  }

  const note = (change: PresenceChange) => {
    waiting.set(change.device.deviceID, change)
    schedule()
  }

  const sayAlive = async () => {
    const now = clock.now()
    await sql`insert into platform_server (server_id, seen_at) values (${serverID}, ${now})
      on conflict (server_id) do update set seen_at = excluded.seen_at`.execute(db)
    const { rows } = await sql<{ server_id: string }>`
      select server_id from platform_server where server_id <> ${serverID} and seen_at < ${now - deadAfterMs}
      union select server_id from device_session where server_id not in (select server_id from platform_server)`.execute(
      db,
    )
    if (rows.length > 0) await clear(rows.map((row) => row.server_id))
  }

  const clear = async (servers: string[]) => {
    const lost = await clearServers(db, servers)
    tell(
      lost.map((device) => ({ device, online: false, at: clock.now(), reason: '服务器已停止', clientID: '', ip: '' })),
    )
  }

  return {
    online: (device, { clientID, ip, connectedAt }) =>
      note({ device, online: true, at: connectedAt, reason: '', clientID, ip }),
    offline: (device, reason, at) => note({ device, online: false, at, reason, clientID: '', ip: '' }),
    async settled() {
      while (running || waiting.size > 0) {
        clearTimeout(timer)
        timer = undefined
        running ??= flush().finally(() => {
          running = undefined
        })
        await running
      }
    },
    async start() {
      await sayAlive()
      if (alone) {
        const others = await db
          .selectFrom('platform_server')
          .select('server_id')
          .where('server_id', '<>', serverID)
          .execute()
        if (others.length > 0) await clear(others.map((row) => row.server_id))
      }
      beat = setInterval(() => {
        sayAlive().catch((error) => log.warn({ err: error }, 'the heartbeat could not be written'))
      }, beatMs).unref()
    },
    async stop() {
      clearInterval(beat)
      clearTimeout(timer)
      await running
      await clear([serverID])
    },
  }
}
