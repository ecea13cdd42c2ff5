/** What stored sessions may cost, of all servers together: the oldest go first (decisions.md 4.3). */
export interface SessionLimits {
  /** Of devices that are away. */
  sessions: number
  sessionDays: number
  queuedPerClient: number
  queuedTotal: number
  sweepMs: number
}

export const defaultSessionLimits: SessionLimits = {
  sessions: 100_000,
  sessionDays: 30,
  queuedPerClient: 1_000,
  queuedTotal: 200_000,
  sweepMs: 600_000,
}
