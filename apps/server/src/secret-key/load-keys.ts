/** Which keys this server has, and whether they are those of its database. */
import { join } from 'node:path'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { connect } from '#db/connect.ts'
import type { Db } from '#db/schema.ts'
import { idOfMark, type KeyRing, keysOf, makeKeyRing, markOfKey } from '#db/sealed.ts'
import type { Signal } from '#ports/signal.ts'
import { TerminalError } from '#terminal.ts'
import { keyName, makeKeyFile, moveKeyFile, readKeyFile } from './key-file.ts'

/** What the configuration says of the key (configuration.md). */
export interface KeySource {
  secretKey: Buffer | undefined
  secretKeyFile: string | undefined
  dataDir: string
}

export const keyFileOf = ({ secretKeyFile, dataDir }: KeySource): string => secretKeyFile ?? join(dataDir, keyName)
/** The key to come lies beside the file until everything is sealed with it. */
export const nextFileOf = (source: KeySource): string => `${keyFileOf(source)}.next`

/** Newest first. */
export async function readMarks(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('secret_key').select('mark').orderBy('id', 'desc').execute()
  return rows.map((row) => row.mark)
}

/** Of several servers that start on a new database one is first, with its key. */
async function leaveFirstMark(pool: Db, key: Uint8Array): Promise<void> {
  await pool.transaction().execute(async (db) => {
    await sql`lock table secret_key in share row exclusive mode`.execute(db)
    if ((await readMarks(db)).length > 0) return
    await db
      .insertInto('secret_key')
      .values({ mark: markOfKey(key) })
      .execute()
  })
}

function otherKey(source: KeySource, missing: string, rotating: boolean): TerminalError {
  const file = keyFileOf(source)
  const id = idOfMark(missing)
  if (rotating) {
    return new TerminalError(
      phrase(
        '数据库的钥匙正在更换，本服务器没有标记为 {id} 的那把：请在开始更换的地方运行 npm run rotate-secret-key，直到它说已完成，再把新钥匙交给每台服务器',
        { id },
      ),
    )
  }
  const own = source.secretKey ? phrase('SECRET_KEY 不是那把') : phrase('{file} 不是那把，或不存在', { file })
  return new TerminalError(
    phrase(
      '数据库里的密钥是用标记为 {id} 的钥匙加密的，而{own}：请把 SECRET_KEY 设为使用该数据库的服务器的钥匙，或把它们的 secret.key 复制到 {file}',
      { id, own, file },
    ),
  )
}

/**
 * All keys that the database is sealed with, the one to seal with first. On a new database the key that is set, or a new
 * one in a file.
 */
export async function loadKeys(db: Db, source: KeySource): Promise<Buffer[]> {
  const [file, nextFile] = [keyFileOf(source), nextFileOf(source)]
  let own = source.secretKey ?? (await readKeyFile(file))
  if (!own && source.secretKeyFile) throw new TerminalError(phrase('SECRET_KEY_FILE 指定的 {file} 不存在', { file }))
  if ((await readMarks(db)).length === 0) {
    own ??= await makeKeyFile(file)
    await leaveFirstMark(db, own)
  }
  const next = await readKeyFile(nextFile)
  const marks = await readMarks(db)
  const known = [own, next].flatMap((key) => key ?? [])
  const keys = marks.map((mark) => {
    const key = known.find((one) => markOfKey(one) === mark)
    if (!key) throw otherKey(source, mark, marks.length > 1)
    return key
  })
  // A rotation was killed with nothing left to do but this.
  if (!source.secretKey && next && marks.length === 1 && marks[0] === markOfKey(next)) await moveKeyFile(nextFile, file)
  return keys
}

export async function openKeyRing(databaseUrl: string, source: KeySource): Promise<KeyRing> {
  const { db, close } = connect(databaseUrl, () => undefined, 1)
  try {
    return makeKeyRing(await loadKeys(db, source))
  } finally {
    await close()
  }
}

/** A rotation demands that every server is stopped; one that it could not see, being cut off, finds out when it is back. */
export function watchKey(db: Db, signal: Signal, onLost: (error: Error) => void = () => undefined): void {
  const look = async () => {
    const ids = (await readMarks(db)).map(idOfMark)
    if (!ids.some((id) => keysOf(db).prefix.includes(id))) onLost(new Error('the key of the database was changed'))
  }
  // What cannot be asked now is asked after the next gap.
  signal.onGap(() => void (signal.connected && look().catch(() => undefined)))
}
