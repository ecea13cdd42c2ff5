/** Whether something failed only because the database is away, moves or is too busy: the same may succeed in a moment. */
import { TerminalError } from '#terminal.ts'

/** No host takes writes, or a connection was ended because no answer would have come. */
export class DatabaseAway extends TerminalError {}

/** SQLSTATE classes: connection, wrong state (read-only for now), rolled back, out of something, locked, stopping, system. */
const passingState = /^(08|25|40|53|55|57|58)[\dA-Z]{3}$/
const networkCode = /^(ECONN|EPIPE$|ETIMEDOUT$|ENOENT$|EHOST|ENET|EAI_AGAIN$|ENOTFOUND$)/
/** pg has no code for these. */
const withoutCode =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|timeout exceeded when trying to connect)/

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseAway) return true
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? passingState.test(code) || networkCode.test(code) : withoutCode.test(error.message)
}
