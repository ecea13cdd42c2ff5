/** `npm run backup -- FILE` and `npm run restore -- FILE`: what they are told, say and end with. */
import { access, readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { ended } from './exit-codes.ts'
import type { FilesPlace } from './file-storage.ts'
import { BackupError } from './format.ts'
import { makeBackup } from './make-backup.ts'
import { type DatabasePlace, openAlone, openBeside } from './open-database.ts'
import { makeProgress, megabytes } from './progress.ts'
import { AfterCommitError, checkBackup, restoreBackup } from './restore-backup.ts'
import { taken } from './write-archive.ts'

export const usage = `usage:
  npm run backup -- FILE             writes everything the platform holds into FILE
  npm run restore -- FILE [--force]  reads it back; --force replaces what is there
The passphrase of an encrypted FILE: the environment variable BACKUP_PASSPHRASE, or --passphrase-file NAME`

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
async function passphraseOf({ passphrase }: Command, { passphraseFile }: Wish): Promise<string | undefined> {
  if (passphraseFile === undefined) return passphrase || undefined
  const text = await readFile(passphraseFile, 'utf8').catch((cause: Error) => {
    throw new BackupError(`cannot read the passphrase: ${cause.message}`, { cause })
  })
  const [line, ...more] = text.replace(/\r?\n$/, '').split('\n')
  if (!line || more.length > 0) throw new BackupError(`${passphraseFile} must hold the passphrase as its only line`)
  return line
}

const summary = (sums: { tables: number; rows: number; files: number; bytes: number }): string =>
  `${sums.rows} rows of ${sums.tables} tables, ${sums.files} files, ${megabytes(sums.bytes)}`

/** What whoever has the file can do with it. */
function adviceFor(isEncrypted: boolean, holdsKey: boolean): string {
  if (isEncrypted) return 'It is encrypted: nobody can restore it without the passphrase, so keep that too, elsewhere.'
  const keep = 'keep it where only you can read it'
  if (!holdsKey) return `It holds every key, secret and password hash of the platform: ${keep}.`
  return `Warning: the key of the secrets is in it, so whoever has the file has the secrets: ${keep}, or set BACKUP_PASSPHRASE.`
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
    throw new BackupError(`${file} lies within the stored files, which are part of the backup: name another place`)
  }
  const passphrase = await passphraseOf(command, wish)
  const database = await openBeside(config, say)
  try {
    const { filesDir, dataDir, s3 } = config
    const progress = makeProgress(say)
    const databaseUrl = database.connectionString
    const sums = await makeBackup({ databaseUrl, file, passphrase, filesDir, dataDir, s3, progress, signal })
    say(`backup made: ${file} (${summary(sums)})`)
    say(adviceFor(passphrase !== undefined, sums.holdsKey))
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
  say(`checking ${file}`)
  const header = await checkBackup(wish)
  say(`a whole backup of ${header.createdAt} by version ${header.program}`)
  const database = await openAlone(config, say)
  try {
    const sums = await restoreBackup(database.connectionString, { ...wish, progress: makeProgress(say) })
    say(`restored: ${summary(sums)}`)
  } finally {
    await database.stop()
  }
}

/** Returns the exit code. */
export async function runCommand(command: Command): Promise<number> {
  const wish = readArguments(command.args, command.folder)
  if (!wish) {
    command.complain(usage)
    return ended.misused
  }
  try {
    await (wish.action === 'backup' ? backup(command, wish) : restore(command, wish))
    return ended.well
  } catch (error) {
    const why = command.signal.aborted ? 'stopped' : error instanceof Error ? error.message : String(error)
    const left = wish.action === 'backup' ? ', no file was made' : ', everything is as it was before'
    command.complain(`${wish.action} failed${error instanceof AfterCommitError ? '' : left}: ${why}`)
    return ended.failed
  }
}
