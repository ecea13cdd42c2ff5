import type { Db } from '#db/schema.ts'
import type { JobsKit } from '#features/jobs/door.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'
import type { LatestLookUp } from './with-properties.ts'

/** What the operations on devices, gateways and groups need; made once in app/. */
export interface DevicesKit {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  jobs: JobsKit
  latest: LatestLookUp
  allows: Gate['allows']
}
