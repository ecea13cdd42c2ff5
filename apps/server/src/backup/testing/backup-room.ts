/** Databases and folders of a backup test, and what they hold, to be compared. */
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { inject, onTestFinished } from 'vitest'
import { readConfig } from '#app/config.ts'
import { makeScratchDatabase } from '#testing/scratch-database.ts'
import { runCommand } from '../command.ts'
import { connectPlain, listTables, readSequences, tableRef } from '../database.ts'
import type { Passphrase } from '../encryption.ts'
import { type FilesPlace, storageOf } from '../file-storage.ts'
import { makeBackup } from '../make-backup.ts'
import { makeProgress, type Progress } from '../progress.ts'
import { checkBackup, restoreBackup } from '../restore-backup.ts'

/** When what a test made goes: with the test, unless several share it. */
type OnEnd = (end: () => Promise<void>) => void

/** PostgreSQL may run under another account, which must be able to enter. */
export async function makeFolder(onEnd: OnEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-backup-'))
  await chmod(folder, 0o711)
  onEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface Place extends FilesPlace {
  url: string
}

export interface MadePlace extends Place {
  databaseName: string
}

async function placeFrom(template: string | undefined, onEnd: OnEnd): Promise<MadePlace> {
  const { url, name, drop } = await makeScratchDatabase(inject('databaseUrl'), template)
  onEnd(drop)
  const dataDir = await makeFolder(onEnd)
  return { url, databaseName: name, dataDir, filesDir: join(dataDir, 'files') }
}

/** An installation: a database (empty, or migrated) and its folders. */
export const makePlace = (kind: 'empty' | 'migrated', onEnd: OnEnd = onTestFinished): Promise<MadePlace> =>
  placeFrom(kind === 'migrated' ? inject('migratedTemplate') : undefined, onEnd)

/** Another one with the same content. */
export async function copyPlace({ databaseName, filesDir }: MadePlace): Promise<Place> {
  const copy = await placeFrom(databaseName, onTestFinished)
  await cp(filesDir, copy.filesDir, { recursive: true })
  return copy
}

export async function storeFile({ filesDir }: Place, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(filesDir, path)), { recursive: true })
  await writeFile(join(filesDir, path), content)
}

const silent = makeProgress(() => undefined)

export async function backUp(place: Place, file?: string, progress: Progress = silent, passphrase?: Passphrase) {
  const { url, filesDir, dataDir, s3 } = place
  const target = file ?? join(await makeFolder(), 'backup')
  const { signal } = new AbortController()
  await makeBackup({ databaseUrl: url, file: target, passphrase, filesDir, dataDir, s3, progress, signal })
  return target
}

export async function restore(
  place: Place,
  file: string,
  force = false,
  passphrase?: Passphrase,
  progress: Progress = silent,
): Promise<void> {
  const { url, filesDir, dataDir, s3 } = place
  const { signal } = new AbortController()
  const wish = { file, passphrase, force, filesDir, dataDir, s3, progress, signal }
  await checkBackup(wish)
  await restoreBackup(url, wish)
}

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Counts and digests of every table, every sequence and every stored file. */
export async function contentOf({ url, ...place }: Place): Promise<Record<string, unknown>> {
  const client = await connectPlain(url)
  try {
    const content: Record<string, unknown> = {}
    for (const table of await listTables(client)) {
      const { rows } = await client.query(
        `select count(*)::integer as rows, md5(string_agg(md5(t::text), ',' order by md5(t::text))) as digest
         from ${tableRef(table)} t`,
      )
      content[`${table.schema}.${table.name}`] = rows[0]
    }
    for (const { name, ...value } of await readSequences(client)) content[`sequence ${name}`] = value
    const storage = storageOf(place)
    for await (const path of storage.list()) {
      content[`file ${path}`] = digestOf(await buffer((await storage.open(path)) ?? Readable.from([])))
    }
    return content
  } finally {
    await client.end()
  }
}

export async function query(place: Place, text: string): Promise<Array<Record<string, unknown>>> {
  const client = await connectPlain(place.url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** A command line, and what it says. */
export async function command(env: Record<string, string>, folder: string, ...args: string[]) {
  const passphrase = env.BACKUP_PASSPHRASE
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const { signal } = new AbortController()
  const config = readConfig(env)
  const code = await runCommand({ args, config, passphrase, folder, say: write, complain: write, signal })
  return { code, text: lines.join('\n') }
}
