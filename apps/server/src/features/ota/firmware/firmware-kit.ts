import type { Db } from '#db/schema.ts'
import type { FilesKit } from '#features/files/door.ts'
import type { Clock } from '#ports/clock.ts'

/** What packages need; made once in app/. */
export interface FirmwareKit {
  db: Db
  clock: Clock
  files: FilesKit
}
