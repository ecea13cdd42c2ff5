/** Commands whose server stopped while they waited, and those whose time is over. */
import { dayMs } from '@ithings/contract/durations.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { sql } from 'kysely'
import type { Background } from '#background/background.ts'
import { deleteInSteps } from '#db/delete-in-steps.ts'
import type { Db } from '#db/schema.ts'
import { keepMs, type RequestKind } from '#downlink/pending-replies.ts'
import type { Clock } from '#ports/clock.ts'
import { timeOutBefore } from './command-store.ts'
import type { CommandsDeps } from './commands-deps.ts'

const keepDays = 90
/** More of the past is not opened again. */
const mostReopened = 5_000
/** The server that sent it has some seconds to note the time-out itself, and its clock may be 20 s behind this one. */
const graceMs = 25_000
const sweepEveryMs = 60_000

export async function timeOutForgotten(deps: CommandsDeps): Promise<void> {
  const before = deps.clock.now() - deps.timeoutMs - graceMs
  for (const { token, productID, deviceName, deviceID } of await timeOutBefore(deps.db, before, deps.timeoutMs)) {
    deps.bus.emit('command.done', {
      device: { productID, deviceName, deviceID },
      clientToken: token,
      code: errors.timeout.code,
    })
  }
}

/** A device may answer what the server asked before it stopped: messages of persistent sessions outlive it too. */
export async function reopenUnanswered(deps: CommandsDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('device_command')
    .select(['client_token', 'device_id', 'kind', 'data_id', 'payload', 'sent_at'])
    .where('kind', '<>', 'msg')
    .where('sent_at', '>', deps.clock.now() - keepMs)
    .where(sql<boolean>`(done_at = 0 or code = ${errors.timeout.code}) and reply = 'null'::jsonb`)
    .orderBy('sent_at', 'desc')
    .limit(mostReopened)
    .execute()
  for (const row of rows.reverse()) {
    try {
      deps.pending.open({
        deviceID: row.device_id,
        token: row.client_token,
        kind: row.kind as RequestKind,
        params: isRecord(row.payload) ? row.payload : {},
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
export function startCommandSweep(deps: CommandsDeps, background: Background): () => Promise<void> {
  const sweep = background.every({ name: 'commands.sweep', everyMs: sweepEveryMs, run: () => timeOutForgotten(deps) })
  return async () => {
    await sweep.stop()
    await Promise.all(deps.recording.values())
  }
}

export const dropOldCommands = (db: Db, clock: Clock): Promise<number> =>
  deleteInSteps(db, 'device_command', 'id', sql`sent_at < ${clock.now() - keepDays * dayMs} order by id`)
