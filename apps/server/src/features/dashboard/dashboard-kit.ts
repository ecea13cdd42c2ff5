import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'

/** What the large screen needs; made once in app/. */
export interface DashboardKit {
  db: Db
  clock: Clock
  bus: EventBus
  log: Logger
  /** Whether the demo fleet is loaded. */
  hasDemo(): Promise<boolean>
}
