/** Uploads land in the temporary folder until a business object takes them (http-api.md 2.8). */

import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { dayMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import {
  resumableUpload,
  type UploadRule,
  type UploadScene,
  type uploadFile as uploadEndpoint,
  uploadScenes,
} from '@ithings/contract/features/files.ts'
import { phrase } from '@ithings/contract/text.ts'
import { fileTypeFromBuffer } from 'file-type'
import type { UploadedFile } from '#http/receive-form.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { FilesDeps } from './files-deps.ts'

type Place = BodyOutput<typeof uploadEndpoint>

export const temporary = 'temp/'
/** Enough of a file to know its type by. */
export const headBytes = 4_100
export const linkLifeSeconds = 1440
/** http-api.md 2.8: an upload address is good for a day. */
export const uploadLifeSeconds = dayMs / 1000
const reserveBytes = 256 * 1024 * 1024

export const isScene = (key: string): key is UploadScene => Object.hasOwn(uploadScenes, key)

export const ruleOf = (scene: UploadScene): UploadRule => uploadScenes[scene]

export function sceneOf({ business, scene }: Pick<Place, 'business' | 'scene'>): UploadScene {
  const key = `${business}/${scene}`
  if (!isScene(key)) throw badField('scene', '不支持的上传用途 {key}', { key })
  return key
}

async function mayUse({ gate }: FilesDeps, { role }: SignedInUser, scene: UploadScene): Promise<boolean> {
  const { usedBy } = ruleOf(scene)
  return !usedBy || gate.allows(role, usedBy)
}

async function requireUse(deps: FilesDeps, user: SignedInUser, scene: UploadScene): Promise<void> {
  if (await mayUse(deps, user, scene)) return
  const { label, usedBy } = ruleOf(scene)
  throw refusal(errors.permission, '上传{label}需要「{name}」的权限', {
    label: phrase(label),
    name: phrase(usedBy?.name ?? ''),
  })
}

/** The database may lie on the same disk: uploads and results of jobs leave it room. */
export async function requireRoom({ files }: Pick<FilesDeps, 'files'>, bytes: number): Promise<void> {
  if ((await files.room()) - bytes < reserveBytes)
    throw new AppError(errors.quota, { msg: phrase('存储空间不足，请联系管理员') })
}

/** Where the fields come after the file nobody knows yet what it is for: the most that this user may upload. */
export async function formLimit(deps: FilesDeps, user: SignedInUser, fields: Record<string, unknown>): Promise<number> {
  const key = `${fields.business}/${fields.scene}`
  if (isScene(key)) {
    await requireUse(deps, user, key)
    return ruleOf(key).maxBytes
  }
  let limit = 0
  for (const scene of Object.keys(uploadScenes) as UploadScene[]) {
    if (await mayUse(deps, user, scene)) limit = Math.max(limit, ruleOf(scene).maxBytes)
  }
  return limit
}

/** Always a place of its own: two people may upload the same name at the same time. Below the folder of who uploads. */
function newPath(place: Place, { userID }: SignedInUser): string {
  const own = randomUUID()
  const name = place.rename ? `${own}${extname(place.filePath).toLowerCase()}` : `${own}/${place.filePath}`
  return `${sceneOf(place)}/${userID}/${name}`
}

/**
 * One person cannot fill the disk with what nothing takes. Looked at once it lies there, so that many at the same time
 * are no more than one after the other.
 * @param path business/scene/user/...
 */
export async function requireShare({ files }: FilesDeps, path: string): Promise<void> {
  const folder = temporary + path.split('/', 3).join('/')
  let untaken = 0
  for await (const _ of files.list(folder)) untaken++
  if (untaken <= resumableUpload.uploads) return
  await files.remove(temporary + path)
  throw new AppError(errors.quota, {
    msg: phrase('未使用的上传不能超过 {most} 个，请先使用已上传的文件，或一天后再试', {
      most: resumableUpload.uploads,
    }),
  })
}

/** By content, not by what the sender says. Answers the extension that belongs to it. */
export async function checkContent(scene: UploadScene, content: () => Readable, size: number): Promise<string> {
  const { types, maxBytes, label } = ruleOf(scene)
  if (size > maxBytes) {
    throw new AppError(errors.outOfRange, {
      msg: phrase('{label}不能超过 {megabytes} MB', { label: phrase(label), megabytes: maxBytes / 1024 / 1024 }),
    })
  }
  if (types.length === 0) {
    if (size === 0) throw refusal(errors.parameter, '{label}是空的', { label: phrase(label) })
    return 'bin'
  }
  const found = await fileTypeFromBuffer(await buffer(content()))
  if (!found || !types.includes(found.mime)) {
    throw refusal(errors.type, '{label}只支持 {types}，收到 {given}', {
      label: phrase(label),
      types,
      given: found?.mime ?? phrase('未知类型'),
    })
  }
  return found.ext
}

export async function uploadFile(deps: FilesDeps, place: Place, file: UploadedFile | undefined, user: SignedInUser) {
  if (!file) throw badField('file', '请选择文件')
  const scene = sceneOf(place)
  await requireUse(deps, user, scene)
  const path = newPath(place, user)
  await checkContent(scene, () => createReadStream(file.path, { end: headBytes - 1 }), file.size)
  await deps.files.adopt(file.path, temporary + path)
  await requireShare(deps, path)
  return { filePath: path, fileUri: deps.links.sign(temporary + path, 'get', linkLifeSeconds) }
}

export async function createUploadUrl(deps: FilesDeps, place: Place, user: SignedInUser) {
  const path = newPath(place, user)
  await requireUse(deps, user, sceneOf(place))
  return { filePath: path, uploadUri: deps.links.sign(temporary + path, 'put', uploadLifeSeconds) }
}
