/** Sends to the devices that this server took, several at a time. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import { within } from '#ports/within.ts'
import {
  type RolloutKind,
  type RolloutKindName,
  type RolloutRow,
  type RolloutRun,
  RowState,
  RunState,
  type SendOutcome,
} from './rollout-kind.ts'
import { leaseMs } from './row-step.ts'
import type { RowWriter } from './row-writer.ts'
import type { Claimed } from './take-turn.ts'

const mostAtOnce = 64
/** Taken and not sent yet: so few that they are sent long before the claim ends. */
const mostTaken = 512
/** Nothing is sent so close to the end of the claim: another server may have it already. */
const marginMs = 5_000
const stopWithinMs = 10_000
/** Who had to wait so long for its turn may have been cancelled or paused meanwhile. */
const askAgainMs = 1_000

interface Job {
  run: RolloutRun
  row: Claimed
  takenAt: number
}

export interface SenderParts extends Common<'db' | 'clock' | 'log'> {
  writer: RowWriter
  kinds: ReadonlyMap<RolloutKindName, RolloutKind>
  /** It does not count for the pace. */
  giveBack(runID: number, count: number): void
}

export interface Sender {
  add(run: RolloutRun, rows: Claimed[], takenAt: number): void
  /** How many more it can take. */
  room(): number
  stop(): Promise<void>
}

/** Nobody waits longer than the claim lasts; whoever finds the row then asks the kind what to do. */
async function isStillWanted(db: Db, { id, clientToken }: RolloutRow): Promise<boolean> {
  const found = await db
    .selectFrom('rollout_device as one')
    .innerJoin('rollout as run', 'run.run_id', 'one.run_id')
    .select('one.id')
    .where('one.id', '=', id)
    .where('one.state', '=', RowState.sent)
    .where('one.client_token', '=', clientToken)
    .where('run.state', '=', RunState.running)
    .executeTakeFirst()
    .catch(() => undefined)
  return found !== undefined
}

export function makeSender({ db, clock, log, writer, kinds, giveBack }: SenderParts): Sender {
  const waiting: Job[] = []
  const underWay = new Set<Promise<void>>()
  let stopping = false

  const ask = async (run: RolloutRun, row: RolloutRow): Promise<SendOutcome> => {
    try {
      const kind = kinds.get(run.kind)
      if (!kind) throw new Error(`nobody sends ${run.kind}`)
      return await kind.send(run, row)
    } catch (error) {
      if (error instanceof AppError) return { result: 'failed', code: error.code, msg: error.kept() }
      log.error({ err: error, kind: run.kind, runID: run.runID, deviceID: row.deviceID }, 'sending to a device failed')
      return { result: 'failed', code: errors.system.code, msg: kept(errors.system.msg) }
    }
  }

  /** Not sent: it waits again, unless it is somebody else's or over by now. */
  const release = (row: RolloutRow) => writer.keep(row, { type: 'released', token: row.clientToken })

  const send = async ({ run, row, takenAt }: Job) => {
    const { exists, ...plain } = row
    const waited = clock.now() - takenAt
    const left = leaseMs - waited
    if (left < marginMs || (waited > askAgainMs && !(await isStillWanted(db, row)))) return release(row)
    if (!exists) {
      giveBack(run.runID, 1)
      return writer.keep(row, { type: 'gone' })
    }
    const outcome = await within(left, ask(run, plain), () => undefined)
    if (!outcome) return
    if (outcome.result === 'offline') giveBack(run.runID, 1)
    writer.keep(row, { type: 'outcome', token: row.clientToken, outcome })
  }

  const work = () => {
    while (!stopping && underWay.size < mostAtOnce) {
      const job = waiting.shift()
      if (!job) return
      const task = send(job).finally(() => {
        underWay.delete(task)
        work()
      })
      underWay.add(task)
    }
  }

  return {
    add(run, rows, takenAt) {
      for (const row of rows) waiting.push({ run, row, takenAt })
      work()
    },
    room: () => Math.max(0, mostTaken - waiting.length - underWay.size),
    async stop() {
      stopping = true
      for (const { row } of waiting.splice(0)) release(row)
      await within(stopWithinMs, Promise.all(underWay), () => undefined)
    },
  }
}
