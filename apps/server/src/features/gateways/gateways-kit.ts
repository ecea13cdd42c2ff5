import type { Db } from '#db/schema.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'

export interface GatewaysKit {
  db: Db
  signal: Signal
  bus: EventBus
}
