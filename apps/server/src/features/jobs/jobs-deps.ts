import type { Logger } from 'pino'
import type { Background } from '#background/background.ts'
import type { Bell } from '#background/bell.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { JobKind } from './job-kinds.ts'
import type { Lists } from './list-export/lists.ts'

export interface JobsDeps {
  db: Db
  clock: Clock
  files: Files
  /** Rung when a job waits. */
  bell: Bell
  background: Background
  log: Logger
  kinds: Map<string, JobKind>
  lists: Lists
  /** A link that the browser can follow without a token, for a while. */
  signLink(path: string, name: string): Promise<string>
}
