import type { Db } from '#db/schema.ts'
import type { DownlinkKit } from '#downlink/send.ts'
import type { FilesKit } from '#features/files/door.ts'
import type { JobsKit } from '#features/jobs/door.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import type { Signal } from '#ports/signal.ts'

/** What upgrade tasks need; made once in app/. */
export interface OtaKit extends DownlinkKit {
  db: Db
  signal: Signal
  products: ProductBook
  rollouts: Rollouts
  jobs: JobsKit
  files: FilesKit
  /** Base of the links that devices download from. */
  publicUrl(): string
}
