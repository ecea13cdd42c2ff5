/** What may be uploaded for which purpose; the server refuses the rest in the same words. Pure. */

import { type UploadScene, uploadScenes } from '@ithings/contract/features/files.ts'
import { t } from '@ithings/contract/text.ts'
import { numberText } from '#kit/number-text.ts'

const megabyte = 1024 * 1024

const typeNames = (types: readonly string[]) =>
  types.map((type) => type.replace(/^image\//, '').toUpperCase()).join(t('、'))

/** Under the control: what it takes. */
export function uploadHint(scene: UploadScene): string {
  const { types, maxBytes } = uploadScenes[scene]
  return t('{types}，不超过 {max} MB', { types: typeNames(types), max: maxBytes / megabyte })
}

export const acceptOf = (scene: UploadScene): string => uploadScenes[scene].types.join()

/** Why a file is not taken, or undefined. */
export function refuseUpload(scene: UploadScene, file: { name: string; type: string; size: number }) {
  const { types, maxBytes, label } = uploadScenes[scene]
  if (!types.some((type) => type === file.type)) {
    return t('{label}只支持 {types}，「{name}」是 {type}', {
      label: t(label),
      types: typeNames(types),
      name: file.name,
      type: file.type || t('未知类型'),
    })
  }
  if (file.size > maxBytes) {
    return t('{label}不能超过 {max} MB，「{name}」有 {size} MB', {
      label: t(label),
      max: maxBytes / megabyte,
      name: file.name,
      size: numberText(file.size / megabyte, 1, 1),
    })
  }
  return undefined
}

/** business and scene of an upload place. */
export function placeOf(scene: UploadScene, fileName: string) {
  const [business = '', purpose = ''] = scene.split('/')
  // The name on disk is the server's; of ours it keeps the ending only.
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0] ?? ''
  return { business, scene: purpose, filePath: `upload${ending}`, rename: true }
}
