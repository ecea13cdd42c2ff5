/** Uploads land in the temporary folder until a business object takes them (http-api.md 2.8). */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type UploadScene, type uploadFile as uploadEndpoint, uploadScenes } from '@ithings/contract/features/files.ts'
import { fileTypeFromFile } from 'file-type'
import type { UploadedFile } from '#http/upload-route.ts'
import type { FilesKit } from './files-kit.ts'

type Place = BodyOutput<typeof uploadEndpoint>

export const temporary = 'temp/'
export const linkLifeSeconds = 1440
/** http-api.md 2.8: an upload address is good for a day. */
export const uploadLifeSeconds = 24 * 3600

function sceneOf({ business, scene }: Place) {
  const key = `${business}/${scene}`
  const found = Object.hasOwn(uploadScenes, key) ? uploadScenes[key as UploadScene] : undefined
  if (!found) throw new AppError(errors.parameter, { detail: `不支持的上传用途 ${key}`, field: 'scene' })
  return found
}

export function targetPath(place: Place): string {
  sceneOf(place)
  const name = place.rename ? `${randomUUID()}${extname(place.filePath).toLowerCase()}` : place.filePath
  return `${place.business}/${place.scene}/${name}`
}

/** By content, not by what the sender says. */
export async function checkContent(place: Place, path: string, size: number): Promise<void> {
  const { types, maxBytes, label } = sceneOf(place)
  if (size > maxBytes) {
    throw new AppError(errors.outOfRange, { msg: `${label}不能超过 ${maxBytes / 1024 / 1024} MB` })
  }
  const type = (await fileTypeFromFile(path))?.mime ?? '未知类型'
  if (!types.some((allowed) => allowed === type)) {
    throw new AppError(errors.type, { detail: `${label}只支持 ${types.join('、')}，收到 ${type}` })
  }
}

export async function uploadFile({ files, links }: FilesKit, place: Place, file: UploadedFile | undefined) {
  if (!file) throw new AppError(errors.parameter, { detail: '请选择文件', field: 'file' })
  const path = targetPath(place)
  await checkContent(place, file.path, file.size)
  await files.write(temporary + path, createReadStream(file.path), file.size)
  return { filePath: path, fileUri: links.sign(temporary + path, 'get', linkLifeSeconds) }
}

export async function createUploadUrl({ links }: FilesKit, place: Place) {
  const path = targetPath(place)
  return { filePath: path, uploadUri: links.sign(temporary + path, 'put', uploadLifeSeconds) }
}
