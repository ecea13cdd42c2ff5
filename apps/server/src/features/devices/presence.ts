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
  /** This server, as device_session names it. */
  readonly serverID: string
  online(device: DeviceRef, session: { clientID: string; ip: string; connectedAt: number }): void
  offline(device: DeviceRef, reason: string, at: number): void
  /** The same of a connection here that has ended. */
  left(device: DeviceRef, reason: string, at: number, session: { ip: string; seconds: number }): void
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
  /**
   * Comings and goings for the hub log, without the connections of this server that begin, which tell of themselves.
   * Of the servers that hear of one, the one whose statement changed the device is told: a device that is connected to
   * another server by now has not left.
   */
  writeDown(changes: PresenceChange[]): void
  /** This server has the database for itself, so sessions of any other are left over. */
  alone: boolean
}

export function makePresence({ db, clock, bus, signal, log, writeDown, alone }: PresenceKit): Presence {
  const serverID = randomUUID()
  // The last word about a device counts; a device that flaps costs one row a flush.
  let waiting = new Map<number, PresenceChange>()
  /** Who is here, in case other servers took us for dead and wrote them off. */
  const here = new Map<number, PresenceChange>()
  let writing: PresenceChange[] = []
  let running: Promise<boolean> | undefined
  let timer: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined

  const tell = (changes: PresenceChange[]) => {
    for (const { device, online, at, reason } of changes) bus.emit('device.presence', { device, online, at, reason })
  }

  /** @returns whether it could be written */
  const write = async (changes: PresenceChange[]): Promise<boolean> => {
    if (changes.length === 0) return true
    try {
      const { activated, changed, unlogged } = await writePresence(db, serverID, changes)
      tell(changed)
      writeDown(unlogged)
      for (const { productID, deviceName } of activated) await signal.send('device.changed', { productID, deviceName })
      return true
    } catch (error) {
      log.warn({ err: error, devices: changes.length }, 'presence could not be written, trying again')
      // Newer words have come meanwhile for some of them.
      const newer = waiting
      waiting = new Map(changes.map((change) => [change.device.deviceID, change]))
      for (const change of newer.values()) merge(change)
      await new Promise((resolve) => setTimeout(resolve, 500).unref())
      return false
    }
  }

  const flush = (): Promise<boolean> => {
    running ??= (async () => {
      writing = [...waiting.values()].slice(0, mostPerFlush)
      for (const { device } of writing) waiting.delete(device.deviceID)
      return write(writing)
    })().finally(() => {
      running = undefined
      writing = []
      if (waiting.size > 0) schedule()
    })
    return running
  }

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, flushMs).unref()
  }

  /** The last word counts, but that it was here is not forgotten. */
  const merge = (change: PresenceChange) => {
    const { deviceID } = change.device
    const before = waiting.get(deviceID)
    const came = before?.online ? before : before?.came
    // It left and is here again: the hub log hears of both.
    if (before?.session && change.online) writeDown([before])
    waiting.set(deviceID, change.online || !came ? change : { ...change, came })
  }

  const note = (change: PresenceChange) => {
    if (change.online) here.set(change.device.deviceID, change)
    else here.delete(change.device.deviceID)
    merge(change)
    schedule()
  }

  const sayAlive = async () => {
    const now = clock.now()
    const { rows: own } = await sql<{ fresh: boolean }>`
      insert into platform_server (server_id, seen_at) values (${serverID}, ${now})
      on conflict (server_id) do update set seen_at = excluded.seen_at returning (xmax = 0) as fresh`.execute(db)
    // At the start nobody is here yet; later it means that another server has cleared us away.
    if (own[0]?.fresh) for (const change of [...here.values()]) note({ ...change, logged: false, again: true })
    const { rows } = await sql<{ server_id: string }>`
      select server_id from platform_server where server_id <> ${serverID} and seen_at < ${now - deadAfterMs}
      union select server_id from device_session where server_id not in (select server_id from platform_server)`.execute(
      db,
    )
    if (rows.length > 0) await clear(rows.map((row) => row.server_id))
  }

  const clear = async (servers: string[]) => {
    const lost = await clearServers(db, servers)
    const gone = { online: false, at: clock.now(), reason: '服务器已停止', clientID: '', ip: '' }
    const changes = lost.map((device) => ({ device, ...gone }))
    tell(changes)
    writeDown(changes)
  }

  return {
    serverID,
    online: (device, { clientID, ip, connectedAt }) =>
      note({ device, online: true, at: connectedAt, reason: '', clientID, ip, logged: clientID !== '' }),
    offline: (device, reason, at) => note({ device, online: false, at, reason, clientID: '', ip: '' }),
    left: (device, reason, at, session) => note({ device, online: false, at, reason, clientID: '', ip: '', session }),
    async settled() {
      // Only what is known now: others come and go all the time.
      const open = new Set([...writing, ...waiting.values()])
      while ([...writing, ...waiting.values()].some((change) => open.has(change))) await flush()
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
      await running
      while (waiting.size > 0 && (await flush())) {
        // Who came or left last; when it cannot be written, clearing says the same.
      }
      clearTimeout(timer)
      await clear([serverID])
    },
  }
}
