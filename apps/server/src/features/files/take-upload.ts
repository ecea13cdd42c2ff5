/** A business object takes an upload: it leaves the temporary folder and stays, under a name that nobody else has. */

import { randomUUID } from 'node:crypto'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { UploadScene } from '@ithings/contract/features/files.ts'
import type { FileStat, StoredCopy } from '#ports/files.ts'
import type { FilesDeps } from './files-deps.ts'
import { forgetUpload } from './resumable/upload-rows.ts'
import { checkContent, headBytes, linkLifeSeconds, temporary } from './upload.ts'

/** Only uploads of this scene can be taken: a path of something else would open that to everybody who may read this. */
async function requireUpload({ files }: FilesDeps, scene: UploadScene, path: string): Promise<FileStat> {
  const inScene = path.startsWith(`${scene}/`) && !path.split('/').includes('..')
  const found = inScene ? await files.stat(temporary + path) : undefined
  if (!found) throw refusal(errors.notFound, '上传的文件 {path} 不存在或已过期，请重新上传', { path })
  return found
}

/** What came through an upload address was not looked at before. */
const extensionOf = ({ files }: FilesDeps, scene: UploadScene, path: string, { size }: FileStat): Promise<string> =>
  checkContent(scene, () => files.read(temporary + path, { start: 0, end: headBytes - 1 }), size)

export async function takeUpload(deps: FilesDeps, scene: UploadScene, path: string): Promise<string> {
  const extension = await extensionOf(deps, scene, path, await requireUpload(deps, scene, path))
  const target = `${scene}/${randomUUID()}.${extension}`
  await deps.files.move(temporary + path, target)
  return target
}

/** Bytes of an upload that could be taken now. */
export async function sizeOfUpload(deps: FilesDeps, scene: UploadScene, path: string): Promise<number> {
  const found = await requireUpload(deps, scene, path)
  await extensionOf(deps, scene, path, found)
  return found.size
}

/**
 * Keeps a copy, which cannot change any more while its digests are compared: who uploaded may still hold an address
 * or a connection that writes the original. The upload stays, so that a refusal of the rest costs no second upload.
 */
export async function copyUpload(deps: FilesDeps, scene: UploadScene, path: string): Promise<StoredCopy> {
  const extension = await extensionOf(deps, scene, path, await requireUpload(deps, scene, path))
  const folder = randomUUID()
  return deps.files.copy(temporary + path, ({ sha256 }) => `${scene}/${folder}/${sha256}.${extension}`)
}

/** After its copy was kept. */
export async function dropUpload(deps: FilesDeps, path: string): Promise<void> {
  await deps.files.remove(temporary + path)
  await forgetUpload(deps, path)
}

export const fileLink = (
  { links }: Pick<FilesDeps, 'links'>,
  path: string,
  name = '',
  lifeSeconds = linkLifeSeconds,
): string => (path === '' ? '' : links.sign(path, 'get', lifeSeconds, name))
