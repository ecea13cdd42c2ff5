import type { FilesKit } from './files-kit.ts'
import { oneTimeFolder, oneTimeSeconds } from './one-time.ts'
import { temporary, uploadLifeSeconds } from './upload.ts'

/** Uploads that nobody took, and one-time files that nobody fetched. */
export async function dropOldUploads({ files, clock }: FilesKit): Promise<number> {
  const old = [
    ...(await files.olderThan(temporary.slice(0, -1), clock.now() - uploadLifeSeconds * 1000)),
    ...(await files.olderThan(oneTimeFolder.slice(0, -1), clock.now() - oneTimeSeconds * 1000)),
  ]
  for (const path of old) await files.remove(path)
  return old.length
}
