/** The key that secrets are sealed with, as people write it and as a file. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { phrase } from '@ithings/contract/text.ts'
import { keyBytes } from '#db/sealed.ts'
import { patientRename } from '#ports/patient-rename.ts'
import { TerminalError, wordsOf } from '#terminal.ts'

export const keyName = 'secret.key'
export const keyForm = '应为 32 字节，写成 64 位十六进制或 base64'

/** @returns undefined: it is none */
export function parseKey(text: string): Buffer | undefined {
  const given = text.trim()
  if (/^[0-9a-f]{64}$/i.test(given)) return Buffer.from(given, 'hex')
  return /^[\w+/-]{43}=?$/.test(given) ? Buffer.from(given, 'base64') : undefined
}

/** @returns undefined: there is no such file */
export async function readKeyFile(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new TerminalError(phrase('无法读取 {path} 里的钥匙：{why}', { path, why: cause.message }), { cause })
  })
  if (text === undefined) return undefined
  const key = parseKey(text)
  if (!key) throw new TerminalError(phrase('{path} 里的钥匙{form}', { path, form: phrase(keyForm) }))
  return key
}

/** The name in the folder must be on the disk too. Some file systems cannot sync a folder; they do it by themselves. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** A new file for its owner's eyes, on the disk when it returns; refused where one is already. */
export async function writePrivate(path: string, content: string | Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(path))
}

/** A new key; or the one that is there, when another server was quicker. Whole or not at all, on the disk when it returns. */
export async function makeKeyFile(path: string): Promise<Buffer> {
  const half = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writePrivate(half, `${randomBytes(keyBytes).toString('hex')}\n`)
    await link(half, path).catch((error: NodeJS.ErrnoException) => {
      // A file system without links.
      if (error.code !== 'EEXIST') return patientRename(half, path)
    })
    await syncFolder(dirname(path))
  } catch (cause) {
    throw new TerminalError(phrase('无法把钥匙写入 {path}：{why}', { path, why: wordsOf(cause) }), { cause })
  } finally {
    await rm(half, { force: true })
  }
  return (await readKeyFile(path)) as Buffer
}

export async function moveKeyFile(from: string, to: string): Promise<void> {
  await patientRename(from, to).catch((error: NodeJS.ErrnoException) => {
    // Another server of this folder has done it.
    if (error.code !== 'ENOENT') throw error
  })
  await syncFolder(dirname(to))
}
