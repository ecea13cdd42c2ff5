/**
 * Facts of a device whose past this server does not know yet wait, in their order, until it is read: which values came
 * late, and, with several servers, which states another one began or ended. Many devices are read at once.
 */
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import { parseTraceID } from '#ports/journal.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { Fact } from '../engine/engine-types.ts'
import type { HoldRow, HoldStore } from './hold-store.ts'
import type { MemoryRow, MemoryStore } from './memory-store.ts'

/** A device that speaks to this server all the time does not speak to another one. */
const freshMs = 3_000
/** About 53 bytes each, 11 MB when full (scaling.md "算一算"). */
const mostFresh = 200_000
const devicesAtOnce = 1_000
/** Beyond this nothing waits: what is known must do. */
const mostFacts = 20_000

export interface GateDeps extends Common<'db' | 'clock' | 'log'> {
  latest: LatestValues
  store: HoldStore
  memory: MemoryStore
  alone: boolean
  /** The states of these devices as the database knows them. */
  restore(deviceIDs: number[], rows: HoldRow[], memories: MemoryRow[]): void
  judge(fact: Fact): void
}

/** As `device_latest` has them: value, time and, if the time is the device's own, what it stated and when it came. */
type Times = Record<string, [unknown, number, number?, number?]>

/** The time of a device whose clock is ahead is the time at which its message came. */
const timeOf = ([, time, , at = time]: Times[string]): number => Math.min(time, at)
const cameAt = ([, time, , at = time]: Times[string]): number => at

/**
 * Without what is older than what was known when it came: what came behind it may be written already by the time that
 * this is read. @returns undefined when nothing is left
 */
export function withoutLate(fact: Fact, known: Times | undefined): Fact | undefined {
  if (fact.kind !== 'values' || !known) return fact
  const came = parseTraceID(fact.traceID)?.at ?? Number.POSITIVE_INFINITY
  const isNews = (value: Times[string]) => timeOf(value) <= fact.at || cameAt(value) > came
  const news = Object.entries(fact.values).filter(([id]) => !known[id] || isNews(known[id]))
  if (news.length === 0) return undefined
  const { device, at, traceID } = fact
  return { kind: 'values', device, at, traceID, values: Object.fromEntries(news) }
}

export function makeDeviceGate({ db, clock, log, latest, store, memory, alone, restore, judge }: GateDeps) {
  const waiting = new Map<number, Fact[]>()
  /** When the oldest that waits began to. */
  let oldest: number | undefined
  /** When the device was heard last. */
  const heard = new Map<number, number>()
  let facts = 0
  let running: Promise<void> | undefined

  const read = async (deviceIDs: number[]): Promise<Map<number, Times>> => {
    const { rows } = await sql<{ device_id: number; properties: Times }>`
      select device_id, properties from device_latest where device_id = any (${deviceIDs}::bigint[])`.execute(db)
    if (!alone) restore(deviceIDs, await store.load(deviceIDs), await memory.load(deviceIDs))
    return new Map(rows.map((row) => [row.device_id, row.properties]))
  }

  const letIn = (deviceID: number, times: Times | undefined) => {
    const own = waiting.get(deviceID) ?? []
    waiting.delete(deviceID)
    facts -= own.length
    for (const fact of own) {
      const news = withoutLate(fact, times)
      if (news) judge(news)
    }
  }

  const run = async () => {
    while (waiting.size > 0) {
      const begun = clock.now()
      const deviceIDs = [...waiting.keys()].slice(0, devicesAtOnce)
      let times = new Map<number, Times>()
      try {
        times = await read(deviceIDs)
      } catch (error) {
        log.warn({ err: error }, 'what scenes know about devices could not be read')
      }
      for (const deviceID of deviceIDs) letIn(deviceID, times.get(deviceID))
      // What came meanwhile came after this.
      oldest = waiting.size > 0 ? begun : undefined
    }
  }

  const isFresh = (deviceID: number, now: number): boolean => {
    const last = heard.get(deviceID)
    if (heard.size >= mostFresh && last === undefined) heard.clear()
    heard.set(deviceID, now)
    return last !== undefined && now - last < freshMs
  }

  return {
    /**
     * @param remembers a trigger with a memory can be concerned
     * @param dated the device said when: that may be long ago
     * @returns false: the fact waits and is judged later
     */
    pass(fact: Fact, remembers: boolean, dated: boolean): boolean {
      const { deviceID } = fact.device
      const others = waiting.get(deviceID)
      const stale = !alone && remembers && !isFresh(deviceID, clock.now())
      if (!others && !stale && !(dated && latest.peek(deviceID) === undefined)) return true
      if (facts >= mostFacts) return true
      facts++
      oldest ??= clock.now()
      if (others) others.push(fact)
      else waiting.set(deviceID, [fact])
      running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run).finally(() => {
        running = undefined
      })
      return false
    },
    /** It came or left: what it did or does elsewhere is not known here. */
    doubt: (deviceID: number) => void heard.delete(deviceID),
    async settled() {
      while (running !== undefined) await running
    },
    get oldest() {
      return oldest
    },
  }
}

export type DeviceGate = ReturnType<typeof makeDeviceGate>
