/**
 * Every move of a device's row is written here: what comes at the same time goes in one transaction, so that thousands
 * a second cost a few statements. Rows are locked in the order of their ids, so that no two servers wait for each other.
 */
import type { Common } from '#common-deps.ts'
import { type RolloutKind, type RolloutKindName, RowState } from './rollout-kind.ts'
import { type RowEvent, step } from './row-step.ts'
import { type FoundRow, lockOffline, lockRows, type RowRef, writeRows } from './row-store.ts'
import { type HeldRow, toHeld } from './run-row.ts'

export interface ChangedRun {
  runID: number
  kind: RolloutKindName
  topic: string
}

export interface WriterParts extends Common<'db' | 'clock' | 'log'> {
  kinds: ReadonlyMap<RolloutKindName, RolloutKind>
  changed(run: ChangedRun, move: { event: RowEvent; row: HeldRow }): void
}

interface Entry {
  ref: RowRef
  event: RowEvent
  /** Set when sending found the device offline. */
  deviceID: number | undefined
  /** Must be written however long the database is away; others hear of the failure. */
  keep: boolean
  resolve(changed: boolean): void
  reject(error: unknown): void
}

export interface RowWriter {
  /** @returns whether it changed anything */
  write(ref: RowRef, event: RowEvent): Promise<boolean>
  /** For what this server did: tried until it is written. */
  keep(ref: { id: number; deviceID: number }, event: RowEvent): void
  /** Resolves when all is written, or it cannot be and the database is away. */
  stop(): Promise<void>
}

const mostAtOnce = 500
/** Callers wait for their answer; more than this many at once means that the database does not follow. */
const mostWaiting = 20_000
const tryAgainMs = 500

interface OpenedRow {
  row: HeldRow
  found: FoundRow
  changed: boolean
}

const matches = (ref: RowRef, { row, found }: OpenedRow): boolean =>
  'id' in ref
    ? row.id === ref.id
    : found.run_kind === ref.kind && row.deviceID === ref.deviceID && row.clientToken === ref.token

const isOpen = ({ row }: OpenedRow) => row.state === RowState.waiting || row.state === RowState.sent

/** @returns for each entry whether it changed something, and what to tell */
const writeBatch = ({ db, clock, kinds }: WriterParts, entries: Entry[]) =>
  db.transaction().execute(async (db) => {
    const offline = entries.flatMap(({ deviceID }) => (deviceID === undefined ? [] : [deviceID]))
    const online = await lockOffline(db, offline)
    const found = await lockRows(
      db,
      entries.map(({ ref }) => ref),
    )
    const now = clock.now()
    const opened: OpenedRow[] = found.map((row) => ({ row: toHeld(row), found: row, changed: false }))
    const byID = new Map(opened.map((held) => [held.row.id, held]))
    const moves: Array<{ held: OpenedRow; event: RowEvent }> = []
    const apply = (held: OpenedRow, event: RowEvent): boolean => {
      const { run_kind: name, retries, retry_ms: retryMs } = held.found
      const kind = kinds.get(name)
      const patch =
        kind && step(held.row, event, { kind, retries, retryMs, now, online: online.has(held.row.deviceID) })
      if (!patch) return false
      Object.assign(held, { row: { ...held.row, ...patch }, changed: true })
      moves.push({ held, event })
      return true
    }
    const results = entries.map(({ ref, event }) => {
      const held = 'id' in ref ? byID.get(ref.id) : opened.find((one) => isOpen(one) && matches(ref, one))
      return held ? apply(held, event) : false
    })
    await writeRows(
      db,
      opened.filter((held) => held.changed).map(({ row }) => row),
      now,
    )
    return { results, moves }
  })

export function makeRowWriter(parts: WriterParts): RowWriter {
  const { log, changed } = parts
  let waiting: Entry[] = []
  let working: Promise<void> | undefined
  let stopping = false
  let failing = false

  const flush = async () => {
    const entries = waiting.splice(0, mostAtOnce)
    try {
      const { results, moves } = await writeBatch(parts, entries)
      if (failing) log.info('moves of devices are written again')
      failing = false
      for (const { held, event } of moves) {
        const { run_id: runID, run_kind: kind, topic } = held.found
        changed({ runID, kind, topic }, { event, row: held.row })
      }
      for (const [index, entry] of entries.entries()) entry.resolve(results[index] ?? false)
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'moves of devices could not be written, trying again')
      failing = true
      waiting = [...entries.filter(({ keep }) => keep), ...waiting]
      for (const entry of entries) if (!entry.keep) entry.reject(error)
      if (!stopping) await new Promise((resolve) => setTimeout(resolve, tryAgainMs).unref())
    }
  }

  const work = () => {
    working ??= (async () => {
      // What was told in the same moment goes together.
      await Promise.resolve()
      while (waiting.length > 0 && !(stopping && failing)) await flush()
    })().finally(() => {
      working = undefined
      if (waiting.length > 0 && !stopping) work()
    })
  }

  const add = (entry: Entry) => {
    waiting.push(entry)
    work()
  }

  return {
    write(ref, event) {
      if (waiting.length >= mostWaiting)
        return Promise.reject(new Error('too many moves of devices wait to be written'))
      return new Promise((resolve, reject) => add({ ref, event, deviceID: undefined, keep: false, resolve, reject }))
    },
    keep({ id, deviceID }, event) {
      const offline = event.type === 'outcome' && event.outcome.result === 'offline'
      const nothing = () => undefined
      add({
        ref: { id },
        event,
        deviceID: offline ? deviceID : undefined,
        keep: true,
        resolve: nothing,
        reject: nothing,
      })
    },
    async stop() {
      stopping = true
      // Once more, even if the database was away a moment ago.
      failing = false
      work()
      await working
      for (const { reject } of waiting.splice(0)) reject(new Error('the server stops'))
    },
  }
}
