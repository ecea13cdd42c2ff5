import type { Common } from '#common-deps.ts'

/** What the screen of the cluster needs; made once in app/. */
export interface ClusterDeps extends Common<'db' | 'clock' | 'signal'> {
  /** This server (platform_server). */
  serverID: string
  /** The database is this server's own. */
  alone: boolean
  /** Until when messages are packed into the history, ms. */
  packedUntil(): Promise<number>
}
