/** The files of a package while they are hashed and sent. Pure. */

import { type createFirmwareBody, firmwareLimits } from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import type * as z from 'zod'
import { sizeText } from '#kit/size-text.ts'
import type { FileHashes } from './hash-file.ts'

export type PackageFile = z.input<typeof createFirmwareBody>['files'][number]

export interface UploadRow {
  uid: string
  name: string
  size: number
  state: 'sending' | 'paused' | 'failed' | 'sent'
  /** 0 to 1 of the bytes that the platform has. */
  share: number
  /** Why it failed. */
  reason?: string
  filePath?: string
  /** 0 to 1 of the bytes hashed; the hashes once all are. */
  hashed: number
  hashes?: FileHashes
  hashProblem?: string
  /** Ed25519, base64; optional. */
  signature: string
}

export const newRow = (uid: string, { name, size }: { name: string; size: number }): UploadRow => ({
  uid,
  name,
  size,
  state: 'sending',
  share: 0,
  hashed: 0,
  signature: '',
})

export const changeRow = (rows: readonly UploadRow[], uid: string, patch: Partial<UploadRow>): UploadRow[] =>
  rows.map((row) => (row.uid === uid ? { ...row, ...patch } : row))

export const isReady = ({ state, hashes, hashProblem }: UploadRow): boolean =>
  state === 'sent' && (hashes !== undefined || hashProblem !== undefined)

/** Which of the newly chosen files are taken, and why the others are not (screens.md 21: 20 files, 1,000 MB). */
export function admit<F extends { name: string; size: number }>(
  rows: readonly UploadRow[],
  chosen: readonly F[],
): { taken: F[]; refused: string[] } {
  const taken: F[] = []
  const refused: string[] = []
  const names = new Set(rows.map(({ name }) => name))
  let bytes = rows.reduce((sum, { size }) => sum + size, 0)
  for (const file of chosen) {
    const why = refusal(file, { names, bytes, count: rows.length + taken.length })
    if (why) {
      refused.push(why)
      continue
    }
    names.add(file.name)
    bytes += file.size
    taken.push(file)
  }
  return { taken, refused }
}

interface Taken {
  names: ReadonlySet<string>
  bytes: number
  count: number
}

function refusal({ name, size }: { name: string; size: number }, taken: Taken): string | undefined {
  if (size === 0) return t('「{name}」是空文件', { name })
  if (name.length > 128) return t('「{name}」的文件名超过 128 个字符', { name })
  if (taken.names.has(name)) return t('「{name}」已在列表中', { name })
  if (taken.count >= firmwareLimits.files)
    return t('「{name}」没有加入：一个固件包最多 {files} 个文件', { name, files: firmwareLimits.files })
  if (taken.bytes + size > firmwareLimits.bytes) {
    return t('「{name}」没有加入：文件合计不能超过 {most}，加上它是 {sum}', {
      name,
      most: sizeText(firmwareLimits.bytes),
      sum: sizeText(taken.bytes + size),
    })
  }
  return undefined
}

/** What is sent with the form: the files that the platform has, with what was computed here. */
export const packageFiles = (rows: readonly UploadRow[]): PackageFile[] =>
  rows.flatMap(({ filePath, name, hashes, signature }) =>
    filePath === undefined
      ? []
      : [{ filePath, name, ...hashes, ...(signature.trim() && { signature: signature.trim() }) }],
  )

/** Why the package cannot be created yet, or undefined. */
export function uploadProblem(rows: readonly UploadRow[]): string | undefined {
  if (rows.length === 0) return t('请选择升级包文件')
  const failed = rows.filter(({ state }) => state === 'failed').length
  if (failed > 0) return t('{count} 个文件上传失败，请重试或移除', { count: failed })
  const paused = rows.filter(({ state }) => state === 'paused').length
  if (paused > 0) return t('{count} 个文件已暂停，请继续或移除', { count: paused })
  return rows.every(isReady) ? undefined : t('文件还在上传或校验，请等它们完成')
}

interface StoredFile {
  name: string
  md5: string
  sha256: string
}

/** Names of the files whose stored bytes are not those of this computer. */
export const differing = (sent: readonly PackageFile[], stored: readonly StoredFile[]): string[] =>
  sent.flatMap(({ name, md5, sha256 }) => {
    const there = stored.find((one) => one.name === name)
    if (!there) return [name]
    const same = (here: string | undefined, found: string) => !here || here.toLowerCase() === found.toLowerCase()
    return same(md5, there.md5) && same(sha256, there.sha256) ? [] : [name]
  })
