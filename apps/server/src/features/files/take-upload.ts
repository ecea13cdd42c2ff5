/** A business object takes an upload: it leaves the temporary folder and stays, under a name that nobody else has. */
import { randomUUID } from 'node:crypto'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { UploadScene } from '@ithings/contract/features/files.ts'
import type { FilesKit } from './files-kit.ts'
import { checkContent, headBytes, linkLifeSeconds, temporary } from './upload.ts'

/** Only uploads of this scene can be taken: a path of something else would open that to everybody who may read this. */
export async function takeUpload({ files }: FilesKit, scene: UploadScene, path: string): Promise<string> {
  const from = temporary + path
  const found = path.startsWith(`${scene}/`) && !path.split('/').includes('..') ? await files.stat(from) : undefined
  if (!found) {
    throw new AppError(errors.notFound, { detail: `上传的文件 ${path} 不存在或已过期，请重新上传` })
  }
  // What came through an upload address was not looked at before.
  const extension = await checkContent(scene, files.read(from, { start: 0, end: headBytes - 1 }), found.size)
  const target = `${scene}/${randomUUID()}.${extension}`
  await files.move(from, target)
  return target
}

export const fileLink = ({ links }: FilesKit, path: string, name = '', lifeSeconds = linkLifeSeconds): string =>
  path === '' ? '' : links.sign(path, 'get', lifeSeconds, name)
