import { AppError, errors } from '@ithings/contract/errors.ts'

/**
 * An edit that names a rev must name the current one; without a rev the last write wins (decisions.md 2 "Stale edits").
 */
export function refuseStaleEdit(given: number | undefined, current: number): void {
  if (given !== undefined && given !== current) throw new AppError(errors.staleEdit)
}
