/** Everything the platform holds as one file: one snapshot of the database, and the stored files at that moment. */

import { Readable } from 'node:stream'
import { phrase } from '@ithings/contract/text.ts'
import type pg from 'pg'
import { inTerminal } from '#terminal.ts'
import { version } from '#version.ts'
import { copyOut, cutConnection } from './copy-stream.ts'
import { connectPlain, listTables, lossOf, quote, readMigrations, readSequences, tableRef } from './database.ts'
import type { Passphrase } from './encryption.ts'
import type { FilesPlace } from './file-storage.ts'
import { BackupError, formatVersion, type Header, type TableInfo, type Trailer } from './format.ts'
import type { Progress } from './progress.ts'
import { readKey, refuseTwoKeys } from './secret-key.ts'
import { fileParts } from './stored-files.ts'
import { type OpenPart, writeArchive } from './write-archive.ts'

export interface BackupWish extends FilesPlace {
  databaseUrl: string
  file: string
  /** Undefined: the file is not encrypted. */
  passphrase?: Passphrase | undefined
  progress: Progress
  signal: AbortSignal
}

const undefinedTable = '42P01'
const tries = 5

/**
 * Opens the snapshot and holds every table of it, as readers do: nothing that reads or writes waits for that, and
 * retention, which drops partitions, comes back later (pg-journal/partitions.ts). Undefined: one was dropped meanwhile.
 */
async function openSnapshot(client: pg.Client): Promise<Header | undefined> {
  await client.query('begin isolation level repeatable read read only')
  const migrations = await readMigrations(client)
  if (!migrations) throw new BackupError(phrase('数据库里没有平台的数据，无可备份'))
  const tables = await listTables(client)
  try {
    for (const table of tables) await client.query(`lock table only ${tableRef(table)} in access share mode`)
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code === undefinedTable) return undefined
    throw error
  }
  const sequences = await readSequences(client)
  const createdAt = new Date().toISOString()
  return { format: formatVersion, program: version, createdAt, migrations, tables, sequences }
}

async function openSnapshotSoon(client: pg.Client): Promise<Header> {
  for (let n = 0; n < tries; n++) {
    const header = await openSnapshot(client)
    if (header) return header
  }
  throw new BackupError(phrase('数据表增减太快，未能锁定：请重试'))
}

function tablePart(client: pg.Client, table: TableInfo): OpenPart {
  const columns = table.columns.map(quote).join(', ')
  return {
    part: { kind: 'table', schema: table.schema, name: table.name },
    content: copyOut(client, `copy ${tableRef(table)} (${columns}) to stdout`),
  }
}

/** Files first: the sooner after the snapshot, the fewer of them are deleted before they are read. */
async function* allParts(client: pg.Client, header: Header, wish: BackupWish, key?: Buffer): AsyncGenerator<OpenPart> {
  const { progress } = wish
  if (key) yield { part: { kind: 'key' }, content: Readable.from([key]) }
  yield* progress.watch(
    fileParts(wish, (path) => progress.say(inTerminal(phrase('{path} 已在此期间被删除，不再备份', { path })))),
  )
  for (const table of header.tables) yield* progress.watch([tablePart(client, table)])
}

export async function makeBackup(wish: BackupWish): Promise<Trailer & { holdsKey: boolean }> {
  const client = await connectPlain(wish.databaseUrl)
  try {
    const header = await openSnapshotSoon(client)
    await refuseTwoKeys(client, header)
    const { createdAt, tables } = header
    wish.progress.say(inTerminal(phrase('快照 {createdAt}，{tables} 张表', { createdAt, tables: tables.length })))
    const key = await readKey(wish.dataDir)
    const trailer = await writeArchive(wish.file, header, allParts(client, header, wish, key), wish)
    await client.query('commit')
    return { ...trailer, holdsKey: key !== undefined }
  } catch (error) {
    const loss = lossOf(client)
    cutConnection(client)
    throw loss ?? error
  } finally {
    await client.end()
  }
}
