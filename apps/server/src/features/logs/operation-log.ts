/**
 * The operation log: calls are handed over and written in batches, so that no request waits for it.
 * Bounded: when the database does not keep up, the oldest waiting entries are dropped and counted (decisions.md 4.3).
 */
import { type Insertable, sql } from 'kysely'
import { Counter, type Registry } from 'prom-client'
import { showFigure } from '#background/gauges.ts'
import type { Common } from '#common-deps.ts'
import { jsonText, storableText } from '#db/json-text.ts'
import type { OperationLogTable } from '#db/tables/logs.ts'
import type { FinishedCall } from '#http/operation-log-hook.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { locate } from './location.ts'
import { toLogText } from './mask-secrets.ts'

const maxWaiting = 10_000
const batchSize = 200

export interface OperationLog {
  record(call: FinishedCall): void
  /** @returns whether everything handed over so far is stored */
  flush(): Promise<boolean>
  stop(): Promise<void>
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return {}
  }
}

type Row = Omit<Insertable<OperationLogTable>, 'hash'>

/** Data that the database cannot hold, or that breaks a rule of the table: it will never take it. */
const blamesRow = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '')

/** A key is named beside whose it is: by its beginning, which is unlike that of others, and its name. */
const nameOf = ({ userName, key }: SignedInUser): string => (key ? `${userName} [${key.hint}… ${key.name}]` : userName)

const toRow = (call: FinishedCall, at: number): Row => ({
  user_id: call.user.userID,
  user_name: nameOf(call.user),
  oper_name: call.endpoint.name,
  business_type: call.endpoint.businessType,
  uri: call.endpoint.path,
  ip_addr: call.ip,
  location: locate(call.ip),
  req: toLogText(call.body),
  resp: toLogText(parsed(call.answer)),
  code: call.code,
  // A refusal names what was given.
  msg: storableText(call.msg),
  duration_ms: call.durationMs,
  request_id: call.requestID,
  created_at: new Date(at),
})

interface OperationLogDeps extends Common<'db' | 'clock' | 'log' | 'background'> {
  metrics: Registry
}

export function makeOperationLog({ db, clock, log, metrics, background }: OperationLogDeps): OperationLog {
  const waiting: Row[] = []
  const dropped = new Counter({
    name: 'ithings_operation_log_dropped_total',
    help: 'Operation log entries dropped because the queue was full or the database refused them',
    registers: [metrics],
  })
  showFigure(
    metrics,
    'ithings_operation_log_waiting',
    'Operation log entries waiting to be stored',
    () => waiting.length + again.flat().length,
  )

  /** Taken already, to be tried again before the others: halves of a batch that was refused. */
  const again: Row[][] = []
  const take = (): Row[] | undefined => again.shift() ?? (waiting.length > 0 ? waiting.splice(0, batchSize) : undefined)

  /** Of what the database refuses only the row that is to blame is lost, and its loss is told. */
  const halve = (batch: Row[], error: unknown) => {
    const half = batch.length >> 1
    if (half > 0) {
      again.unshift(batch.slice(0, half), batch.slice(half))
      return
    }
    dropped.inc()
    const [row] = batch
    log.error({ err: error, call: row?.uri, requestID: row?.request_id }, 'a call is missing in the operation log')
  }

  async function writeAll(): Promise<undefined> {
    for (let batch = take(); batch; batch = take()) {
      try {
        await sql`select operation_log_append(${jsonText(batch)}::jsonb)`.execute(db)
      } catch (error) {
        if (blamesRow(error)) {
          halve(batch, error)
          continue
        }
        again.unshift(batch)
        throw error
      }
    }
  }
  const loop = background.loop({ name: 'logs.operations', turn: writeAll })
  loop.start()

  return {
    record(call) {
      if (waiting.length >= maxWaiting) {
        waiting.shift()
        dropped.inc()
      }
      waiting.push(toRow(call, clock.now()))
      loop.wake()
    },
    flush: loop.flush,
    async stop() {
      await loop.stop()
      await loop.flush()
    },
  }
}
