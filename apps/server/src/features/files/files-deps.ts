import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { LinkSigner } from './signed-link.ts'

export interface FilesDeps {
  db: Db
  files: Files
  links: LinkSigner
  clock: Clock
  /** Who may upload for what. */
  gate: Gate
}
