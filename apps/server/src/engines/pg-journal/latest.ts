/**
 * Newest values: in memory for devices at work, written each second. What a crash keeps from being written is still in
 * the journal and is repaired at the next start (decisions.md 5), so these writes need not wait for the disk.
 */
import { setTimeout as rest } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '#ports/clock.ts'
import type { LatestValue, LatestValues } from '#ports/latest-values.ts'
import { jsonbText } from './encode-rows.ts'
import { repairLatest } from './latest-repair.ts'

const maxDevices = 100_000
const flushMs = 1_000
/** Small portions with a breath in between: messages that wait for their commit are not held up by a large write. */
const flushChunk = 200
const breathMs = 10
/** More than this must be written without resting. */
const restful = 10_000
/** Other servers write too: memory is trusted for as long as a flush takes to arrive. */
const freshMs = 1_000
/** Everything received longer ago than this is either put here or refused (append gives up after 5 s). */
const settledMs = 10_000

/** With what decides whether another value is newer (LatestValues.put). */
interface Known extends LatestValue {
  at: number
  /** The newest time that was stated so far, at most that of its receipt; 0: none was. */
  stated: number
}

interface Held {
  values: Map<string, Known>
  /** Properties that are not written yet. */
  dirty: Set<string>
  /** What the database knew is in `values`. */
  readAt: number
}

export interface LatestOptions {
  pool: pg.Pool
  clock: Clock
  nodeNumber: number
  log: { warn(context: object, text: string): void }
  metrics: Registry
}

export interface PgLatest extends LatestValues {
  start(): Promise<void>
  stop(): Promise<void>
  /** Writes what is not written yet; the timer does it each second. */
  flush(): Promise<void>
}

/** decisions.md 4.2: same device, same property and device time. Asked for equal times only. */
const isSame = (known: unknown, value: unknown): boolean =>
  known === value || (typeof value === 'object' && isDeepStrictEqual(known, value))

/** Late, or the same message again, be it after one without a time. */
const comesLate = (known: Known, value: unknown, claim: number, stated: number): boolean =>
  claim < known.stated || (claim === known.stated && (known.time !== stated || isSame(known.value, value)))

/** The last two are left out where nothing was stated: then the time is that of the receipt. */
type Stored = [value: unknown, time: number, stated?: number, at?: number]
type StoredRow = { device_id: number; properties: Record<string, Stored> }

const toStored = ({ value, time, stated, at }: Known): Stored =>
  stated === 0 && time === at ? [value, time] : [value, time, stated, at]
const toKnown = ([value, time, stated = 0, at = time]: Stored): Known => ({ value, time, stated, at })

/** Of what one server holds and what the database has: another server may have written it. */
function newerOf(held: Known | undefined, stored: Known): Known {
  if (!held) return stored
  // A value that came with a time has the newest one that was stated.
  const isLate = held.stated < stored.stated && Math.min(held.time, held.at) === held.stated
  if (isLate || held.at < stored.at) return stored
  return { ...held, stated: Math.max(held.stated, stored.stated) }
}

const writeRows = `
  insert into device_latest (device_id, properties, flushed_at)
  select given.device_id, given.properties::jsonb, $3 from unnest($1::bigint[], $2::text[]) as given (device_id, properties)
  join device using (device_id) order by given.device_id
  on conflict (device_id) do update
    set properties = device_latest.properties || excluded.properties, flushed_at = excluded.flushed_at`
const writeMark = `
  insert into latest_flush (node, until_at) values ($1, $2)
  on conflict (node) do update set until_at = greatest(latest_flush.until_at, excluded.until_at)`

export function makePgLatest({ pool, clock, nodeNumber, log, metrics }: LatestOptions): PgLatest {
  const held = new Map<number, Held>()
  let dirty = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  let stopping = false

  new Gauge({
    name: 'ithings_latest_devices',
    help: 'Devices whose newest values are in memory, and those with values not written yet',
    labelNames: ['what'],
    registers: [metrics],
    collect() {
      this.set({ what: 'held' }, held.size)
      this.set({ what: 'unwritten' }, dirty.size)
    },
  })

  const hold = (deviceID: number): Held => {
    const known = held.get(deviceID)
    if (known) return known
    const fresh: Held = { values: new Map(), dirty: new Set(), readAt: Number.NEGATIVE_INFINITY }
    held.set(deviceID, fresh)
    if (held.size > maxDevices) evict()
    return fresh
  }

  /** The longest held go first; what is not written stays. */
  const evict = () => {
    for (const [deviceID, one] of held) {
      if (held.size <= maxDevices * 0.95) return
      if (one.dirty.size === 0) held.delete(deviceID)
    }
    void flush()
  }

  const load = async (deviceIDs: number[]): Promise<void> => {
    if (deviceIDs.length === 0) return
    const readAt = clock.now()
    const { rows } = await pool.query<StoredRow>(
      'select device_id, properties from device_latest where device_id = any($1::bigint[])',
      [deviceIDs],
    )
    for (const row of rows) {
      const { values } = hold(Number(row.device_id))
      for (const [id, stored] of Object.entries(row.properties)) {
        values.set(id, newerOf(values.get(id), toKnown(stored)))
      }
    }
    for (const deviceID of deviceIDs) {
      const one = held.get(deviceID)
      if (one) one.readAt = readAt
    }
  }

  const write = async (deviceIDs: number[], until: number | undefined): Promise<void> => {
    await load(deviceIDs.filter((deviceID) => held.get(deviceID)?.readAt === Number.NEGATIVE_INFINITY))
    const taken = deviceIDs.map((deviceID) => {
      const one = hold(deviceID)
      const changes = one.dirty
      one.dirty = new Set()
      return { deviceID, one, changes }
    })
    const texts = taken.map(({ one, changes }) => {
      const pairs: Record<string, Stored> = {}
      for (const id of changes) {
        const latest = one.values.get(id)
        if (latest) pairs[id] = toStored(latest)
      }
      return jsonbText(JSON.stringify(pairs))
    })
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('set local synchronous_commit = off')
      if (deviceIDs.length > 0) await client.query(writeRows, [deviceIDs, texts, clock.now()])
      if (until !== undefined) await client.query(writeMark, [nodeNumber, until])
      await client.query('commit')
      client.release()
    } catch (error) {
      client.release(error as Error)
      for (const { deviceID, one, changes } of taken) {
        for (const id of changes) one.dirty.add(id)
        dirty.add(deviceID)
      }
      throw error
    }
    // Seen lately: last to be forgotten.
    for (const { deviceID, one } of taken) {
      held.delete(deviceID)
      held.set(deviceID, one)
    }
  }

  const flushAll = async () => {
    const until = clock.now() - settledMs
    const devices = [...dirty]
    dirty = new Set()
    let next = 0
    try {
      do {
        const chunk = devices.slice(next, next + flushChunk)
        const isLast = next + flushChunk >= devices.length
        await write(chunk, isLast ? until : undefined)
        next += flushChunk
        if (!isLast && devices.length <= restful && !stopping) await rest(breathMs)
      } while (next < devices.length)
    } catch (error) {
      for (const deviceID of devices.slice(next)) dirty.add(deviceID)
      log.warn({ err: error }, 'newest values could not be written, trying again')
    }
  }

  function flush(): Promise<void> {
    flushing ??= flushAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  /** One that is under way may have begun before what must be written came. */
  const flushAgain = async () => {
    await flushing
    await flush()
  }

  const isFresh = (deviceID: number) => (held.get(deviceID)?.readAt ?? 0) > clock.now() - freshMs
  const copyOf = (deviceID: number): Record<string, LatestValue> => {
    const one = held.get(deviceID)
    return one ? Object.fromEntries([...one.values].map(([id, { value, time }]) => [id, { value, time }])) : {}
  }

  return {
    put(deviceID, values, at, stated = 0) {
      const one = hold(deviceID)
      const claim = Math.min(stated, at)
      let late: string[] | undefined
      for (const id in values) {
        const known = one.values.get(id)
        if (known && claim !== 0 && comesLate(known, values[id], claim, stated)) {
          late ??= []
          late.push(id)
          continue
        }
        one.values.set(id, { value: values[id], time: stated || at, at, stated: claim || (known?.stated ?? 0) })
        one.dirty.add(id)
      }
      if (one.dirty.size > 0) dirty.add(deviceID)
      return late
    },
    peek(deviceID) {
      const one = held.get(deviceID)
      return one && one.readAt !== Number.NEGATIVE_INFINITY ? one.values : undefined
    },
    async read(deviceID) {
      if (!isFresh(deviceID)) {
        hold(deviceID)
        await load([deviceID])
      }
      return copyOf(deviceID)
    },
    async readMany(deviceIDs) {
      const stale = deviceIDs.filter((deviceID) => !isFresh(deviceID))
      for (const deviceID of stale) hold(deviceID)
      await load(stale)
      return new Map(deviceIDs.map((deviceID) => [deviceID, copyOf(deviceID)]))
    },
    async forget(deviceID) {
      held.delete(deviceID)
      dirty.delete(deviceID)
      await pool.query('delete from device_latest where device_id = $1', [deviceID])
    },
    flush: flushAgain,
    async start() {
      await repairLatest(pool, clock.now())
      await pool.query(writeMark, [nodeNumber, clock.now() - settledMs])
      timer = setInterval(() => void flush(), flushMs)
      timer.unref()
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await flushAgain()
      // Everything is written: nobody has to repair after this server.
      if (dirty.size === 0) await pool.query('delete from latest_flush where node = $1', [nodeNumber])
    },
  }
}
