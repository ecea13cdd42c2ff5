import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { CommandsKit } from '#features/commands/door.ts'
import type { JobsKit } from '#features/jobs/door.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { RemoteConfigKit } from '#features/remote-config/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'

/** What device tasks need; made once in app/. */
export interface TasksKit {
  db: Db
  clock: Clock
  bus: EventBus
  log: Logger
  products: ProductBook
  commands: CommandsKit
  remoteConfig: RemoteConfigKit
  rollouts: Rollouts
  jobs: JobsKit
}
