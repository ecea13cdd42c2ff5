/** Starts the whole platform as `npm start` does: database, app, listening, stop on signal. */

import { phrase } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import { startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { firstAccount } from '#features/users/first-account.ts'
import { consoleBase } from '#http/static-console.ts'
import { inEnglish, inTerminal, spokenLanguage } from '#terminal.ts'
import { type App, buildApp } from './build-app.ts'
import type { Config } from './config.ts'
import type { DemoWish } from './demo-wish.ts'
import { makeLog } from './log.ts'
import { stopSignals } from './stop-signals.ts'

const stopTimeoutMs = 15_000

/** The database of the installation: the given one, or our own in DATA_DIR. */
async function openDatabase(config: Config, log: Logger, onLost: (error: Error) => void) {
  if (config.databaseUrl) return { connectionString: config.databaseUrl, audit: undefined, stop: async () => {} }
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: { info: (words) => log.info(inEnglish(words)), warn: (words) => log.warn(inEnglish(words)) },
    onLost,
  })
}

/** What `npm start` ends with. */
export function announcement(
  config: Pick<Config, 'tls' | 'host'>,
  app: Pick<App, 'firstPassword'> & { mqtt: Pick<App['mqtt'], 'port' | 'tlsPort'> },
  address: string,
  more: string[],
): string {
  const scheme = config.tls ? 'https' : 'http'
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
  const port = new URL(address).port
  const lines = [
    '',
    inTerminal(phrase('  iThings Core 已就绪:  {url}', { url: `${scheme}://${host}:${port}${consoleBase}` })),
    inTerminal(phrase('  接口文档:             {url}', { url: `${scheme}://${host}:${port}/api/docs` })),
    inTerminal(phrase('  设备连接地址:         {url}', { url: `mqtt://${host}:${app.mqtt.port}` })),
  ]
  if (app.mqtt.tlsPort > 0) {
    const before = ' '.repeat(spokenLanguage() === 'zh' ? 24 : 26)
    lines.push(`${before}mqtts://${host}:${app.mqtt.tlsPort}`)
  }
  if (app.firstPassword) {
    lines.push(
      '',
      `  ${inTerminal(phrase('首次登录:'))}  ${firstAccount} / ${app.firstPassword}`,
      `  ${inTerminal(phrase('密码只显示这一次，登录后请修改。'))}`,
    )
  }
  if (more.length > 0) lines.push('', ...more.map((line) => `  ${line}`))
  return `${lines.join('\n')}\n\n`
}

/** Closes what is open by now; a second signal does not wait for a hanging first one. */
function stopOnSignal(log: Logger, drainSeconds: number, close: () => Promise<void>): void {
  let stopping = false
  const stop = (name: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal: name }, 'stopping')
    setTimeout(() => process.exit(1), drainSeconds * 1000 + stopTimeoutMs).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const name of stopSignals(process.platform)) process.on(name, stop)
}

export interface RunOptions {
  /** Starts, sees that it can, and stops. */
  checkOnly: boolean
  demo: DemoWish | undefined
}

export async function run(config: Config, { checkOnly, demo }: RunOptions): Promise<void> {
  const log = makeLog(config.logLevel, process.stdout.isTTY === true)
  const opened: Array<() => Promise<void>> = []
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne()
  }
  stopOnSignal(log, config.drainSeconds, close)
  try {
    const onLost = (error: Error) => {
      log.fatal({ err: error }, 'this server can no longer use its database')
      process.exit(1)
    }
    const database = await openDatabase(config, log, onLost)
    opened.push(() => database.stop())
    const { connectionString: databaseUrl, audit } = database
    const app = await buildApp({ config, databaseUrl, audit, log, onLost })
    opened.push(() => app.close())
    opened.push(() => app.drain().catch((error) => log.warn({ err: error }, 'devices were not sent to other servers')))
    const address = await app.http.listen({ host: config.host, port: config.port })
    if (!checkOnly) {
      process.stdout.write(announcement(config, app, address, demo ? [await app.demo(demo)] : []))
      return
    }
  } catch (error) {
    await close()
    throw error
  }
  await close()
  // The signal listeners alone would not keep the process, but a leaked handle must not make a check hang.
  process.exit(0)
}
