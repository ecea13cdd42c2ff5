import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'

/** What the large screen needs; made once in app/. */
export interface DashboardKit {
  db: Db
  clock: Clock
  bus: EventBus
  log: Logger
  /** Figures are shown to those who may list what they count. */
  allows: Gate['allows']
  /** Whether the demo fleet is loaded. */
  hasDemo(): Promise<boolean>
}
