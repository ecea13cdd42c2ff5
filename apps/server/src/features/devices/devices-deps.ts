import type { Db } from '#db/schema.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { Signal } from '#ports/signal.ts'

/** What the operations on devices, gateways and groups need; made once in app/. */
export interface DevicesDeps {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  jobs: JobsDeps
  latest: Pick<LatestValues, 'readMany'>
  allows: Gate['allows']
}
