import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { JobQueue } from '#ports/job-queue.ts'
import type { JobKind } from './job-kinds.ts'

export interface JobsKit {
  db: Db
  clock: Clock
  files: Files
  queue: JobQueue
  log: Logger
  kinds: Map<string, JobKind>
  /** A link that the browser can follow without a token, for a while. */
  signLink(path: string, name: string): Promise<string>
}
