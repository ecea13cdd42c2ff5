import type { Bell } from '#background/bell.ts'
import type { Common } from '#common-deps.ts'
import type { Files } from '#ports/files.ts'
import type { JobKind } from './job-kinds.ts'
import type { Lists } from './list-export/lists.ts'

export interface JobsDeps extends Common<'db' | 'clock' | 'log' | 'background'> {
  files: Files
  /** Rung when a job waits. */
  bell: Bell
  kinds: Map<string, JobKind>
  lists: Lists
  /** A link that the browser can follow without a token, for a while. */
  signLink(path: string, name: string): Promise<string>
}
