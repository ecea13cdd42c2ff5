import type { Db } from '#db/schema.ts'
import type { FilesDeps } from '#features/files/door.ts'
import type { Clock } from '#ports/clock.ts'

/** What packages need; made once in app/. */
export interface FirmwareDeps {
  db: Db
  clock: Clock
  files: FilesDeps
}
