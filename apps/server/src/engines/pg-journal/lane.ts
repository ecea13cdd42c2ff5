/**
 * One lane of the journal: a queue and a connection. While one batch is being committed the next one gathers, so the
 * batches grow with the load; a device always takes the same lane, which keeps its order.
 */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import type { JournalEntry, StoreDoubt } from '#ports/journal.ts'
import { copyIn } from './copy-query.ts'
import { cleanEntry, copyStatement, makeRowEncoder } from './encode-rows.ts'
import { makeLaneConnection, storeTimeoutMs } from './lane-connection.ts'

const maxBatch = 2_000
/** House: the window is adaptive, at most 5 ms. Waiting pays only if it makes a commit carry several messages. */
const windowMs = 3
const wantedBatch = 24
const retryMs = 50
const sweepMs = 100
/** Batches; there is one a broken connection. */
const mostUnsure = 100

interface Waiting {
  entry: JournalEntry
  since: number
  cleaned: boolean
  resolve(): void
  reject(error: Error): void
}

export class StoreTimeout extends Error {}
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

/** What pg tells about an error of the server; errors of the connection have no severity. */
interface ServerError {
  code?: string
  severity?: string
}
/** The server answered and goes on: so the batch was rolled back. Anything else leaves it open. */
const isRefusal = (error: ServerError) => error.severity === 'ERROR'
const noPartition = '23514'
/** Bad data, limits of a statement: some row is to blame. */
const blamesRow = (state: string) => state.startsWith('22') || state.startsWith('54')
/** Passing: out of something, locks, serialisation, cancelled by the time limit, read-only for now. */
const isPassing = (state: string) => ['53', '55', '40', '57', '25', '58'].includes(state.slice(0, 2))

const existing = 'select 1 from journal where log_days = $1 and device_id = $2 and at = $3 and seq = $4'

export function makeLane({ databaseUrl, makeDay, onBatch, onFailed, onTrouble }: LaneOptions) {
  const encode = makeRowEncoder()
  let queue: Waiting[] = []
  let flying: Waiting[] = []
  /** Whole batches, or parts of them, to be tried again before anything else. */
  let again: Waiting[][] = []
  /** Batches that were sent, but the connection broke before the answer: stored or not? */
  const doubtful: Waiting[][] = []
  /** Of each such batch whose callers were told that time is up, one entry, and whom to tell what became of it. */
  const unsure: Array<{ entry: JournalEntry; tell(stored: boolean): void }> = []
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let sweeper: NodeJS.Timeout | undefined
  let busy = false
  let stopping = false
  let lastTaken = performance.now()
  let perMs = 0

  const connection = makeLaneConnection({ databaseUrl, onOpen: settleDoubtful, onLost: onTrouble })

  const sizeOf = (batches: Waiting[][]) => batches.reduce((sum, batch) => sum + batch.length, 0)
  const waiting = () => queue.length + flying.length + sizeOf(doubtful) + sizeOf(again)

  const refuse = (batch: Waiting[], error: Error) => {
    if (batch.length > 0) onFailed(batch.length)
    for (const one of batch) one.reject(error)
  }

  const isStored = async (client: pg.Client, { logDays, deviceID, at, seq }: JournalEntry): Promise<boolean> =>
    (await client.query(existing, [logDays, deviceID, at, seq])).rowCount === 1

  /** A batch is one statement: any row of it tells about all of them. The last first, so that order is kept. */
  async function settleDoubtful(client: pg.Client) {
    for (let batch = doubtful.at(-1); batch; batch = doubtful.at(-1)) {
      const first = batch[0]?.entry
      const found = first && (await isStored(client, first))
      doubtful.pop()
      if (found) for (const one of batch) one.resolve()
      else if (batch.length > 0) again.unshift(batch)
    }
    for (let [one] = unsure; one; [one] = unsure) {
      const stored = await isStored(client, one.entry)
      unsure.shift()
      one.tell(stored)
    }
    setImmediate(schedule)
  }

  const hearLater = (entry: JournalEntry): Promise<boolean> =>
    new Promise((tell) => {
      unsure.push({ entry, tell })
      if (unsure.length > mostUnsure) unsure.shift()?.tell(false)
    })

  /** Takes out, in place, what has waited too long, and tells it so. @returns how many */
  const dropLate = (list: Waiting[], limit: number, sent: boolean): number => {
    const inTime = list.findIndex((one) => one.since > limit)
    const late = list.splice(0, inTime < 0 ? list.length : inTime)
    const [first] = late
    if (!first) return 0
    const text = `not stored in ${storeTimeoutMs} ms`
    refuse(late, sent ? new SentTimeout(text, hearLater(first.entry)) : new StoreTimeout(text))
    return late.length
  }

  const sweep = () => {
    const limit = performance.now() - storeTimeoutMs
    for (const list of [queue, ...again]) dropLate(list, limit, false)
    for (const list of doubtful) dropLate(list, limit, true)
    again = again.filter((batch) => batch.length > 0)
    // A statement that takes too long loses its connection.
    if (dropLate(flying, limit, true) > 0) connection.drop()
  }

  const take = (): Waiting[] => {
    const repeated = again.shift()
    if (repeated) return repeated
    const now = performance.now()
    const elapsed = Math.max(now - lastTaken, 0.1)
    lastTaken = now
    const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch)
    queue = queue.length <= maxBatch ? [] : queue.slice(maxBatch)
    perMs += (batch.length / elapsed - perMs) * 0.2
    return batch
  }

  /** The row that PostgreSQL does not take is found by halving and stored in clean text. */
  const halve = (batch: Waiting[], error: Error) => {
    const [one] = batch
    const half = batch.length >> 1
    if (batch.length > 1) again.unshift(batch.slice(0, half), batch.slice(half))
    else if (one && !one.cleaned) again.unshift([{ ...one, entry: cleanEntry(one.entry), cleaned: true }])
    else refuse(batch, error)
  }

  const makeDays = async (client: pg.Client, batch: Waiting[]) => {
    const days = new Map(batch.map(({ entry }) => [`${entry.logDays} ${Math.floor(entry.at / dayMs)}`, entry]))
    for (const { logDays, at } of days.values()) await makeDay(client, logDays, at)
  }

  const encodeAll = (batch: Waiting[]): Buffer => {
    try {
      return encode(batch.map((one) => one.entry))
    } catch (cause) {
      throw new Unencodable('an entry cannot be written', { cause })
    }
  }

  async function failed(client: pg.Client, error: Error) {
    const state = (error as ServerError).code ?? ''
    if (error instanceof Unencodable) {
      halve(flying, error)
    } else if (!isRefusal(error as ServerError)) {
      doubtful.push(flying)
      // Nothing more is sent on it, even if it does not know yet that it is dead.
      connection.drop()
    } else if (blamesRow(state)) {
      halve(flying, error)
    } else if (state === noPartition) {
      await makeDays(client, flying)
      again.unshift(flying)
    } else if (isPassing(state)) {
      onTrouble(error)
      again.unshift(flying)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    } else {
      onTrouble(error)
      refuse(flying, error)
    }
  }

  async function flush(): Promise<void> {
    const { client } = connection
    if (busy || !client || queue.length + again.length === 0) return
    busy = true
    flying = take()
    const begun = performance.now()
    const rows = flying.length
    try {
      await copyIn(client, copyStatement, encodeAll(flying))
      for (const one of flying) one.resolve()
      onBatch(rows, performance.now() - begun)
    } catch (error) {
      await failed(client, error as Error).catch((cause: Error) => {
        onTrouble(cause)
        // The batch itself was rolled back; what broke is the making of its partition, which some row may be to blame for.
        const { code = '' } = cause as ServerError
        if (isRefusal(cause as ServerError) && !isPassing(code)) halve(flying, cause)
        else again.unshift(flying)
      })
    }
    flying = []
    busy = false
    schedule()
  }

  const flushSoon = () => {
    timer = undefined
    immediate = undefined
    void flush()
  }

  function schedule() {
    if (busy || timer || immediate || !connection.client || queue.length + again.length === 0) return
    const expected = perMs * windowMs
    if (again.length > 0 || queue.length >= wantedBatch || expected < 3 || stopping) {
      immediate = setImmediate(flushSoon)
    } else {
      timer = setTimeout(flushSoon, Math.max(1, Math.min(windowMs, (wantedBatch - queue.length) / perMs)))
    }
  }

  return {
    get waiting() {
      return waiting()
    },
    append(entry: JournalEntry): Promise<void> {
      return new Promise((resolve, reject) => {
        queue.push({ entry, since: performance.now(), cleaned: false, resolve, reject })
        if (!busy && !timer && !immediate) schedule()
        else if (timer && queue.length >= wantedBatch) {
          clearTimeout(timer)
          timer = undefined
          immediate = setImmediate(flushSoon)
        }
      })
    },
    async start() {
      stopping = false
      await connection.start()
      sweeper = setInterval(sweep, sweepMs)
      sweeper.unref()
    },
    /** What waits is stored first, as far as the store answers. */
    async stop() {
      stopping = true
      while (waiting() > 0) {
        schedule()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      clearInterval(sweeper)
      await connection.stop()
      for (const one of unsure.splice(0)) one.tell(false)
    },
  }
}
