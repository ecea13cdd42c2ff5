/** A picture file as the data URI that the settings keep, or the reason why not. */

import { updateSettingsBody } from '@ithings/contract/features/settings.ts'
import { t } from '@ithings/contract/text.ts'
import { numberText } from '#kit/number-text.ts'

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']

/** The contract allows 200,000 characters; base64 makes four of three bytes. */
const longest = 200_000
const prefixLength = 'data:image/svg+xml;base64,'.length
export const largestFile = Math.floor((longest - prefixLength) / 4) * 3

export const kilobytes = (bytes: number): string => `${numberText(Math.ceil(bytes / 1024))} KB`

/** The sentence for a file that cannot be taken; it names the limit and what was given. */
export function refuseLogo(file: { name: string; type: string; size: number }): string | undefined {
  if (!logoTypes.includes(file.type))
    return t('只支持 PNG、JPEG、WebP 或 SVG 图片，「{name}」不是', { name: file.name })
  if (file.size === 0) return t('「{name}」是空文件', { name: file.name })
  if (file.size > largestFile) {
    return t('图片不能超过 {max} KB，「{name}」有 {size}', {
      max: Math.floor(largestFile / 1024),
      name: file.name,
      size: kilobytes(file.size),
    })
  }
  return undefined
}

export const isLogo = (text: string): boolean => updateSettingsBody.shape.logo.safeParse(text).success

export const readAsDataUri = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error(t('图片读取失败'), { cause: reader.error }))
    reader.readAsDataURL(file)
  })

/** A file can carry any name: only what the browser can draw becomes the logo. */
export const canDraw = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const picture = new Image()
    picture.onload = () => resolve(true)
    picture.onerror = () => resolve(false)
    picture.src = address
  })
