import type { Common } from '#common-deps.ts'
import type { FilesDeps } from '#features/files/door.ts'

/** What packages need; made once in app/. */
export interface FirmwareDeps extends Common<'db' | 'clock'> {
  files: FilesDeps
}
