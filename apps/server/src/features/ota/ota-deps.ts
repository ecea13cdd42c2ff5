import type { Db } from '#db/schema.ts'
import type { DownlinkDeps } from '#downlink/send.ts'
import type { FilesDeps } from '#features/files/door.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import type { Signal } from '#ports/signal.ts'

/** What upgrade tasks need; made once in app/. */
export interface OtaDeps extends DownlinkDeps {
  db: Db
  signal: Signal
  products: ProductCache
  rollouts: Rollouts
  jobs: JobsDeps
  files: FilesDeps
  /** Base of the links that devices download from. */
  publicUrl(): string
}
