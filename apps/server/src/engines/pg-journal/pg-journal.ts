/** The journal port over PostgreSQL: lanes that COPY batches, each on a connection of its own. */
import type { Registry } from 'prom-client'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Journal, JournalEntry, Sender } from '#ports/journal.ts'
import { Lane, type LaneOptions } from './lane.ts'
import { makeDayPartition } from './partitions.ts'

const laneCount = 2
/** Beyond this nothing is taken in; the corridor holds packets back long before. */
const maxWaiting = 50_000
/** 16 bits of server and 24 bits of counter make the 40 bits of a trace id. */
const counterSize = 2 ** 24
export const maxNodeNumber = 2 ** 16 - 1

export class StoreFull extends Error {}

export interface JournalOptions {
  databaseUrl: string
  /** 0..65535; two servers on one database never have the same at the same time. */
  nodeNumber: number
  log: { warn(context: object, text: string): void }
  metrics: Registry
}

export interface PgJournal extends Journal {
  start(): Promise<void>
  stop(): Promise<void>
}

function makeMeters(metrics: Registry, waiting: () => number) {
  new Gauge({
    name: 'ithings_journal_waiting',
    help: 'Messages that wait for their commit',
    registers: [metrics],
    collect() {
      this.set(waiting())
    },
  })
  return {
    rows: new Counter({ name: 'ithings_journal_rows_total', help: 'Messages stored', registers: [metrics] }),
    refused: new Counter({
      name: 'ithings_journal_refused_total',
      help: 'Messages not taken in because too many were waiting',
      registers: [metrics],
    }),
    failed: new Counter({
      name: 'ithings_journal_failed_total',
      help: 'Messages that could not be stored in time',
      registers: [metrics],
    }),
    commit: new Histogram({
      name: 'ithings_journal_commit_seconds',
      help: 'Time to store one batch',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
      registers: [metrics],
    }),
  }
}

export function makePgJournal({ databaseUrl, nodeNumber, log, metrics }: JournalOptions): PgJournal {
  if (!Number.isInteger(nodeNumber) || nodeNumber < 0 || nodeNumber > maxNodeNumber) {
    throw new Error(`a node number is between 0 and ${maxNodeNumber}, not ${nodeNumber}`)
  }
  let counter = 0
  let open = false
  let troubleToldAt = 0
  const waiting = () => lanes.reduce((sum, lane) => sum + lane.waiting, 0)
  const meters = makeMeters(metrics, waiting)
  const laneOptions: LaneOptions = {
    databaseUrl,
    makeDay: makeDayPartition,
    onBatch(rows, ms) {
      meters.rows.inc(rows)
      meters.commit.observe(ms / 1000)
    },
    onFailed: (rows) => meters.failed.inc(rows),
    onTrouble(error) {
      if (!open || Date.now() - troubleToldAt < 1_000) return
      troubleToldAt = Date.now()
      log.warn({ err: error }, 'the journal has trouble with the database')
    },
  }
  const lanes = Array.from({ length: laneCount }, () => new Lane(laneOptions))

  return {
    nextSeq() {
      counter = (counter + 1) % counterSize
      return nodeNumber * counterSize + counter
    },
    append(entry: JournalEntry, sender?: Sender) {
      if (!open) return Promise.reject(new StoreFull('the journal is not open'))
      const lane = lanes[entry.deviceID % laneCount]
      // The lanes are walked only when one of them alone is already at its share.
      if (!lane || (lane.waiting >= maxWaiting / laneCount && waiting() >= maxWaiting)) {
        meters.refused.inc()
        return Promise.reject(new StoreFull(`${maxWaiting} messages are waiting already`))
      }
      return lane.append(entry, sender)
    },
    get waiting() {
      return waiting()
    },
    async start() {
      for (const lane of lanes) await lane.start()
      open = true
    },
    async stop() {
      open = false
      for (const lane of lanes) await lane.stop()
    },
  }
}
