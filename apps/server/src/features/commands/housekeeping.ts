/** Commands whose server stopped while they waited, and those whose time is over. */
import { dayMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { keepMs, type RequestKind } from '#downlink/pending-replies.ts'
import type { Clock } from '#ports/clock.ts'
import { timeOutBefore } from './command-store.ts'
import type { CommandsKit } from './commands-kit.ts'
import { isObject } from './read-order.ts'

const keepDays = 90
const stepRows = 5_000
/** The server that sent it has that long to note the time-out itself. */
const graceMs = 5_000
const sweepEveryMs = 60_000

export async function timeOutForgotten(kit: CommandsKit): Promise<void> {
  const before = kit.clock.now() - kit.timeoutMs - graceMs
  for (const { token, productID, deviceName, deviceID } of await timeOutBefore(kit.db, before, kit.timeoutMs)) {
    kit.bus.emit('command.done', {
      device: { productID, deviceName, deviceID },
      clientToken: token,
      code: errors.timeout.code,
    })
  }
}

/** A device may answer what the server asked before it stopped: messages of persistent sessions outlive it too. */
export async function reopenUnanswered(kit: CommandsKit): Promise<void> {
  const rows = await kit.db
    .selectFrom('device_command')
    .select(['client_token', 'device_id', 'kind', 'data_id', 'payload', 'sent_at'])
    .where('kind', '<>', 'msg')
    .where('sent_at', '>', kit.clock.now() - keepMs)
    .where(sql<boolean>`(done_at = 0 or code = ${errors.timeout.code}) and reply = 'null'::jsonb`)
    .orderBy('sent_at', 'desc')
    .limit(stepRows)
    .execute()
  for (const row of rows.reverse()) {
    try {
      kit.pending.open({
        deviceID: row.device_id,
        token: row.client_token,
        kind: row.kind as RequestKind,
        params: isObject(row.payload) ? row.payload : {},
        target: row.data_id,
        sentAt: row.sent_at,
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // No room for more of the past: what is asked from now on matters more than the rest.
      return
    }
  }
}

/** @returns a function that ends it, after the last reply that came in is in the history */
export function startCommandSweep(kit: CommandsKit): () => Promise<void> {
  let running: Promise<void> | undefined
  const sweep = () => {
    running ??= timeOutForgotten(kit)
      .catch((error: unknown) => kit.log.error({ err: error }, 'forgotten commands could not be timed out'))
      .finally(() => {
        running = undefined
      })
  }
  sweep()
  const timer = setInterval(sweep, sweepEveryMs).unref()
  return async () => {
    clearInterval(timer)
    await running
    await Promise.all(kit.recording.values())
  }
}

export async function dropOldCommands(db: Db, clock: Clock): Promise<number> {
  const before = clock.now() - keepDays * dayMs
  let total = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from device_command where id in
        (select id from device_command where sent_at < ${before} order by id limit ${stepRows})`.execute(db)
    total += Number(numAffectedRows)
    if (numAffectedRows < stepRows) return total
  }
}
