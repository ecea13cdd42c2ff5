/** `npm run backup -- FILE` and `npm run restore -- FILE`: what they are told, say and end with. */
import { access, readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { type Phrase, phrase, type Words } from '@ithings/contract/text.ts'
import { inTerminal, wordsOf } from '#terminal.ts'
import { makePassphrase, type Passphrase } from './encryption.ts'
import { ended } from './exit-codes.ts'
import type { FilesPlace } from './file-storage.ts'
import { BackupError, type Trailer } from './format.ts'
import { makeBackup } from './make-backup.ts'
import { type DatabasePlace, openAlone, openBeside } from './open-database.ts'
import { makeProgress, megabytes } from './progress.ts'
import { AfterCommitError, checkBackup, restoreBackup } from './restore-backup.ts'
import { taken } from './write-archive.ts'

export const usage = phrase(`用法：
  npm run backup -- 文件             把平台的全部内容写入文件
  npm run restore -- 文件 [--force]  从文件恢复；--force 替换现有的内容
加密文件的口令：环境变量 BACKUP_PASSPHRASE，或 --passphrase-file 文件名`)

export interface Command {
  args: string[]
  config: DatabasePlace & FilesPlace
  /** BACKUP_PASSPHRASE. Never an argument: every account of the machine can list those. */
  passphrase?: string | undefined
  /** Where the user stands: npm itself goes to the folder of package.json. */
  folder: string
  say(line: string): void
  complain(line: string): void
  signal: AbortSignal
}

interface Wish {
  action: 'backup' | 'restore'
  file: string
  force: boolean
  passphraseFile?: string
}

export function readArguments(args: string[], folder: string): Wish | undefined {
  const [action, ...rest] = args
  if (action !== 'backup' && action !== 'restore') return undefined
  try {
    const options = { force: { type: 'boolean' }, 'passphrase-file': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true })
    const [file, ...more] = positionals
    const { force = false, 'passphrase-file': passphraseFile } = values
    if (!file || more.length > 0 || (force && action === 'backup')) return undefined
    const wish: Wish = { action, file: resolve(folder, file), force }
    return passphraseFile === undefined ? wish : { ...wish, passphraseFile: resolve(folder, passphraseFile) }
  } catch {
    return undefined
  }
}

/** An empty variable counts as unset, as everywhere; an empty file is a mistake. */
async function passphraseOf({ passphrase }: Command, { passphraseFile }: Wish): Promise<Passphrase | undefined> {
  if (passphraseFile === undefined) return passphrase ? makePassphrase(passphrase) : undefined
  const text = await readFile(passphraseFile, 'utf8').catch((cause: Error) => {
    throw new BackupError(phrase('无法读取口令：{why}', { why: cause.message }), { cause })
  })
  const [line, ...more] = text.replace(/\r?\n$/, '').split('\n')
  if (!line || more.length > 0) throw new BackupError(phrase('{passphraseFile} 应只有一行，即口令', { passphraseFile }))
  return makePassphrase(line)
}

const summary = ({ tables, rows, files, bytes }: Omit<Trailer, 'sha256'>): Phrase =>
  phrase('{tables} 张表共 {rows} 行，{files} 个文件，{size}', { tables, rows, files, size: megabytes(bytes) })

/** What whoever has the file can do with it. */
function adviceFor(isEncrypted: boolean, holdsKey: boolean): Phrase {
  if (isEncrypted) return phrase('备份已加密：没有口令谁也无法恢复，请把口令另行保存。')
  if (!holdsKey) return phrase('备份里有平台的全部钥匙、密钥和密码哈希：请保存在只有你能读的地方。')
  return phrase(
    '警告：备份里有加密密钥的钥匙，拿到文件的人就拿到了密钥：请保存在只有你能读的地方，或设置 BACKUP_PASSPHRASE。',
  )
}

async function backup(command: Command, wish: Wish): Promise<void> {
  const { config, say, signal } = command
  const { file } = wish
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw taken(file)
  if (!config.s3 && file.startsWith(config.filesDir + sep)) {
    throw new BackupError(phrase('{file} 在存储文件的文件夹里，那里的文件都会被备份：请换个位置', { file }))
  }
  const passphrase = await passphraseOf(command, wish)
  const database = await openBeside(config, say)
  try {
    const { filesDir, dataDir, s3 } = config
    const progress = makeProgress(say)
    const databaseUrl = database.connectionString
    const sums = await makeBackup({ databaseUrl, file, passphrase, filesDir, dataDir, s3, progress, signal })
    say(inTerminal(phrase('备份完成：{file}（{summary}）', { file, summary: summary(sums) })))
    say(inTerminal(adviceFor(passphrase !== undefined, sums.holdsKey)))
  } finally {
    await database.stop()
  }
}

async function restore(command: Command, asked: Wish): Promise<void> {
  const { config, say, signal } = command
  const { file, force } = asked
  const { filesDir, dataDir, s3 } = config
  const passphrase = await passphraseOf(command, asked)
  const wish = { file, passphrase, force, filesDir, dataDir, s3, progress: makeProgress(say), signal }
  say(inTerminal(phrase('正在检查 {file}', { file })))
  const { createdAt, program } = await checkBackup(wish)
  say(inTerminal(phrase('备份完整，生成于 {createdAt}，版本 {program}', { createdAt, program })))
  const database = await openAlone(config, say)
  try {
    const sums = await restoreBackup(database.connectionString, { ...wish, progress: makeProgress(say) })
    say(inTerminal(phrase('恢复完成：{summary}', { summary: summary(sums) })))
  } finally {
    await database.stop()
  }
}

function failure(action: Wish['action'], isCommitted: boolean, why: Words): Phrase {
  if (action === 'backup') return phrase('备份失败，没有生成文件：{why}', { why })
  if (isCommitted) return phrase('恢复失败：{why}', { why })
  return phrase('恢复失败，一切保持原样：{why}', { why })
}

/** Returns the exit code. */
export async function runCommand(command: Command): Promise<number> {
  const wish = readArguments(command.args, command.folder)
  if (!wish) {
    command.complain(inTerminal(usage))
    return ended.misused
  }
  try {
    await (wish.action === 'backup' ? backup(command, wish) : restore(command, wish))
    return ended.well
  } catch (error) {
    const why = command.signal.aborted ? phrase('已停止') : wordsOf(error)
    command.complain(inTerminal(failure(wish.action, error instanceof AfterCommitError, why)))
    return ended.failed
  }
}
