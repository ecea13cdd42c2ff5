import type { Db } from '#db/schema.ts'
import type { DownlinkKit } from '#downlink/send.ts'
import type { JobsKit } from '#features/jobs/door.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import type { Broker } from '#ports/broker.ts'

/** What versions of a configuration and their pushes need; made once in app/. */
export interface RemoteConfigKit extends DownlinkKit {
  db: Db
  /** With several servers: the relay. */
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  products: ProductBook
  rollouts: Rollouts
  jobs: JobsKit
}
