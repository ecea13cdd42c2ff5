/** Regular care of the device messages: partitions ahead, packing, retention, the byte budget. One round a minute. */
import type pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Clock } from '#ports/clock.ts'
import { keepDiskBudget } from './disk-budget.ts'
import { readWatermark } from './hot-rows.ts'
import { hasDeadMark, repairLatest } from './latest-repair.ts'
import { ensurePackState, packClosedHours } from './pack.ts'
import { makePartitionsAhead } from './partitions.ts'
import { dropGoneDevices, dropOldJournal, dropOldValues } from './retention.ts'

const roundMs = 60_000
/** Old values are looked for less often: it walks through whole tables. */
const valuesEvery = 60
const warnEvery = 60
/** Packing works at most two thirds of the time, so that a second core stays for the corridor. */
const restShare = 0.5
const longestRestMs = 5_000

export interface KeeperOptions {
  pool: pg.Pool
  clock: Clock
  log: { info(context: object, text: string): void; warn(context: object, text: string): void }
  metrics: Registry
  /** Bytes; undefined: as much as there is. */
  diskBudget: number | undefined
}

export interface JournalKeeper {
  /** Makes what the journal needs before its first message. */
  start(): Promise<void>
  stop(): Promise<void>
  /** One round of everything, now. */
  round(): Promise<void>
}

function makeMeters(metrics: Registry) {
  return {
    behind: new Gauge({
      name: 'ithings_pack_behind_seconds',
      help: 'Age of the oldest message that is not packed yet, at most',
      registers: [metrics],
    }),
    hours: new Counter({ name: 'ithings_pack_hours_total', help: 'Hours of the journal packed', registers: [metrics] }),
    bytes: new Gauge({ name: 'ithings_database_bytes', help: 'Size of the database', registers: [metrics] }),
  }
}

export function makeJournalKeeper({ pool, clock, log, metrics, diskBudget }: KeeperOptions): JournalKeeper {
  const meters = makeMeters(metrics)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wake: (() => void) | undefined
  let stopped = false
  let rounds = 0
  let warnedIn = Number.NEGATIVE_INFINITY

  const rest = (worked: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, Math.min(worked * restShare, longestRestMs))
    })

  const keepBudget = async () => {
    if (diskBudget === undefined) return
    const { bytes, warns, dropped } = await keepDiskBudget(pool, clock.now(), diskBudget)
    meters.bytes.set(bytes)
    if (dropped.length > 0)
      log.warn({ bytes, diskBudget, dropped }, 'the disk budget is used up, oldest data was dropped')
    else if (warns && rounds - warnedIn >= warnEvery) {
      // As soon as it is so, because the next round may act; then once an hour.
      warnedIn = rounds
      log.warn({ bytes, diskBudget }, 'more than 80 % of the disk budget is used')
    }
  }

  const steps: Array<[string, () => Promise<void>]> = [
    ['partitions', () => makePartitionsAhead(pool, clock.now())],
    [
      'packing',
      async () => {
        const { hours } = await packClosedHours(pool, clock.now(), rest, () => stopped)
        meters.hours.inc(hours)
        meters.behind.set(Math.max(0, (clock.now() - (await readWatermark(pool))) / 1000))
      },
    ],
    [
      'log retention',
      async () => {
        const dropped = await dropOldJournal(pool, clock.now())
        if (dropped.length > 0) log.info({ dropped }, 'old logs dropped')
      },
    ],
    ['deleted devices', async () => void (await dropGoneDevices(pool, clock.now()))],
    [
      'value retention',
      async () => {
        if (rounds % valuesEvery === 0) await dropOldValues(pool, clock.now())
      },
    ],
    ['disk budget', keepBudget],
    [
      'newest values of a dead server',
      async () => {
        if (await hasDeadMark(pool, clock.now())) await repairLatest(pool, clock.now())
      },
    ],
  ]

  /** A step that fails does not keep the others from their work. */
  const allSteps = async () => {
    for (const [what, step] of steps) {
      if (stopped) return
      await step().catch((error) => log.warn({ err: error, what }, 'care of device messages failed, trying again'))
    }
    rounds += 1
  }

  const round = () => {
    running ??= allSteps().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    round,
    async start() {
      stopped = false
      await makePartitionsAhead(pool, clock.now())
      await ensurePackState(pool, clock.now())
      timer = setInterval(() => void round(), roundMs)
      timer.unref()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      wake?.()
      await running
    },
  }
}
