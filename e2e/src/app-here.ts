/** The app of a platform in the process of its walk: what a walk does in the browser it meets there as in a process of its own. */
import { type App, buildApp } from '../../apps/server/src/app/build-app.ts'
import { readConfig } from '../../apps/server/src/app/config.ts'
import { makeLog } from '../../apps/server/src/app/log.ts'
import { consoleBase } from '../../apps/server/src/http/static-console.ts'

/** A platform that runs, wherever its process is. */
export interface Started {
  /** Address of the console, ending with a slash. */
  consoleUrl: string
  /** Where devices connect: mqtt://host:port */
  mqttUrl: string
  /** What the first start printed; undefined on later starts or with ADMIN_PASSWORD. */
  printedPassword: string | undefined
  output(): string
  kill(signal: NodeJS.Signals): Promise<void>
}

/** Ends it as its program does when it is asked to. */
async function stop(app: App): Promise<void> {
  try {
    await app.drain()
  } finally {
    await app.close()
  }
}

/** @param env with DATABASE_URL */
export async function openApp(env: NodeJS.ProcessEnv): Promise<Started> {
  const config = readConfig(env)
  const { databaseUrl = '' } = config
  const lines: string[] = []
  const log = makeLog(config.logLevel, false, { write: (line) => void lines.push(line) })
  const app = await buildApp({ config, databaseUrl, log })
  const address = await app.http.listen({ host: config.host, port: config.port })
  let stopped: Promise<void> | undefined
  return {
    consoleUrl: `${address}${consoleBase}`,
    mqttUrl: `mqtt://${config.host}:${app.mqtt.port}`,
    printedPassword: app.firstPassword,
    output: () => lines.join(''),
    async kill(signal) {
      if (signal !== 'SIGTERM') throw new Error('only a platform with a process of its own can be killed')
      stopped ??= stop(app)
      await stopped
    },
  }
}
