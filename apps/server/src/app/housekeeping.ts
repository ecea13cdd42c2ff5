/** Regular small cleaning; on several servers at once it is merely done twice. */
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import { dropOldLogs } from '#features/logs/drop-old-logs.ts'
import { dropOldGuards } from '#features/users/login-guard.ts'
import type { Clock } from '#ports/clock.ts'

const everyMs = 60 * 60_000
const firstAfterMs = 60_000

export function startHousekeeping(db: Db, clock: Clock, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined
  const clean = async () => {
    try {
      await dropOldGuards(db, clock)
      const dropped = await dropOldLogs(db, clock)
      if (dropped.loginLogs + dropped.operationLogs > 0) log.info(dropped, 'old log entries removed')
    } catch (error) {
      log.error({ err: error }, 'housekeeping failed, trying again in an hour')
    }
  }
  const run = () => {
    running ??= clean().finally(() => {
      running = undefined
    })
  }
  const first = setTimeout(run, firstAfterMs).unref()
  const later = setInterval(run, everyMs).unref()
  return async () => {
    clearTimeout(first)
    clearInterval(later)
    await running
  }
}
