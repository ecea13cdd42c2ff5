import type { Db } from '#db/schema.ts'
import type { NotifyDeps } from '#features/notify/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'

/** What alarms need; made once in app/. */
export interface AlarmsDeps {
  db: Db
  clock: Clock
  bus: EventBus
  /** The outbox, for what is told to people. */
  notify: Pick<NotifyDeps, 'db' | 'clock' | 'bell'>
}
