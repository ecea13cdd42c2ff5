/** Regular care of the device messages: partitions ahead, packing, retention, the byte budget. One round a minute. */
import type pg from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Background } from '#background/background.ts'
import type { Loop } from '#background/loop.ts'
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
  background: Background
  metrics: Registry
  /** Bytes; undefined: as much as there is. */
  diskBudget: number | undefined
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

export class JournalKeeper {
  readonly #options: KeeperOptions
  readonly #meters: ReturnType<typeof makeMeters>
  readonly #loop: Loop
  /** Ends a rest of the packing. */
  #wake: (() => void) | undefined
  #stopped = false
  #rounds = 0
  #warnedIn = Number.NEGATIVE_INFINITY

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#meters = makeMeters(options.metrics)
    const turn = () => this.#allSteps()
    this.#loop = options.background.loop({ name: 'journal.keep', everyMs: roundMs, firstMs: roundMs, turn })
  }

  /** Makes what the journal needs before its first message. */
  async start(): Promise<void> {
    const { pool, clock } = this.#options
    this.#stopped = false
    await makePartitionsAhead(pool, clock.now())
    await ensurePackState(pool, clock.now())
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake?.()
    await this.#loop.stop()
  }

  /** One round of everything, now. */
  round(): Promise<boolean> {
    return this.#loop.flush()
  }

  /** A step that fails does not keep the others from their work. */
  async #allSteps(): Promise<undefined> {
    const { pool, clock, log } = this.#options
    const steps: Array<[string, () => Promise<unknown>]> = [
      ['partitions', () => makePartitionsAhead(pool, clock.now())],
      ['packing', () => this.#pack()],
      ['log retention', () => this.#dropLogs()],
      ['deleted devices', () => dropGoneDevices(pool, clock.now())],
      ['value retention', async () => this.#rounds % valuesEvery === 0 && dropOldValues(pool, clock.now())],
      ['disk budget', () => this.#keepBudget()],
      [
        'newest values of a dead server',
        async () => (await hasDeadMark(pool, clock.now())) && repairLatest(pool, clock.now()),
      ],
    ]
    for (const [what, step] of steps) {
      if (this.#stopped) return undefined
      await step().catch((error) => log.warn({ err: error, what }, 'care of device messages failed, trying again'))
    }
    this.#rounds += 1
    return undefined
  }

  async #pack(): Promise<void> {
    const { pool, clock } = this.#options
    const rest = (worked: number) =>
      new Promise<void>((resolve) => {
        this.#wake = resolve
        setTimeout(resolve, Math.min(worked * restShare, longestRestMs))
      })
    const { hours } = await packClosedHours(pool, clock.now(), { pause: rest, stopped: () => this.#stopped })
    this.#meters.hours.inc(hours)
    this.#meters.behind.set(Math.max(0, (clock.now() - (await readWatermark(pool))) / 1000))
  }

  async #dropLogs(): Promise<void> {
    const { pool, clock, log } = this.#options
    const dropped = await dropOldJournal(pool, clock.now())
    if (dropped.length > 0) log.info({ dropped }, 'old logs dropped')
  }

  async #keepBudget(): Promise<void> {
    const { pool, clock, log, diskBudget } = this.#options
    if (diskBudget === undefined) return
    const { bytes, warns, dropped } = await keepDiskBudget(pool, clock.now(), diskBudget)
    this.#meters.bytes.set(bytes)
    if (dropped.length > 0) {
      log.warn({ bytes, diskBudget, dropped }, 'the disk budget is used up, oldest data was dropped')
    } else if (warns && this.#rounds - this.#warnedIn >= warnEvery) {
      // As soon as it is so, because the next round may act; then once an hour.
      this.#warnedIn = this.#rounds
      log.warn({ bytes, diskBudget }, 'more than 80 % of the disk budget is used')
    }
  }
}
