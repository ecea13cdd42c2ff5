import type { Db } from '#db/schema.ts'
import type { DownlinkDeps } from '#downlink/send.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import type { Broker } from '#ports/broker.ts'

/** What versions of a configuration and their pushes need; made once in app/. */
export interface RemoteConfigDeps extends DownlinkDeps {
  db: Db
  /** With several servers: the relay. */
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  products: ProductCache
  rollouts: Rollouts
  jobs: JobsDeps
}
