import { type Files, partFolder } from '#ports/files.ts'
import type { FilesDeps } from './files-deps.ts'
import { olderThan } from './older-than.ts'
import { oneTimeFolder, oneTimeSeconds } from './one-time.ts'
import { dropOldRows } from './resumable/upload-rows.ts'
import { temporary, uploadLifeSeconds } from './upload.ts'

async function dropOlder(files: Files, folder: string, time: number): Promise<number> {
  const old = await olderThan(files, folder, time)
  for (const path of old) await files.remove(path)
  return old.length
}

/** Uploads that nobody finished or took, one-time files that nobody fetched, and what crashes left half-written. */
export async function dropOldUploads(deps: Pick<FilesDeps, 'db' | 'files' | 'spool' | 'clock'>): Promise<number> {
  const { files, spool, clock } = deps
  const dayAgo = clock.now() - uploadLifeSeconds * 1000
  const dropped = [
    await dropOldRows(deps),
    await dropOlder(files, temporary.slice(0, -1), dayAgo),
    await dropOlder(spool, partFolder, dayAgo),
    await dropOlder(files, oneTimeFolder.slice(0, -1), clock.now() - oneTimeSeconds * 1000),
  ]
  return dropped.reduce((sum, count) => sum + count)
}
