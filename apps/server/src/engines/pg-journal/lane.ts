/**
 * One lane of the journal: a queue and a connection. While one batch is being committed the next one gathers, so the
 * batches grow with the load; a device always takes the same lane, which keeps its order.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import { type JournalEntry, type Sender, type StoreDoubt, StoreTimeout } from '#ports/journal.ts'
import { within } from '#ports/within.ts'
import { copyIn } from './copy-query.ts'
import { cleanEntry, copyStatement, makeRowEncoder } from './encode-rows.ts'
import { findGivenUp, type Waiting } from './give-up.ts'
import { LaneConnection, storeTimeoutMs } from './lane-connection.ts'
import { blamesRow, isPassing, isRefusal, noPartition, type ServerError } from './server-errors.ts'

const maxBatch = 2_000
/** House: the window is adaptive, at most 5 ms. Waiting pays only if it makes a commit carry several messages. */
const windowMs = 3
const wantedBatch = 24
const retryMs = 50
const sweepMs = 100
/** Batches; there is one a broken connection. */
const mostUnsure = 100

/** It was on its way when the time was up. */
class SentTimeout extends StoreTimeout implements StoreDoubt {
  storedAfterAll: Promise<boolean>
  constructor(text: string, storedAfterAll: Promise<boolean>) {
    super(text)
    this.storedAfterAll = storedAfterAll
  }
}
/** A fault of ours: a number out of range, a text that is not what it should be. */
class Unencodable extends Error {}

export interface LaneOptions {
  databaseUrl: string
  /** A day that has no partition yet. */
  makeDay(client: pg.Client, logDays: number, at: number): Promise<void>
  onBatch(rows: number, ms: number): void
  onFailed(rows: number): void
  onTrouble(error: Error): void
}

const existing = 'select 1 from journal where log_days = $1 and device_id = $2 and at = $3 and seq = $4'

const sizeOf = (batches: Waiting[][]): number => batches.reduce((sum, batch) => sum + batch.length, 0)

async function isStored(client: pg.Client, { logDays, deviceID, at, seq }: JournalEntry): Promise<boolean> {
  return (await client.query(existing, [logDays, deviceID, at, seq])).rowCount === 1
}

/**
 * What an ended connection committed may be on this machine only, because it no longer waited for the standby. A commit
 * that follows does wait, and the standby then has everything before it. By a message that nobody reads: it changes no row.
 */
const reachStandby = (client: pg.Client) =>
  within(storeTimeoutMs, client.query(`select pg_logical_emit_message(true, 'ithings', '')`))

export class Lane {
  readonly #options: LaneOptions
  readonly #connection: LaneConnection
  readonly #encode = makeRowEncoder()
  #queue: Waiting[] = []
  #flying: Waiting[] = []
  /** Whole batches, or parts of them, to be tried again before anything else. */
  #again: Waiting[][] = []
  /** Batches that were sent, but the connection broke before the answer: stored or not? */
  readonly #doubtful: Waiting[][] = []
  /** Of each such batch whose callers were told that time is up, one entry, and whom to tell what became of it. */
  readonly #unsure: Array<{ entry: JournalEntry; tell(stored: boolean): void }> = []
  /** At most one of the two is set: the next flush. */
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #sweeper: NodeJS.Timeout | undefined
  #busy = false
  #stopping = false
  #lastTaken = performance.now()
  /** Messages a millisecond of late. */
  #perMs = 0

  constructor(options: LaneOptions) {
    this.#options = options
    this.#connection = new LaneConnection({
      databaseUrl: options.databaseUrl,
      onOpen: (client) => this.#settleDoubtful(client),
      onLost: options.onTrouble,
    })
  }

  get waiting(): number {
    return this.#queue.length + this.#flying.length + sizeOf(this.#doubtful) + sizeOf(this.#again)
  }

  append(entry: JournalEntry, sender?: Sender): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ entry, sender, since: performance.now(), cleaned: false, resolve, reject })
      if (!this.#busy && !this.#timer && !this.#immediate) this.#schedule()
      else if (this.#timer && this.#queue.length >= wantedBatch) {
        clearTimeout(this.#timer)
        this.#timer = undefined
        this.#immediate = setImmediate(this.#flushSoon)
      }
    })
  }

  async start(): Promise<void> {
    this.#stopping = false
    await this.#connection.start()
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs)
    this.#sweeper.unref()
  }

  /** What waits is stored first, as far as the store answers. */
  async stop(): Promise<void> {
    this.#stopping = true
    while (this.waiting > 0) {
      this.#schedule()
      await sleep(5)
    }
    clearInterval(this.#sweeper)
    await this.#connection.stop()
    for (const one of this.#unsure.splice(0)) one.tell(false)
  }

  #hasWork(): boolean {
    return this.#queue.length + this.#again.length > 0
  }

  #schedule(): void {
    if (this.#busy || this.#timer || this.#immediate || !this.#connection.client || !this.#hasWork()) return
    const queued = this.#queue.length
    const expected = this.#perMs * windowMs
    if (this.#again.length > 0 || queued >= wantedBatch || expected < 3 || this.#stopping) {
      this.#immediate = setImmediate(this.#flushSoon)
    } else {
      this.#timer = setTimeout(this.#flushSoon, Math.max(1, Math.min(windowMs, (wantedBatch - queued) / this.#perMs)))
    }
  }

  readonly #flushSoon = (): void => {
    this.#timer = undefined
    this.#immediate = undefined
    void this.#flush()
  }

  async #flush(): Promise<void> {
    const { client } = this.#connection
    // Who stood still meanwhile must not store what its devices have sent again elsewhere.
    if (performance.now() - (this.#queue[0]?.since ?? Number.POSITIVE_INFINITY) > storeTimeoutMs) this.#sweep()
    if (this.#busy || !client || !this.#hasWork()) return
    this.#busy = true
    this.#flying = this.#take()
    const begun = performance.now()
    const rows = this.#flying.length
    try {
      await copyIn(client, copyStatement, this.#encodeAll(this.#flying))
      for (const one of this.#flying) one.resolve()
      this.#options.onBatch(rows, performance.now() - begun)
    } catch (error) {
      await this.#failed(client, error as Error).catch((cause: Error) => this.#failedAgain(cause))
    }
    this.#flying = []
    this.#busy = false
    this.#schedule()
  }

  #take(): Waiting[] {
    const repeated = this.#again.shift()
    if (repeated) return repeated
    const now = performance.now()
    const elapsed = Math.max(now - this.#lastTaken, 0.1)
    this.#lastTaken = now
    const queue = this.#queue
    const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch)
    this.#queue = queue.length <= maxBatch ? [] : queue.slice(maxBatch)
    this.#perMs += (batch.length / elapsed - this.#perMs) * 0.2
    return batch
  }

  #encodeAll(batch: Waiting[]): Buffer {
    try {
      return this.#encode(batch.map((one) => one.entry))
    } catch (cause) {
      throw new Unencodable('an entry cannot be written', { cause })
    }
  }

  async #failed(client: pg.Client, error: Error): Promise<void> {
    const flying = this.#flying
    const state = (error as ServerError).code ?? ''
    if (error instanceof Unencodable) {
      this.#halve(flying, error)
    } else if (!isRefusal(error as ServerError)) {
      this.#doubtful.push(flying)
      // Nothing more is sent on it, even if it does not know yet that it is dead.
      this.#connection.drop()
    } else if (blamesRow(state)) {
      this.#halve(flying, error)
    } else if (state === noPartition) {
      await this.#makeDays(client, flying)
      this.#again.unshift(flying)
    } else if (isPassing(state)) {
      this.#options.onTrouble(error)
      this.#again.unshift(flying)
      await sleep(retryMs)
    } else {
      this.#options.onTrouble(error)
      this.#refuse(flying, error)
    }
  }

  /** The batch itself was rolled back; what broke is the making of its partition, which some row may be to blame for. */
  #failedAgain(cause: Error): void {
    this.#options.onTrouble(cause)
    const { code = '' } = cause as ServerError
    if (isRefusal(cause as ServerError) && !isPassing(code)) this.#halve(this.#flying, cause)
    else this.#again.unshift(this.#flying)
  }

  /** The row that PostgreSQL does not take is found by halving and stored in clean text. */
  #halve(batch: Waiting[], error: Error): void {
    const [one] = batch
    const half = batch.length >> 1
    if (batch.length > 1) this.#again.unshift(batch.slice(0, half), batch.slice(half))
    else if (one && !one.cleaned) this.#again.unshift([{ ...one, entry: cleanEntry(one.entry), cleaned: true }])
    else this.#refuse(batch, error)
  }

  async #makeDays(client: pg.Client, batch: Waiting[]): Promise<void> {
    const days = new Map(batch.map(({ entry }) => [`${entry.logDays} ${Math.floor(entry.at / dayMs)}`, entry]))
    for (const { logDays, at } of days.values()) await this.#options.makeDay(client, logDays, at)
  }

  #refuse(batch: Waiting[], error: Error): void {
    if (batch.length > 0) this.#options.onFailed(batch.length)
    for (const one of batch) one.reject(error)
  }

  #sweep(afterLoss = false): void {
    const unsent = [...this.#again, this.#queue]
    const isGivenUp = findGivenUp([...this.#doubtful, this.#flying], unsent, performance.now(), afterLoss)
    if (!isGivenUp) return
    for (const list of this.#doubtful) this.#drop(list, isGivenUp, true)
    for (const list of unsent) this.#drop(list, isGivenUp, false)
    this.#again = this.#again.filter((batch) => batch.length > 0)
    // A statement that takes too long loses its connection.
    if (this.#drop(this.#flying, isGivenUp, true)) this.#connection.drop()
  }

  /** Takes out, in place, what is given up, and tells it so. @returns whether there was something */
  #drop(list: Waiting[], isGivenUp: (one: Waiting) => boolean, sent: boolean): boolean {
    const dropped = list.filter(isGivenUp)
    const [first] = dropped
    if (!first) return false
    let kept = 0
    for (const one of list) if (!isGivenUp(one)) list[kept++] = one
    list.length = kept
    const text = 'not stored in time'
    this.#refuse(dropped, sent ? new SentTimeout(text, this.#hearLater(first.entry)) : new StoreTimeout(text))
    return true
  }

  #hearLater(entry: JournalEntry): Promise<boolean> {
    return new Promise((tell) => {
      this.#unsure.push({ entry, tell })
      if (this.#unsure.length > mostUnsure) this.#unsure.shift()?.tell(false)
    })
  }

  /** A batch is one statement: any row of it tells about all of them. The last first, so that order is kept. */
  async #settleDoubtful(client: pg.Client): Promise<void> {
    const doubtful = this.#doubtful
    for (let batch = doubtful.at(-1); batch; batch = doubtful.at(-1)) {
      const first = batch[0]?.entry
      const found = first && (await isStored(client, first))
      if (found) await reachStandby(client)
      doubtful.pop()
      if (found) for (const one of batch) one.resolve()
      else if (batch.length > 0) this.#again.unshift(batch)
    }
    for (let [one] = this.#unsure; one; [one] = this.#unsure) {
      const stored = await isStored(client, one.entry)
      if (stored) await reachStandby(client)
      this.#unsure.shift()
      one.tell(stored)
    }
    this.#sweep(true)
    setImmediate(() => this.#schedule())
  }
}
