/**
 * The key that the platform made for the secrets in its database, a file of DATA_DIR. The rows of a backup can be read
 * with the key of the time only, so it goes along. A key from the environment does not: it is the operator's.
 */

import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { phrase } from '@ithings/contract/text.ts'
import type pg from 'pg'
import { patientRename } from '#ports/patient-rename.ts'
import { keyName, writePrivate } from '#secret-key/key-file.ts'
import { inTerminal } from '#terminal.ts'
import { BackupError, type Header } from './format.ts'

/** While a rotation is under way, or was killed, values need both keys, of which a backup holds one. */
export async function refuseTwoKeys(client: pg.Client, { tables }: Header): Promise<void> {
  if (!tables.some(({ name }) => name === 'secret_key')) return
  const { rowCount } = await client.query('select from secret_key')
  if (Number(rowCount) < 2) return
  throw new BackupError(phrase('加密密钥的钥匙正在更换：请先等 npm run rotate-secret-key 结束'))
}

export async function readKey(dataDir: string): Promise<Buffer | undefined> {
  return readFile(join(dataDir, keyName)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

/** The key of a backup on its way into DATA_DIR. A key that it replaces is kept: other backups may need it. */
export function makeKeyStaging(dataDir: string, say: (line: string) => void) {
  const path = join(dataDir, keyName)
  const waiting = `${path}.restoring`
  const old = `${path}.before-${new Date().toISOString().replaceAll(/\D/g, '')}`
  const made: string[] = []
  let key: Buffer | undefined
  const make = async (file: string, content: Buffer) => {
    made.push(file)
    await writePrivate(file, content)
  }

  return {
    async add(content: AsyncIterable<Buffer>) {
      key = await buffer(content)
    },
    /** Where none is, the key is there before the database that needs it; another one stays until then. */
    async placeNew() {
      if (!key) return
      await mkdir(dataDir, { recursive: true })
      const found = await readKey(dataDir)
      if (!found) return make(path, key)
      if (found.toString().trim() === key.toString().trim()) return
      // Of a restore that was killed.
      await rm(waiting, { force: true })
      await make(waiting, key)
      await make(old, found)
    },
    async finish() {
      if (!made.includes(waiting)) return
      await patientRename(waiting, path)
      say(inTerminal(phrase('{path} 原来的钥匙与备份里的不同：现在是备份里的那把，原来的改名为 {old}', { path, old })))
    },
    async drop() {
      for (const file of made) await rm(file, { force: true })
    },
  }
}
