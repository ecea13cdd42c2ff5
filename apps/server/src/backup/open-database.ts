/** The database of the installation, for programs that run beside or instead of the server. */

import { access } from 'node:fs/promises'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { inTerminal } from '#terminal.ts'
import { BackupError } from './format.ts'

export interface OpenDatabase {
  connectionString: string
  stop(): Promise<void>
}

export interface DatabasePlace {
  databaseUrl: string | undefined
  dataDir: string
}

const leaveRunning = async () => {}

const logOf = (say: (line: string) => void) => {
  const tell = (words: Phrase) => say(inTerminal(words))
  return { info: tell, warn: tell }
}

/** Alone on it, to change everything: refused while a server uses the folder. The next start seals the operation log. */
export async function openAlone(
  { databaseUrl, dataDir }: DatabasePlace,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  if (databaseUrl) return { connectionString: databaseUrl, stop: leaveRunning }
  const server = await startEmbeddedPostgres({ dataDir, log: logOf(say) })
  await server.audit.open().catch(async (error) => {
    await server.stop()
    throw error
  })
  return server
}

/** Beside a running server, whose PostgreSQL is then used as it is; without one it is started for the time being. */
export async function openBeside(where: DatabasePlace, say: (line: string) => void): Promise<OpenDatabase> {
  if (where.databaseUrl) return { connectionString: where.databaseUrl, stop: leaveRunning }
  await access(where.dataDir).catch((cause) => {
    throw new BackupError(
      phrase('没有数据文件夹 {dataDir}：请设置 DATA_DIR（或 DATABASE_URL）', { dataDir: where.dataDir }),
      { cause },
    )
  })
  const found = await findEmbeddedPostgres(where.dataDir)
  if (found === 'none')
    throw new BackupError(
      phrase('{dataDir} 里没有数据库：请设置 DATA_DIR（或 DATABASE_URL）', { dataDir: where.dataDir }),
    )
  if (found !== 'stopped') return { connectionString: found.connectionString, stop: leaveRunning }
  return startEmbeddedPostgres({ dataDir: where.dataDir, log: logOf(say) })
}
