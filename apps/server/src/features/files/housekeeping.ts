import { partFolder } from '#ports/files.ts'
import type { FilesDeps } from './files-deps.ts'
import { oneTimeFolder, oneTimeSeconds } from './one-time.ts'
import { dropOldRows } from './resumable/upload-rows.ts'
import { temporary, uploadLifeSeconds } from './upload.ts'

/** Uploads that nobody finished or took, one-time files that nobody fetched, and what crashes left half-written. */
export async function dropOldUploads(deps: FilesDeps): Promise<number> {
  const { files, clock } = deps
  const dayAgo = clock.now() - uploadLifeSeconds * 1000
  const uploads = await dropOldRows(deps)
  const old = [
    ...(await files.olderThan(temporary.slice(0, -1), dayAgo)),
    ...(await files.olderThan(partFolder, dayAgo)),
    ...(await files.olderThan(oneTimeFolder.slice(0, -1), clock.now() - oneTimeSeconds * 1000)),
  ]
  for (const path of old) await files.remove(path)
  return uploads + old.length
}
