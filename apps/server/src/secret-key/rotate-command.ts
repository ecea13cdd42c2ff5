/** `npm run rotate-secret-key`: a new key, everything sealed with it, the old one forgotten. Killed, it goes on next time. */

import { phrase } from '@ithings/contract/text.ts'
import { connectPlain } from '#backup/database.ts'
import { type DatabasePlace, openBeside } from '#backup/open-database.ts'
import { refuseWhileInUse } from '#backup/restore-backup.ts'
import { type Connection, connect } from '#db/connect.ts'
import { migrationLock } from '#db/migrate.ts'
import { makeKeyRing, markOfKey } from '#db/sealed.ts'
import { sweepSecrets } from '#db/sweep-secrets.ts'
import { inTerminal, TerminalError } from '#terminal.ts'
import { makeKeyFile, moveKeyFile, readKeyFile } from './key-file.ts'
import { type KeySource, keyFileOf, loadKeys, nextFileOf, readMarks } from './load-keys.ts'
import { makeTeller, noteSwept } from './sealing.ts'

export interface Rotation {
  config: DatabasePlace & KeySource
  say(line: string): void
  signal: AbortSignal
}

const ignore = () => undefined
const noTable = '42P01'

async function withConnection<T>(connection: Connection, work: (db: Connection['db']) => Promise<T>): Promise<T> {
  try {
    return await work(connection.db)
  } finally {
    await connection.close()
  }
}

/** The key is on the disk before the database hears of it, and both keys are known to whoever starts from then on. */
async function beginRotation(url: string, { config, say }: Rotation) {
  return withConnection(connect(url, ignore, 1), async (db) => {
    const keys = await loadKeys(db, config).catch((error: { code?: string }) => {
      if (error.code !== noTable) throw error
      throw new TerminalError(phrase('还没有本版本的服务器用过这个数据库：请先启动一台'), { cause: error })
    })
    const pending = await readKeyFile(nextFileOf(config))
    const next = pending ?? (await makeKeyFile(nextFileOf(config)))
    const marks = await readMarks(db)
    const begun = phrase('新钥匙在 {file}', { file: nextFileOf(config) })
    say(inTerminal(pending ? phrase('继续上次中断的更换') : begun))
    if (!marks.includes(markOfKey(next)))
      await db
        .insertInto('secret_key')
        .values({ mark: markOfKey(next) })
        .execute()
    return { next, ring: makeKeyRing([next, ...keys]) }
  })
}

async function rotate(url: string, rotation: Rotation): Promise<void> {
  const { config, say, signal } = rotation
  const { next, ring } = await beginRotation(url, rotation)
  await withConnection(connect(url, ignore, 2, ring), async (db) => {
    const tell = makeTeller((sealed, where) =>
      say(inTerminal(phrase('已加密 {sealed} 个密钥，正在处理 {where}', { sealed, where, count: sealed }))),
    )
    const { sealed, unreadable } = await sweepSecrets(db, { signal, tell })
    await noteSwept(db)
    // From here on the old key opens nothing and is asked for no more; only then it goes from the disk.
    await db.deleteFrom('secret_key').where('mark', '<>', markOfKey(next)).execute()
    say(inTerminal(phrase('已用新钥匙加密 {sealed} 个密钥', { sealed, count: sealed })))
    if (unreadable > 0)
      say(inTerminal(phrase('{unreadable} 个值用任何一把钥匙都打不开，保持原样', { unreadable, count: unreadable })))
  })
  const file = keyFileOf(config)
  await moveKeyFile(nextFileOf(config), file)
  say(inTerminal(phrase('新钥匙在 {file}：请复制到使用该数据库的每台服务器，并更新钥匙的备份。', { file })))
  if (config.secretKey) say(inTerminal(phrase('SECRET_KEY 还是旧钥匙：下次启动前请把它设为 {file} 的内容。', { file })))
}

export async function rotateSecretKey(rotation: Rotation): Promise<void> {
  const { config, say } = rotation
  const database = await openBeside(config, say)
  try {
    const { connectionString: url } = database
    const guard = await connectPlain(url)
    try {
      // A server that starts meanwhile waits here with its migrations, and reads its key afterwards.
      await guard.query('select pg_advisory_lock($1)', [migrationLock])
      await refuseWhileInUse(guard)
      await rotate(url, rotation)
    } finally {
      await guard.end()
    }
  } finally {
    await database.stop()
  }
}
