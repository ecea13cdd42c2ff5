/** A business object takes an upload: it leaves the temporary folder and stays. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { FilesKit } from './files-kit.ts'
import { linkLifeSeconds, temporary } from './upload.ts'

export async function takeUpload({ files }: FilesKit, path: string): Promise<string> {
  if (await files.stat(temporary + path)) {
    await files.move(temporary + path, path)
    return path
  }
  // Taken before, by the same object saved twice.
  if (await files.stat(path)) return path
  throw new AppError(errors.notFound, { detail: `上传的文件 ${path} 不存在或已过期，请重新上传` })
}

export const fileLink = ({ links }: FilesKit, path: string, name = ''): string =>
  path === '' ? '' : links.sign(path, 'get', linkLifeSeconds, name)
