/**
 * Every move of a device's row is written here: what comes at the same time goes in one transaction, so that thousands
 * a second cost a few statements. Rows are locked in the order of their ids (house: no two wait for each other).
 */
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { jsonText, storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { EarlyAnswers } from './early-answers.ts'
import { type RolloutKind, type RolloutKindName, RowState } from './rollout-kind.ts'
import { type RowEvent, type StepContext, step } from './row-step.ts'
import { type HeldRow, type RowColumns, toHeld } from './run-row.ts'

export type RowRef = { id: number } | { kind: RolloutKindName; deviceID: number; token: string }

export interface ChangedRun {
  runID: number
  kind: RolloutKindName
  topic: string
}

export interface WriterParts {
  db: Db
  clock: Clock
  log: Logger
  kinds: ReadonlyMap<RolloutKindName, RolloutKind>
  early: EarlyAnswers
  changed(run: ChangedRun, move: { event: RowEvent; row: HeldRow }): void
}

interface Entry {
  ref: RowRef
  event: RowEvent
  /** Of a device that sending found offline. */
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

type Found = RowColumns & { run_kind: RolloutKindName; topic: string; retries: number; retry_ms: number }

async function lockRows(db: Db, refs: RowRef[]): Promise<Found[]> {
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []))
  const asked = refs.flatMap((ref) => ('id' in ref ? [] : [ref]))
  const { rows } = await sql<Found>`
    select one.*, run.kind as run_kind, run.topic, run.retries, run.retry_ms
    from rollout_device one join rollout run using (run_id)
    where one.id in (
      select unnest(${ids}::bigint[])
      union select open.id from unnest(
        ${asked.map(({ deviceID }) => deviceID)}::bigint[], ${asked.map(({ token }) => token)}::text[]
      ) as asked (device_id, token) join rollout_device open
        on open.device_id = asked.device_id and open.client_token = asked.token and open.state in (1, 2)
    ) order by one.id for update of one`.execute(db)
  return rows
}

/**
 * Those that may be online. Held until the parking is written: a device that connects now is either seen here or sees
 * the parked row. Whoever writes a device meanwhile is not waited for: that row is tried again soon instead.
 */
async function lockOffline(db: Db, devices: number[]): Promise<Set<number>> {
  if (devices.length === 0) return new Set()
  const { rows } = await sql<{ device_id: number; is_online: number }>`
    select device_id, is_online from device where device_id = any (${devices}) for share skip locked`.execute(db)
  const away = new Set(rows.filter((row) => row.is_online !== 1).map((row) => row.device_id))
  return new Set(devices.filter((device) => !away.has(device)))
}

const inRange = (value: number): number => Math.max(-2_147_483_648, Math.min(2_147_483_647, Math.trunc(value) || 0))

async function writeRows(db: Db, rows: HeldRow[], now: number): Promise<void> {
  if (rows.length === 0) return
  const all = <T>(read: (row: HeldRow) => T): T[] => rows.map(read)
  await sql`
    update rollout_device one set state = new.state, status = new.status, code = new.code, msg = new.msg,
      attempts = new.attempts, client_token = new.client_token, detail = new.detail, due_at = new.due_at,
      claimed_by = new.claimed_by, sent_at = new.sent_at, done_at = new.done_at, updated_at = ${now}
    from unnest(
      ${all((row) => row.id)}::bigint[], ${all((row) => row.state)}::smallint[], ${all((row) => row.status)}::smallint[],
      ${all((row) => inRange(row.code))}::integer[], ${all((row) => storableText(row.msg).slice(0, 500))}::text[],
      ${all((row) => row.attempts)}::smallint[], ${all((row) => storableText(row.clientToken))}::text[],
      ${all((row) => jsonText(row.detail))}::jsonb[], ${all((row) => Math.trunc(row.dueAt))}::bigint[],
      ${all((row) => row.claimedBy)}::text[], ${all((row) => row.sentAt)}::bigint[], ${all((row) => row.doneAt)}::bigint[]
    ) as new (id, state, status, code, msg, attempts, client_token, detail, due_at, claimed_by, sent_at, done_at)
    where one.id = new.id`.execute(db)
}

interface Book {
  row: HeldRow
  found: Found
  changed: boolean
}

const matches = (ref: RowRef, { row, found }: Book): boolean =>
  'id' in ref
    ? row.id === ref.id
    : found.run_kind === ref.kind && row.deviceID === ref.deviceID && row.clientToken === ref.token

const isOpen = ({ row }: Book) => row.state === RowState.waiting || row.state === RowState.sent

export function makeRowWriter({ db, clock, log, kinds, early, changed }: WriterParts): RowWriter {
  let waiting: Entry[] = []
  let working: Promise<void> | undefined
  let stopping = false
  let failing = false

  const contextOf = ({ found, row }: Book, online: ReadonlySet<number>, now: number): StepContext | undefined => {
    const kind = kinds.get(found.run_kind)
    const { retries, retry_ms: retryMs } = found
    return kind && { kind, retries, retryMs, now, online: online.has(row.deviceID) }
  }

  /** @returns for each entry whether it changed something, and what to tell */
  const writeBatch = (entries: Entry[]) =>
    db.transaction().execute(async (db) => {
      const offline = entries.flatMap(({ deviceID }) => (deviceID === undefined ? [] : [deviceID]))
      const online = await lockOffline(db, offline)
      const found = await lockRows(
        db,
        entries.map(({ ref }) => ref),
      )
      const now = clock.now()
      const books: Book[] = found.map((row) => ({ row: toHeld(row), found: row, changed: false }))
      const byID = new Map(books.map((book) => [book.row.id, book]))
      const moves: Array<{ book: Book; event: RowEvent }> = []
      const apply = (book: Book, event: RowEvent): boolean => {
        const context = contextOf(book, online, now)
        const patch = context && step(book.row, event, context)
        if (!patch) return false
        Object.assign(book, { row: { ...book.row, ...patch }, changed: true })
        moves.push({ book, event })
        return true
      }
      const results = entries.map(({ ref, event }) => {
        const book = 'id' in ref ? byID.get(ref.id) : books.find((one) => isOpen(one) && matches(ref, one))
        if (!book) {
          if (!('id' in ref) && event.type === 'settled') early.keep(ref, event.settlement)
          return false
        }
        const done = apply(book, event)
        const answer = done && event.type === 'outcome' ? early.take(book.found.run_kind, book.row) : undefined
        if (answer) apply(book, { type: 'settled', settlement: answer })
        return done
      })
      await writeRows(
        db,
        books.filter((book) => book.changed).map(({ row }) => row),
        now,
      )
      return { results, moves }
    })

  const flush = async () => {
    const entries = waiting.splice(0, mostAtOnce)
    try {
      const { results, moves } = await writeBatch(entries)
      if (failing) log.info('moves of devices are written again')
      failing = false
      for (const { book, event } of moves) {
        const { run_id: runID, run_kind: kind, topic } = book.found
        changed({ runID, kind, topic }, { event, row: book.row })
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
