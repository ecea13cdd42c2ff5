import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'

export interface GatewaysDeps {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
}
