/** The tus protocol's store on the files port: bytes as they arrive, everything else in a row. */

import type { Readable } from 'node:stream'
import { resumableUpload } from '@ithings/contract/features/files.ts'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { FilesDeps } from '../files-deps.ts'
import { temporary } from '../upload.ts'
import { findRow, finishedPath, markFinished, removeUpload, type UploadRow, unfinishedPath } from './upload-rows.ts'

async function requireRow(deps: FilesDeps, id: string): Promise<UploadRow> {
  const row = await findRow(deps, id)
  if (!row) throw ERRORS.FILE_NOT_FOUND
  return row
}

/** All bytes are there: from now on it can be taken. Repeated after a crash in between. */
async function finish(deps: FilesDeps, id: string): Promise<void> {
  await deps.files.arriving.finish(unfinishedPath(id), temporary + finishedPath(id))
  await markFinished(deps, id)
}

/** The finished file first: what it was made of may still lie there after a crash. */
async function readOffset(deps: FilesDeps, row: UploadRow): Promise<number> {
  const id = row.upload_id
  if (await deps.files.stat(temporary + finishedPath(id))) return row.size
  const size = await deps.files.arriving.size(unfinishedPath(id))
  if (size === row.size) await finish(deps, id)
  return size
}

export function makeUploadStore(deps: FilesDeps): DataStore {
  return Object.assign(new DataStore(), {
    extensions: ['creation', 'creation-with-upload', 'termination', 'expiration'],
    getExpiration: () => resumableUpload.hours * 3600_000,
    /** Its row says that it is there; bytes come later. */
    create: async (upload: Upload): Promise<Upload> => upload,
    async getUpload(id: string): Promise<Upload> {
      const row = await requireRow(deps, id)
      return new Upload({
        id,
        size: row.size,
        offset: await readOffset(deps, row),
        metadata: { filename: row.file_name },
        creation_date: new Date(row.created_at).toISOString(),
      })
    },
    async write(content: Readable, id: string, offset: number): Promise<number> {
      const row = await requireRow(deps, id)
      if (offset === row.size) return offset
      let end = offset
      const counted = content.map((chunk: Buffer) => {
        end += chunk.length
        return chunk
      })
      await deps.files.arriving.append(unfinishedPath(id), counted, offset)
      if (end === row.size) await finish(deps, id)
      return end
    },
    remove: (id: string) => removeUpload(deps, id),
  })
}
