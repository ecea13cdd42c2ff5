/** Uploads land in the temporary folder until a business object takes them (http-api.md 2.8). */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type UploadScene, type uploadFile as uploadEndpoint, uploadScenes } from '@ithings/contract/features/files.ts'
import { fileTypeFromBuffer } from 'file-type'
import type { UploadedFile } from '#http/receive-form.ts'
import type { FilesKit } from './files-kit.ts'

type Place = BodyOutput<typeof uploadEndpoint>

export const temporary = 'temp/'
/** Enough of a file to know its type by. */
export const headBytes = 4_100
export const linkLifeSeconds = 1440
/** http-api.md 2.8: an upload address is good for a day. */
export const uploadLifeSeconds = 24 * 3600

function sceneOf({ business, scene }: Place): UploadScene {
  const key = `${business}/${scene}`
  if (!Object.hasOwn(uploadScenes, key)) {
    throw new AppError(errors.parameter, { detail: `不支持的上传用途 ${key}`, field: 'scene' })
  }
  return key as UploadScene
}

/** Always a place of its own: two people may upload the same name at the same time. */
function newPath(place: Place): string {
  const own = randomUUID()
  const name = place.rename ? `${own}${extname(place.filePath).toLowerCase()}` : `${own}/${place.filePath}`
  return `${sceneOf(place)}/${name}`
}

/** By content, not by what the sender says. Answers the extension that belongs to it. */
export async function checkContent(scene: UploadScene, content: Readable, size: number): Promise<string> {
  const { types, maxBytes, label } = uploadScenes[scene]
  if (size > maxBytes) {
    throw new AppError(errors.outOfRange, { msg: `${label}不能超过 ${maxBytes / 1024 / 1024} MB` })
  }
  const found = await fileTypeFromBuffer(await buffer(content))
  if (!found || !types.some((allowed) => allowed === found.mime)) {
    throw new AppError(errors.type, { detail: `${label}只支持 ${types.join('、')}，收到 ${found?.mime ?? '未知类型'}` })
  }
  return found.ext
}

export async function uploadFile({ files, links }: FilesKit, place: Place, file: UploadedFile | undefined) {
  if (!file) throw new AppError(errors.parameter, { detail: '请选择文件', field: 'file' })
  const path = newPath(place)
  await checkContent(sceneOf(place), createReadStream(file.path, { end: headBytes - 1 }), file.size)
  await files.write(temporary + path, createReadStream(file.path), file.size)
  return { filePath: path, fileUri: links.sign(temporary + path, 'get', linkLifeSeconds) }
}

export async function createUploadUrl({ links }: FilesKit, place: Place) {
  const path = newPath(place)
  return { filePath: path, uploadUri: links.sign(temporary + path, 'put', uploadLifeSeconds) }
}
