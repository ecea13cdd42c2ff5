/**
 * Newest values: in memory for devices at work, written each second. What a crash keeps from being written is still in
 * the journal and is repaired at the next start (decisions.md 5), so these writes need not wait for the disk.
 */
import { setTimeout as rest } from 'node:timers/promises'
import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '#ports/clock.ts'
import type { LatestValue, LatestValues } from '#ports/latest-values.ts'
import { jsonbText } from './encode-rows.ts'
import { repairLatest } from './latest-repair.ts'
import {
  comesLate,
  type Known,
  type MergedRow,
  newerOf,
  type Stored,
  type StoredRow,
  toKnown,
  toStored,
} from './latest-rules.ts'

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
  /** Devices that are kept in memory. */
  mostDevices: number
  log: { warn(context: object, text: string): void }
  metrics: Registry
}

/** What this server wrote last, it knows; what another one wrote meanwhile may be newer than what is held here. */
const writeRows = `
  insert into device_latest (device_id, properties, flushed_at, flushed_by)
  select given.device_id, given.properties::jsonb, $3, $4::integer
  from unnest($1::bigint[], $2::text[]) as given (device_id, properties)
  join device using (device_id) order by given.device_id
  on conflict (device_id) do update
    set properties = case when device_latest.flushed_by in ($4::integer, -2 - $4::integer)
        then device_latest.properties || excluded.properties
        else merge_latest(device_latest.properties, excluded.properties) end,
      flushed_at = excluded.flushed_at,
      flushed_by = case when device_latest.flushed_by in ($4::integer, -2 - $4::integer) then $4::integer else -2 - $4::integer end
  returning device_id, case when flushed_by < -1 then properties end as merged`
const writeMark = `
  insert into latest_flush (node, until_at) values ($1, $2)
  on conflict (node) do update set until_at = greatest(latest_flush.until_at, excluded.until_at)`

interface Taken {
  deviceID: number
  one: Held
  changes: Set<string>
}

function textOf({ one, changes }: Taken): string {
  const pairs: Record<string, Stored> = {}
  for (const id of changes) {
    const latest = one.values.get(id)
    if (latest) pairs[id] = toStored(latest)
  }
  return jsonbText(JSON.stringify(pairs))
}

export class PgLatest implements LatestValues {
  readonly #options: LatestOptions
  readonly #held = new Map<number, Held>()
  /** Devices with values that are not written yet. */
  #dirty = new Set<number>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #stopping = false

  constructor(options: LatestOptions) {
    this.#options = options
    const count = () => ({ held: this.#held.size, unwritten: this.#dirty.size })
    new Gauge({
      name: 'ithings_latest_devices',
      help: 'Devices whose newest values are in memory, and those with values not written yet',
      labelNames: ['what'],
      registers: [options.metrics],
      collect() {
        for (const [what, devices] of Object.entries(count())) this.set({ what }, devices)
      },
    })
  }

  async start(): Promise<void> {
    const { pool, clock, nodeNumber } = this.#options
    await repairLatest(pool, clock.now())
    await pool.query(writeMark, [nodeNumber, clock.now() - settledMs])
    this.#timer = setInterval(() => void this.#flushOnce(), flushMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    const { pool, nodeNumber } = this.#options
    this.#stopping = true
    clearInterval(this.#timer)
    await this.flush()
    // Everything is written: nobody has to repair after this server.
    if (this.#dirty.size === 0) await pool.query('delete from latest_flush where node = $1', [nodeNumber])
  }

  put(deviceID: number, values: Record<string, unknown>, at: number, stated = 0): string[] | undefined {
    const one = this.#hold(deviceID)
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
    if (one.dirty.size > 0) this.#dirty.add(deviceID)
    return late
  }

  peek(deviceID: number): ReadonlyMap<string, LatestValue> | undefined {
    const one = this.#held.get(deviceID)
    return one && one.readAt !== Number.NEGATIVE_INFINITY ? one.values : undefined
  }

  doubt(deviceID: number): void {
    const one = this.#held.get(deviceID)
    if (one) one.readAt = Number.NEGATIVE_INFINITY
  }

  /** Without a wait when memory is fresh: what is asked for is the state of this moment. */
  async read(deviceID: number): Promise<Record<string, LatestValue>> {
    if (!this.#isFresh(deviceID)) await this.#load([deviceID])
    return this.#copyOf(deviceID)
  }

  async readMany(deviceIDs: number[]): Promise<Map<number, Record<string, LatestValue>>> {
    await this.#load(deviceIDs.filter((deviceID) => !this.#isFresh(deviceID)))
    return new Map(deviceIDs.map((deviceID) => [deviceID, this.#copyOf(deviceID)]))
  }

  async forget(deviceID: number): Promise<void> {
    this.#held.delete(deviceID)
    this.#dirty.delete(deviceID)
    await this.#options.pool.query('delete from device_latest where device_id = $1', [deviceID])
  }

  /** Writes what is not written yet. One that is under way may have begun before what must be written came. */
  async flush(): Promise<void> {
    await this.#flushing
    await this.#flushOnce()
  }

  #hold(deviceID: number): Held {
    const known = this.#held.get(deviceID)
    if (known) return known
    const fresh: Held = { values: new Map(), dirty: new Set(), readAt: Number.NEGATIVE_INFINITY }
    this.#held.set(deviceID, fresh)
    if (this.#held.size > this.#options.mostDevices) this.#evict()
    return fresh
  }

  /** The longest held go first; what is not written stays. */
  #evict(): void {
    for (const [deviceID, one] of this.#held) {
      if (this.#held.size <= this.#options.mostDevices * 0.95) return
      if (one.dirty.size === 0) this.#held.delete(deviceID)
    }
    void this.#flushOnce()
  }

  #copyOf(deviceID: number): Record<string, LatestValue> {
    const one = this.#held.get(deviceID)
    return one ? Object.fromEntries([...one.values].map(([id, { value, time }]) => [id, { value, time }])) : {}
  }

  #isFresh(deviceID: number): boolean {
    return (this.#held.get(deviceID)?.readAt ?? 0) > this.#options.clock.now() - freshMs
  }

  async #load(deviceIDs: number[]): Promise<void> {
    if (deviceIDs.length === 0) return
    for (const deviceID of deviceIDs) this.#hold(deviceID)
    const readAt = this.#options.clock.now()
    const { rows } = await this.#options.pool.query<StoredRow>(
      'select device_id, properties from device_latest where device_id = any($1::bigint[])',
      [deviceIDs],
    )
    for (const row of rows) this.#learn(Number(row.device_id), row.properties)
    for (const deviceID of deviceIDs) {
      const one = this.#held.get(deviceID)
      if (one) one.readAt = readAt
    }
  }

  #learn(deviceID: number, properties: StoredRow['properties']): void {
    const { values } = this.#hold(deviceID)
    for (const [id, stored] of Object.entries(properties)) values.set(id, newerOf(values.get(id), toKnown(stored)))
  }

  #flushOnce(): Promise<void> {
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flushAll(): Promise<void> {
    const until = this.#options.clock.now() - settledMs
    const devices = [...this.#dirty]
    this.#dirty = new Set()
    let next = 0
    try {
      do {
        const chunk = devices.slice(next, next + flushChunk)
        const isLast = next + flushChunk >= devices.length
        await this.#write(chunk, isLast ? until : undefined)
        next += flushChunk
        if (!isLast && devices.length <= restful && !this.#stopping) await rest(breathMs)
      } while (next < devices.length)
    } catch (error) {
      for (const deviceID of devices.slice(next)) this.#dirty.add(deviceID)
      this.#options.log.warn({ err: error }, 'newest values could not be written, trying again')
    }
  }

  async #write(deviceIDs: number[], until: number | undefined): Promise<void> {
    await this.#load(deviceIDs.filter((deviceID) => this.#held.get(deviceID)?.readAt === Number.NEGATIVE_INFINITY))
    const taken = deviceIDs.map((deviceID): Taken => {
      const one = this.#hold(deviceID)
      const changes = one.dirty
      one.dirty = new Set()
      return { deviceID, one, changes }
    })
    try {
      await this.#commit(taken, until)
    } catch (error) {
      for (const { deviceID, one, changes } of taken) {
        for (const id of changes) one.dirty.add(id)
        this.#dirty.add(deviceID)
      }
      throw error
    }
    // Seen lately: last to be forgotten.
    for (const { deviceID, one } of taken) {
      this.#held.delete(deviceID)
      this.#held.set(deviceID, one)
    }
  }

  async #commit(taken: Taken[], until: number | undefined): Promise<void> {
    const { pool, clock, nodeNumber } = this.#options
    const rows = [taken.map(({ deviceID }) => deviceID), taken.map(textOf)]
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('set local synchronous_commit = off')
      const parameters = [...rows, clock.now(), nodeNumber]
      const written = taken.length > 0 ? await client.query<MergedRow>(writeRows, parameters) : undefined
      if (until !== undefined) await client.query(writeMark, [nodeNumber, until])
      await client.query('commit')
      client.release()
      for (const { device_id: deviceID, merged } of written?.rows ?? [])
        if (merged) this.#learn(Number(deviceID), merged)
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }
}
