/** Everything that is served over HTTP, opened last and closed first: API, files, console, documentation, health. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { ServerState } from '@ithings/contract/features/cluster.ts'
import { refusedPaths } from '@ithings/contract/features/enterprise.ts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { assistantPath, installAssistant } from '#features/assistant/install-assistant.ts'
import { installHookGuard } from '#features/device-auth/door.ts'
import { installFileLinks } from '#features/files/link-routes.ts'
import { installResumable } from '#features/files/resumable/install-resumable.ts'
import type { OperationLog } from '#features/logs/operation-log.ts'
import { installProm } from '#features/prom/install-prom.ts'
import { installBackChannel } from '#features/sign-on/back-channel.ts'
import { installApiDocs } from '#http/api-docs.ts'
import { installHealth } from '#http/health.ts'
import { installNotFound } from '#http/not-found.ts'
import { openApiDocument } from '#http/openapi.ts'
import { type FinishedCall, installOperationLogHook } from '#http/operation-log-hook.ts'
import { installRequestLog } from '#http/request-log.ts'
import { mount } from '#http/route.ts'
import { makeHttpServer } from '#http/server.ts'
import { installConsole, makeConsolePage } from '#http/static-console.ts'
import { partFolder } from '#ports/files.ts'
import { oneAtATime, within } from '#ports/within.ts'
import { version } from '#version.ts'
import type { Closers } from './closers.ts'
import type { Config } from './config.ts'
import type { DeviceStack } from './device-stack.ts'
import type { FeatureDeps } from './feature-deps.ts'
import { allRoutes } from './features.ts'
import { ownOrigins } from './public-url.ts'
import type { UpstreamStack } from './upstream.ts'

const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url))
const readyTimeoutMs = 2_000

const checkUpstream =
  ({ trouble }: Pick<UpstreamStack, 'trouble'>) =>
  async () => {
    const text = trouble()
    if (text !== '') throw new Error(`the upstream MQTT server: ${text}`)
  }

export async function openHttp(
  options: { config: Config; log: Logger; consoleDir?: string },
  featureDeps: FeatureDeps,
  line: DeviceStack,
  metrics: Registry,
  operationLog: OperationLog,
  closers: Closers,
) {
  const { config, log, consoleDir = builtConsole } = options
  const { trustProxy, corsOrigins, tls, hsts } = config
  const spoolDir = join(config.filesDir, partFolder)
  const http = await makeHttpServer({ log, trustProxy, corsOrigins, tls, hsts, spoolDir })
  closers.add(() => http.close())
  // Calls that wait for a device would hold the closing for as long as the device may take.
  http.addHook('preClose', async () => featureDeps.commands.pending.close())
  installRequestLog(http, metrics)
  const record = (call: FinishedCall) => operationLog.record(call)
  installOperationLogHook(http, record)

  installHookGuard(http, config.emqxHookSecret)
  const routes = allRoutes(featureDeps)
  for (const route of routes) mount(http, route, featureDeps.gate)
  await installFileLinks(http, featureDeps.files, { bandwidth: config.otaBandwidth, metrics })
  await installResumable(http, featureDeps.files)
  await installProm(http, featureDeps.prom)
  await installBackChannel(http, featureDeps.signOn)
  const { gate, reports } = featureDeps
  await installAssistant(http, { gate, routes, record, origins: ownOrigins(config), publicUrl: reports.publicUrl })
  for (const [path, entry] of refusedPaths) {
    http.post(path, async () => {
      throw new AppError(entry)
    })
  }

  const mapKey = config.mapAccessKey !== ''
  const page = makeConsolePage({ distDir: consoleDir, pwa: config.pwa, https: tls !== undefined, mapKey })
  await installConsole(http, page, consoleDir)
  await installApiDocs(http, (by) => openApiDocument(allEndpoints, version, by))
  const askDatabase = oneAtATime(() => sql`select 1`.execute(featureDeps.users.db))
  installHealth(http, {
    metrics,
    metricsToken: config.metricsToken,
    ready: {
      database: async () => void (await within(readyTimeoutMs, askDatabase())),
      work: async () => {
        if (line.drain.state() !== ServerState.serving) throw new Error('this server sends its devices away')
      },
      signal: async () => {
        if (!featureDeps.users.signal.connected) throw new Error('notices of other servers do not arrive')
      },
      broker: async () => {
        if (line.broker.address().port === 0) throw new Error('the MQTT broker does not listen')
      },
      ...(line.upstream && { upstream: checkUpstream(line.upstream) }),
    },
  })
  installNotFound(
    http,
    new Set([...routes.map((route) => route.endpoint.path), ...refusedPaths.keys(), assistantPath]),
    page,
  )
  await http.ready()
  return http
}
