/** Starts the whole platform as `npm start` does: database, app, listening, stop on signal. */
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { firstAccount } from '#features/users/first-admin.ts'
import { consoleBase } from '#http/static-console.ts'
import { type App, buildApp } from './build-app.ts'
import type { Config } from './config.ts'
import { makeLog } from './log.ts'

const stopTimeoutMs = 15_000

/** The database of the installation: the given one, or our own in DATA_DIR. */
async function openDatabase(config: Config, log: ReturnType<typeof makeLog>) {
  if (config.databaseUrl) return { connectionString: config.databaseUrl, stop: async () => {} }
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: { info: (text) => log.info(text), warn: (text) => log.warn(text) },
    onLost: (error) => {
      log.fatal({ err: error }, 'the data folder was taken by another server')
      process.exit(1)
    },
  })
}

function announce(config: Config, app: App, address: string): void {
  const scheme = config.tls ? 'https' : 'http'
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  const port = new URL(address).port
  const lines = [
    '',
    `  iThings Core is ready:  ${scheme}://${host}:${port}${consoleBase}`,
    `  API documentation:      ${scheme}://${host}:${port}/api/docs`,
  ]
  if (app.firstPassword) {
    lines.push(
      '',
      `  First sign-in:  ${firstAccount} / ${app.firstPassword}`,
      '  The password is shown only this once. Change it after signing in.',
    )
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

export async function run(config: Config, checkOnly: boolean): Promise<void> {
  const log = makeLog(config.logLevel, process.stdout.isTTY === true)
  const database = await openDatabase(config, log)
  let app: App | undefined
  const close = async () => {
    await app?.close()
    await database.stop()
  }
  try {
    app = await buildApp({ config, databaseUrl: database.connectionString, log })
    const address = await app.http.listen({ host: config.host, port: config.port })
    if (checkOnly) return await close()
    announce(config, app, address)
  } catch (error) {
    await close()
    throw error
  }
  let stopping = false
  const stop = (name: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal: name }, 'stopping')
    setTimeout(() => process.exit(1), stopTimeoutMs).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
