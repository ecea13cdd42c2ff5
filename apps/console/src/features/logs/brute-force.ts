/** Addresses that fail to sign in again and again (screens.md 16). Pure. */
import type { LoginLog } from '@ithings/contract/features/logs.ts'

export const suspectFailures = 5

export interface Suspect {
  ipAddr: string
  failures: number
  /** Different user names that were tried. */
  accounts: number
}

/** The failures given, by address; those with at least five, the worst first. */
export function suspectsOf(failures: readonly LoginLog[]): Suspect[] {
  const byAddress = Map.groupBy(
    failures.filter((log) => log.ipAddr !== ''),
    (log) => log.ipAddr,
  )
  return [...byAddress]
    .filter(([, logs]) => logs.length >= suspectFailures)
    .map(([ipAddr, logs]) => ({
      ipAddr,
      failures: logs.length,
      accounts: new Set(logs.map((log) => log.userName)).size,
    }))
    .toSorted((a, b) => b.failures - a.failures)
}
