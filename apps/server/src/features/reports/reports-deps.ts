import type { Common } from '#common-deps.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { NotifyDeps } from '#features/notify/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Files } from '#ports/files.ts'
import type { History } from '#ports/history.ts'

/** What reports need; made once in app/. */
export interface ReportsDeps extends Common<'db' | 'clock' | 'background'> {
  files: Files
  history: History
  products: ProductCache
  jobs: JobsDeps
  notify: NotifyDeps
  /** A link that can be followed without a token, for so many seconds. */
  signLink(path: string, name: string, seconds: number): string
  /** Where the platform is reached, for links in mails. */
  publicUrl(): string
}
