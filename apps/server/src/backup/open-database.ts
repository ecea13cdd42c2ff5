/** The database of the installation, for programs that run beside or instead of the server. */
import { access } from 'node:fs/promises'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
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

/** Alone on it, to change everything: refused while a server uses the folder. The next start seals the operation log. */
export async function openAlone(
  { databaseUrl, dataDir }: DatabasePlace,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  if (databaseUrl) return { connectionString: databaseUrl, stop: leaveRunning }
  const server = await startEmbeddedPostgres({ dataDir, log: { info: say, warn: say } })
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
    throw new BackupError(`there is no data folder ${where.dataDir}: set DATA_DIR (or DATABASE_URL)`, { cause })
  })
  const found = await findEmbeddedPostgres(where.dataDir)
  if (found === 'none')
    throw new BackupError(`there is no database in ${where.dataDir}: set DATA_DIR (or DATABASE_URL)`)
  if (found !== 'stopped') return { connectionString: found.connectionString, stop: leaveRunning }
  return startEmbeddedPostgres({ dataDir: where.dataDir, log: { info: say, warn: say } })
}
