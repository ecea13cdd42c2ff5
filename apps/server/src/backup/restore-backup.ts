/**
 * All or nothing: the whole file is checked before anything is touched, and one transaction takes the old content out
 * and the new content in. Stored files are put in place with its commit.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { phrase } from '@ithings/contract/text.ts'
import type pg from 'pg'
import { migrationLock } from '#db/migrate.ts'
import { inTerminal, wordsOf } from '#terminal.ts'
import { copyIn, cutConnection } from './copy-stream.ts'
import { connectPlain, listTables, lossOf, quote, readMigrations, tableRef, wipe } from './database.ts'
import { type FilesPlace, storageOf } from './file-storage.ts'
import { BackupError, damaged, type Header, type Part, type Trailer } from './format.ts'
import type { Progress } from './progress.ts'
import { type ArchivePlace, readArchive } from './read-archive.ts'
import { applyMigrations, type Prepared, planMigrations, prepareSchema } from './rebuild-schema.ts'
import { openStaging, type Staging } from './stored-files.ts'

export interface RestoreWish extends FilesPlace, ArchivePlace {
  /** Takes the place of what the database and the folder of files hold. */
  force: boolean
  progress: Progress
  signal: AbortSignal
}

/** The database is restored, and yet something that follows its commit failed: the old state is gone. */
export class AfterCommitError extends BackupError {}

/** Reads the whole file without touching anything. */
export async function checkBackup(wish: RestoreWish): Promise<Header> {
  const { progress, signal } = wish
  let header: Header | undefined
  await readArchive(
    wish,
    {
      async header(found) {
        await planMigrations(found)
        header = found
      },
      async part(part, content) {
        for await (const _ of progress.pass(part, content));
      },
    },
    signal,
  )
  if (!header) throw damaged(phrase('没有文件头'))
  return header
}

async function isInUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ programs: number }>(
    `select count(*)::integer as programs from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'ithings-core%'`,
  )
  return Boolean(rows[0]?.programs)
}

/** A connection that ended a moment ago, with the restore before this one perhaps, is still listed for a while. */
const endingMs = 5_000

/** Not within a transaction: there the list stays as it was first read. */
export async function refuseWhileInUse(client: pg.Client): Promise<void> {
  const until = performance.now() + endingMs
  while (await isInUse(client)) {
    if (performance.now() > until) {
      throw new BackupError(phrase('数据库正在使用：请先停止使用它的所有服务器（和备份）'))
    }
    await wait(50)
  }
}

/** Whether there is something to take out. What another program made is not ours to take out, forced or not. */
async function isFilled(client: pg.Client): Promise<boolean> {
  const tables = await listTables(client)
  if (tables.length > 0 && !(await readMigrations(client))) {
    throw new BackupError(
      phrase('数据库里有其他程序的表（{table}）：请在 DATABASE_URL 里指定一个空的数据库', { table: tables[0]?.name }),
    )
  }
  return tables.length > 0
}

async function refuseFilled(client: pg.Client, wish: RestoreWish): Promise<void> {
  const filled = await isFilled(client)
  if (wish.force) return
  const hint = phrase('要用备份替换其中的全部内容，请加 --force')
  if (filled) throw new BackupError(phrase('数据库不是空的。{hint}', { hint }))
  const storage = storageOf(wish)
  for await (const path of storage.list()) {
    throw new BackupError(phrase('{place}不是空的（{path}）。{hint}', { place: storage.title, path, hint }))
  }
}

async function loadPart(
  client: pg.Client,
  part: Part,
  content: AsyncIterable<Buffer>,
  header: Header,
  staging: Staging,
): Promise<void> {
  if (part.kind === 'file') return staging.add(part.path, content)
  if (part.kind === 'key') return staging.addKey(content)
  const table = header.tables.find(({ schema, name }) => schema === part.schema && name === part.name)
  if (!table) throw damaged(phrase('其中有清单以外的表：{name}', { name: part.name }))
  await copyIn(client, `copy ${tableRef(table)} (${table.columns.map(quote).join(', ')}) from stdin`, content)
}

/** The queue forgot who worked on what: what was running waits for its turn again (features/jobs/housekeeping.ts). */
const requeueRunning = `update job set status = 1 where status = 2`

/** Devices subscribe again. What waited for them when the backup was made has reached them since, or is out of date. */
const forgetSessions = `truncate mqtt_session, mqtt_filter, mqtt_message`

async function checkRows(client: pg.Client, header: Header, loaded: Trailer): Promise<void> {
  let rows = 0
  for (const table of header.tables) {
    const { rows: counted } = await client.query<{ n: number }>(`select count(*)::float8 as n from ${tableRef(table)}`)
    rows += counted[0]?.n ?? 0
  }
  if (rows !== loaded.rows)
    throw new BackupError(phrase('读出 {read} 行，而数据库里有 {rows} 行', { read: loaded.rows, rows }))
}

async function load(client: pg.Client, wish: RestoreWish, staging: Staging): Promise<Trailer> {
  const { progress } = wish
  let header: Header | undefined
  let prepared: Prepared | undefined
  await client.query('begin')
  await wipe(client)
  const trailer = await readArchive(
    wish,
    {
      async header(found) {
        header = found
        prepared = await prepareSchema(client, found, (await planMigrations(found)).had)
      },
      async part(part, content) {
        if (header) await loadPart(client, part, progress.pass(part, content), header, staging)
      },
    },
    wish.signal,
  )
  if (!header || !prepared) throw damaged(phrase('没有文件头'))
  await checkRows(client, header, trailer)
  progress.say(inTerminal(phrase('正在检查引用')))
  await prepared.seal()
  if (prepared.tables.has('public.job')) await client.query(requeueRunning)
  if (prepared.tables.has('public.mqtt_session')) await client.query(forgetSessions)
  const { due } = await planMigrations(header)
  const files = due.map((one) => one.file).join(', ')
  if (due.length > 0) progress.say(inTerminal(phrase('备份来自较旧的版本：正在应用 {files}', { files })))
  await applyMigrations(client, due, true)
  return trailer
}

const lockNotAvailable = '55P03'

async function settle(client: pg.Client, staging: Staging, progress: Progress): Promise<void> {
  try {
    await staging.finish()
    progress.say(inTerminal(phrase('正在收集统计信息')))
    await client.query('analyze')
  } catch (cause) {
    throw new AfterCommitError(
      phrase('数据库已恢复，但后续步骤没有全部完成：{why}。请用 --force 重新恢复', { why: wordsOf(cause) }),
      { cause },
    )
  }
}

export async function restoreBackup(databaseUrl: string, wish: RestoreWish): Promise<Trailer> {
  const client = await connectPlain(databaseUrl)
  let staging: Staging | undefined
  try {
    // A server that starts meanwhile waits here with its migrations, and so does another restore.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await refuseWhileInUse(client)
    await refuseFilled(client, wish)
    staging = await openStaging(wish, wish.progress.say)
    const trailer = await load(client, wish, staging)
    await staging.placeNew()
    wish.signal.throwIfAborted()
    await client.query('commit')
    const committed = staging
    staging = undefined
    await settle(client, committed, wish.progress)
    return trailer
  } catch (error) {
    const loss = lossOf(client)
    await staging?.drop()
    cutConnection(client)
    if ((error as { code?: string }).code !== lockNotAvailable) throw loss ?? error
    throw new BackupError(phrase('另一个程序占用着数据库的表：请关闭它再试'), { cause: error })
  } finally {
    await client.end()
  }
}
