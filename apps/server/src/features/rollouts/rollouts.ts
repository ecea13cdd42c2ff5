/** The machinery of runs: pace, claims, time-outs, retries, over all servers on one database. */

import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '#db/schema.ts'
import { countRows } from './count-rows.ts'
import { addRows, createRun, type RunDeps, readyRun } from './create-run.ts'
import { makeNotices } from './notices.ts'
import { makeRunMemory } from './open-runs.ts'
import { type RolloutKind, type RolloutKindName, type RolloutRow, type RolloutRun, RowState } from './rollout-kind.ts'
import type { RolloutParts, Rollouts } from './rollouts-deps.ts'
import type { RowEvent } from './row-step.ts'
import { makeRowWriter } from './row-writer.ts'
import { cancelRows, cancelRun, endRunAt, pauseRun, resumeRun, retryRows } from './run-acts.ts'
import { toRow } from './run-row.ts'
import { makeSender } from './sender.ts'
import { makeUnlistedSweep } from './unlisted-runs.ts'
import { makeWake } from './wake.ts'
import { makeRunWork } from './work-runs.ts'

/** Counters of runs for /metrics (decisions.md 4.3). */
interface RolloutMetrics {
  openRuns(count: number): void
  moved(kind: RolloutKindName, event: RowEvent, state: RowState): void
}

/** What a move means to whoever watches; undefined: nothing. */
function meaning(event: RowEvent, state: RowState): string | undefined {
  if (event.type === 'outcome' && event.outcome.result !== 'failed') return event.outcome.result
  if (event.type === 'overdue') return 'timed_out'
  return state === RowState.failed ? 'failed' : undefined
}

function makeRolloutMetrics(metrics: Registry): RolloutMetrics {
  const open = new Gauge({
    name: 'ithings_rollout_open_runs',
    help: 'Runs over devices that have something to do; not those that only wait for devices to connect',
    registers: [metrics],
  })
  const rows = new Counter({
    name: 'ithings_rollout_devices_total',
    help: 'Devices of runs: sent, done at once, found offline, dropped, timed out, failed',
    labelNames: ['kind', 'what'],
    registers: [metrics],
  })
  return {
    openRuns: (count) => open.set(count),
    moved(kind, event, state) {
      const what = meaning(event, state)
      if (what) rows.inc({ kind, what })
      if (what && what !== 'failed' && state === RowState.failed) rows.inc({ kind, what: 'failed' })
    },
  }
}

const busyMs = 200
const idleMs = 1_000

/** A step of a job is whole or not at all; inside a caller's transaction it is part of that. */
const within = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

async function openRows(db: Db, kind: RolloutKindName, deviceID: number): Promise<RolloutRow[]> {
  const rows = await db
    .selectFrom('rollout_device as one')
    .innerJoin('rollout as run', 'run.run_id', 'one.run_id')
    .selectAll('one')
    .where('one.device_id', '=', deviceID)
    .where('one.state', 'in', [1, 2])
    .where('run.kind', '=', kind)
    .orderBy('one.run_id', 'desc')
    .execute()
  return rows.map(toRow)
}

type Acts = Pick<Rollouts, 'cancelRows' | 'retryRows' | 'pause' | 'resume' | 'endAt' | 'cancelRun'>

/** What people do with a run that goes on: `acted` is called with each run that an act has changed. */
function makeActs(db: Db, deps: RunDeps, acted: (run: RolloutRun) => void): Acts {
  const after = <T>(done: { run: RolloutRun; result: T } | undefined): T | undefined => {
    if (done) acted(done.run)
    return done?.result
  }
  return {
    cancelRows: async (runID, choice, msg) => after(await cancelRows(db, deps, runID, choice, msg)) ?? 0,
    retryRows: async (runID, choice) => after(await retryRows(db, deps, runID, choice)) ?? 0,
    pause: async (runID, reason) => after(await pauseRun(db, runID, reason)) ?? false,
    resume: async (runID) => after(await resumeRun(db, deps, runID)) ?? false,
    endAt: async (runID, at) => after(await endRunAt(db, runID, at)) ?? false,
    cancelRun: async (runID, msg) => after(await cancelRun(db, deps, runID, msg)) ?? false,
  }
}

export function makeRollouts({ db, clock, bus, signal, log, background, metrics, serverID }: RolloutParts): Rollouts {
  const kinds = new Map<RolloutKindName, RolloutKind>()
  const memory = makeRunMemory()
  const notices = makeNotices(bus)
  const meter = makeRolloutMetrics(metrics)
  const shared = { db, clock, log, kinds }
  const writer = makeRowWriter({
    ...shared,
    changed(run, { event, row }) {
      memory.touch(run.runID)
      notices.tell(run)
      meter.moved(run.kind, event, row.state)
    },
  })
  const sender = makeSender({ ...shared, writer, giveBack: memory.giveBack })
  const work = makeRunWork({ ...shared, serverID, memory, notices, sender, writer, openRuns: meter.openRuns })

  const loop = background.loop({
    name: 'rollouts',
    everyMs: idleMs,
    async turn() {
      const open = await work.tick()
      await wake.sweep()
      await endUnlisted()
      return open > 0 ? clock.now() + busyMs : undefined
    },
  })
  const wake = makeWake({ db, clock, bus, background, writer, woken: loop.wake })
  signal.on('rollout.ready', () => loop.wake())

  const deps: RunDeps = {
    clock,
    kindOf(name) {
      const kind = kinds.get(name)
      if (!kind) throw new Error(`runs of ${name} are not registered`)
      return kind
    },
  }
  const nudge = () => {
    signal.send('rollout.ready', {}).catch((error) => log.warn({ err: error }, 'other servers find new runs later'))
  }

  const acts = makeActs(db, deps, (run) => {
    memory.touch(run.runID)
    notices.tell(run)
    nudge()
  })
  const endUnlisted = makeUnlistedSweep({ db, clock, cancelRun: acts.cancelRun })

  return {
    register: (kind) => void kinds.set(kind.kind, kind),
    create: (tx, run) => createRun(tx, deps, run),
    addRows: (db, runID, rows) => within(db, (tx) => addRows(tx, deps, runID, rows)),
    ready: (db, runID) => within(db, (tx) => readyRun(tx, deps, runID)),
    nudge,
    openRows: (kind, deviceID) => openRows(db, kind, deviceID),
    settle: ({ id }, settlement) => writer.write({ id }, { type: 'settled', settlement }),
    settleByToken: (kind, deviceID, token, settlement) =>
      writer.write({ kind, deviceID, token }, { type: 'settled', settlement }),
    ...acts,
    counts: countRows,
    async start() {
      loop.start()
      wake.start()
    },
    async stop() {
      await loop.stop()
      await wake.stop()
      await sender.stop()
      await writer.stop()
      notices.stop()
    },
  }
}
