import type { Common } from '#common-deps.ts'
import type { Gate } from '#http/route.ts'
import type { Files } from '#ports/files.ts'
import type { Locks } from '#ports/locks.ts'
import type { LinkSigner } from './signed-link.ts'

export interface FilesDeps extends Common<'db' | 'clock'> {
  files: Files
  /** Of this machine's disk: forms lie there while they arrive, wherever files are kept then. */
  spool: Files
  /** Uploads exclude each other on all servers. */
  locks: Locks
  links: LinkSigner
  /** Who may upload for what. */
  gate: Gate
}
