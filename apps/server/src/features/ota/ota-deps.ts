import type { Common } from '#common-deps.ts'
import type { DownlinkDeps } from '#downlink/send.ts'
import type { FilesDeps } from '#features/files/door.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'

/** What upgrade tasks need; made once in app/. */
export interface OtaDeps extends DownlinkDeps, Common<'db' | 'signal'> {
  products: ProductCache
  rollouts: Rollouts
  jobs: JobsDeps
  files: FilesDeps
  /** Base of the links that devices download from. */
  publicUrl(): string
}
