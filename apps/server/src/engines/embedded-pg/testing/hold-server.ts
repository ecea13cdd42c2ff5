// A server process for the tests to kill: starts PostgreSQL in the given folder, says so in one line of JSON, and stays until SIGTERM.
import { startEmbeddedPostgres } from '../start-embedded-postgres.ts'

const [dataDir = '', systemDir = ''] = process.argv.slice(2)
const quiet = { info() {}, warn() {} }
try {
  const server = await startEmbeddedPostgres({ dataDir, systemDir, log: quiet })
  const stayAwake = setInterval(() => {}, 60_000)
  process.once('SIGTERM', () => {
    clearInterval(stayAwake)
    void server.stop()
  })
  process.stdout.write(`${JSON.stringify({ connectionString: server.connectionString, adopted: server.adopted })}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`)
  process.exitCode = 1
}
