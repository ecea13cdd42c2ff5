import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'

/** What the screen of the cluster needs; made once in app/. */
export interface ClusterDeps {
  db: Db
  clock: Clock
  signal: Signal
  /** This server (platform_server). */
  serverID: string
  /** The database is this server's own. */
  alone: boolean
  /** Until when messages are packed into the history, ms. */
  packedUntil(): Promise<number>
}
