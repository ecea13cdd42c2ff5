import { AppError } from '@ithings/contract/errors.ts'

/** Not the message's fault, and over soon: it is handed back, so that the device sends it again (decisions.md 4.1). */
export class TryAgain extends Error {}

/** SQLSTATE classes: connection, rolled back, out of something, locked, stopping, system. */
const passingStates = ['08', '40', '53', '55', '57', '58']
const networkCodes = ['ECONNRESET', 'ECONNREFUSED', 'ENOENT', 'EPIPE', 'ETIMEDOUT']

/** A database that is away for a moment must not make us acknowledge what nobody stored. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TryAgain) return true
  if (!(error instanceof Error) || error instanceof AppError) return false
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  if (typeof severity === 'string') return typeof code === 'string' && passingStates.includes(code.slice(0, 2))
  if (typeof code === 'string') return networkCodes.includes(code)
  // pg has no code for these.
  return /^Connection terminated|^timeout exceeded when trying to connect/.test(error.message)
}
