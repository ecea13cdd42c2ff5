import type { CommonDeps } from '#common-deps.ts'
import type { CommandsDeps } from '#features/commands/door.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { RemoteConfigDeps } from '#features/remote-config/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import type { Gate } from '#http/route.ts'

/** What device tasks need; made once in app/. */
export interface TasksDeps extends CommonDeps {
  products: ProductCache
  commands: CommandsDeps
  remoteConfig: RemoteConfigDeps
  rollouts: Rollouts
  jobs: JobsDeps
  allows: Gate['allows']
}

/** Who a run is for; jobs of a schedule belong to whoever made the task. */
export interface Person {
  userID: number
  userName: string
}
