/** The machinery of runs: pace, claims, time-outs, retries, over all servers on one database. */
import type { Db } from '#db/schema.ts'
import { countRows } from './count-rows.ts'
import { addRows, createRun, type RunKit, readyRun } from './create-run.ts'
import { makeNotices } from './notices.ts'
import { makeRunMemory } from './open-runs.ts'
import type { RolloutKind, RolloutKindName, RolloutRun } from './rollout-kind.ts'
import { makeRolloutMetrics } from './rollout-metrics.ts'
import type { RolloutParts, Rollouts } from './rollouts-kit.ts'
import { makeRowWriter } from './row-writer.ts'
import { cancelRows, cancelRun, endRunAt, pauseRun, resumeRun, retryRows } from './run-acts.ts'
import { toRow } from './run-row.ts'
import { makeSender } from './sender.ts'
import { makeTicker } from './ticker.ts'
import { makeUnlistedSweep } from './unlisted-runs.ts'
import { makeWake } from './wake.ts'
import { makeRunWork } from './work-runs.ts'

const busyMs = 200
const idleMs = 1_000

/** A step of a job is whole or not at all; inside a caller's transaction it is part of that. */
const within = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

export function makeRollouts({ db, clock, bus, signal, log, metrics, serverID }: RolloutParts): Rollouts {
  const kinds = new Map<RolloutKindName, RolloutKind>()
  const memory = makeRunMemory()
  const notices = makeNotices(bus)
  const meter = makeRolloutMetrics(metrics)
  const writer = makeRowWriter({
    db,
    clock,
    log,
    kinds,
    changed(run, { event, row }) {
      memory.touch(run.runID)
      notices.tell(run)
      meter.moved(run.kind, event, row.state)
    },
  })
  const sender = makeSender({ db, clock, log, writer, kinds, giveBack: memory.giveBack })
  const work = makeRunWork({
    db,
    clock,
    log,
    serverID,
    kinds,
    memory,
    notices,
    sender,
    writer,
    openRuns: meter.openRuns,
  })

  let failing = false
  const ticker = makeTicker(async () => {
    try {
      const open = await work.tick()
      await wake.sweep()
      await endUnlisted()
      if (failing) log.info('runs over devices go on')
      failing = false
      return open > 0 ? busyMs : idleMs
    } catch (error) {
      // Once, however long the database is away: nothing is lost, all of it is in there.
      if (!failing) log.warn({ err: error }, 'runs over devices cannot go on, trying again')
      failing = true
      return idleMs
    }
  })
  const wake = makeWake({ db, clock, bus, log, writer, woken: ticker.nudge })
  signal.on('rollout.ready', ticker.nudge)

  const kit: RunKit = {
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

  /** Somebody did something with a run: counted, told, and gone on with at once. */
  const after = <T>(done: { run: RolloutRun; result: T } | undefined): T | undefined => {
    if (!done) return undefined
    memory.touch(done.run.runID)
    notices.tell(done.run)
    nudge()
    return done.result
  }

  const cancel = async (runID: number, msg: string) => after(await cancelRun(db, kit, runID, msg)) ?? false
  const endUnlisted = makeUnlistedSweep({ db, clock, cancelRun: cancel })

  return {
    register: (kind) => void kinds.set(kind.kind, kind),
    create: (tx, run) => createRun(tx, kit, run),
    addRows: (db, runID, rows) => within(db, (tx) => addRows(tx, kit, runID, rows)),
    ready: (db, runID) => within(db, (tx) => readyRun(tx, kit, runID)),
    nudge,
    async openRows(kind, deviceID) {
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
    },
    settle: ({ id }, settlement) => writer.write({ id }, { type: 'settled', settlement }),
    settleByToken: (kind, deviceID, token, settlement) =>
      writer.write({ kind, deviceID, token }, { type: 'settled', settlement }),
    cancelRows: async (runID, choice, msg) => after(await cancelRows(db, kit, runID, choice, msg)) ?? 0,
    retryRows: async (runID, choice) => after(await retryRows(db, kit, runID, choice)) ?? 0,
    pause: async (runID, reason) => after(await pauseRun(db, runID, reason)) ?? false,
    resume: async (runID) => after(await resumeRun(db, kit, runID)) ?? false,
    endAt: async (runID, at) => after(await endRunAt(db, runID, at)) ?? false,
    cancelRun: cancel,
    counts: countRows,
    async start() {
      ticker.start()
    },
    async stop() {
      await ticker.stop()
      await wake.stop()
      await sender.stop()
      await writer.stop()
      notices.stop()
    },
  }
}
