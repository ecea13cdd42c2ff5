import type { Db } from '#db/schema.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { Locks } from '#ports/locks.ts'
import type { LinkSigner } from './signed-link.ts'

export interface FilesDeps {
  db: Db
  files: Files
  /** Of this machine's disk: forms lie there while they arrive, wherever files are kept then. */
  spool: Files
  /** Uploads exclude each other on all servers. */
  locks: Locks
  links: LinkSigner
  clock: Clock
  /** Who may upload for what. */
  gate: Gate
}
