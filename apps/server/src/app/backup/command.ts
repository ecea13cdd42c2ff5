/** `npm run backup -- FILE` and `npm run restore -- FILE`: what they are told, say and end with. */
import { access } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Config } from '../config.ts'
import { BackupError } from './format.ts'
import { makeBackup } from './make-backup.ts'
import { openAlone, openBeside } from './open-database.ts'
import { makeProgress, megabytes } from './progress.ts'
import { AfterCommitError, checkBackup, restoreBackup } from './restore-backup.ts'
import { taken } from './write-archive.ts'

/** Exit codes; a cut by Ctrl-C is a failure too. */
const ended = { well: 0, failed: 1, misused: 2 } as const

export const usage = `usage:
  npm run backup -- FILE             writes everything the platform holds into FILE
  npm run restore -- FILE [--force]  reads it back; --force replaces what is there`

export interface Command {
  args: string[]
  config: Config
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
}

export function readArguments(args: string[], folder: string): Wish | undefined {
  const [action, ...rest] = args
  const files = rest.filter((one) => !one.startsWith('-'))
  const options = rest.filter((one) => one.startsWith('-'))
  const [file] = files
  if ((action !== 'backup' && action !== 'restore') || !file || files.length > 1) return undefined
  if (options.some((one) => one !== '--force' || action !== 'restore')) return undefined
  return { action, file: resolve(folder, file), force: options.length > 0 }
}

const summary = (sums: { tables: number; rows: number; files: number; bytes: number }): string =>
  `${sums.rows} rows of ${sums.tables} tables, ${sums.files} files, ${megabytes(sums.bytes)}`

async function backup({ config, say, signal }: Command, { file }: Wish): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw taken(file)
  if (file.startsWith(config.filesDir + sep)) {
    throw new BackupError(`${file} lies within the stored files, which are part of the backup: name another place`)
  }
  const database = await openBeside(config, say)
  try {
    const { filesDir, dataDir } = config
    const progress = makeProgress(say)
    const sums = await makeBackup({ databaseUrl: database.connectionString, file, filesDir, dataDir, progress, signal })
    say(`backup made: ${file} (${summary(sums)})`)
    say('It holds every key, secret and password hash of the platform: keep it where only you can read it.')
  } finally {
    await database.stop()
  }
}

async function restore({ config, say, signal }: Command, { file, force }: Wish): Promise<void> {
  const { filesDir, dataDir } = config
  const wish = { file, force, filesDir, dataDir, progress: makeProgress(say), signal }
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
