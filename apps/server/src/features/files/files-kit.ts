import type { Clock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import type { LinkSigner } from './signed-link.ts'

export interface FilesKit {
  files: Files
  links: LinkSigner
  clock: Clock
}
