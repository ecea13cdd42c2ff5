import type { Background } from '#background/background.ts'
import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'

/** What the large screen needs; made once in app/. */
export interface HomeDeps {
  db: Db
  clock: Clock
  bus: EventBus
  background: Background
  /** Figures are shown to those who may list what they count. */
  allows: Gate['allows']
  /** Whether the demo fleet is loaded. */
  hasDemo(): Promise<boolean>
}
