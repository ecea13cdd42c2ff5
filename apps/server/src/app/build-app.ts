/** The composition root: opens everything in order, closes it in reverse. Tests build the same app. */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { refusedPaths } from '@ithings/contract/features/enterprise.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { type Connection, connect } from '#db/connect.ts'
import { migrate, migrationsDir } from '#db/migrate.ts'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import type { EmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgBossQueue } from '#engines/pg-boss-queue/pg-boss-queue.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeScriptRunner } from '#engines/script-vm/script-runner.ts'
import { syncApis } from '#features/apis/sync-apis.ts'
import { startHomeWork } from '#features/dashboard/work/home-work.ts'
import { demoCurvesOf } from '#features/demo/fleet/products.ts'
import { installHookGuard } from '#features/device-auth/door.ts'
import { installFileLinks } from '#features/files/link-routes.ts'
import { installResumable } from '#features/files/resumable/install-resumable.ts'
import { requeueLost } from '#features/jobs/housekeeping.ts'
import { runJob } from '#features/jobs/run-job.ts'
import { makeOperationLog, type OperationLog } from '#features/logs/operation-log.ts'
import { makeRollouts } from '#features/rollouts/door.ts'
import { makeAccessBook } from '#features/users/access-book.ts'
import { ensureFirstAdmin } from '#features/users/first-admin.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { makeTokens } from '#features/users/token.ts'
import { installApiDocs } from '#http/api-docs.ts'
import { installHealth } from '#http/health.ts'
import { installNotFound } from '#http/not-found.ts'
import { openApiDocument } from '#http/openapi.ts'
import { installOperationLogHook } from '#http/operation-log-hook.ts'
import { installRequestLog } from '#http/request-log.ts'
import { mount } from '#http/route.ts'
import { makeHttpServer } from '#http/server.ts'
import { installConsole, makeConsolePage } from '#http/static-console.ts'
import { type Clock, systemClock } from '#ports/clock.ts'
import { partFolder } from '#ports/files.ts'
import { makePrivateFolder } from '#ports/private-folder.ts'
import { type Closers, makeClosers } from './closers.ts'
import type { Config } from './config.ts'
import { type DemoWish, fulfilDemoWish } from './demo-wish.ts'
import { type DeviceLine, openDeviceLine } from './device-line.ts'
import { allRoutes } from './features.ts'
import { startHousekeeping } from './housekeeping.ts'
import type { Kits } from './kit-types.ts'
import { makeKits } from './kits.ts'
import { makeLateDoors, openOperations } from './operations.ts'
import { publicUrl } from './public-url.ts'
import { openRules } from './rules.ts'
import { installScriptMetrics } from './script-metrics.ts'
import { openKeyRing, watchKey } from './secret-key/load-keys.ts'
import { startSealing } from './secret-key/sealing.ts'
import { startSimulation } from './simulation.ts'
import { openSockets } from './sockets.ts'
import { version } from './version.ts'

export interface App {
  http: FastifyInstance
  db: Connection['db']
  operationLog: OperationLog
  /** Where devices connect; 0: not open. */
  mqtt: { port: number; tlsPort: number }
  /** The administrator's password, when this start made it up. */
  firstPassword: string | undefined
  /** Loads or removes the demo fleet; @returns what became of it, for people. */
  demo(wish: DemoWish): Promise<string>
  close(): Promise<void>
}

export interface AppOptions {
  config: Config
  databaseUrl: string
  /** Of a database in which the operation log is not the program's: opened for migrations alone. */
  audit?: EmbeddedPostgres['audit'] | undefined
  log: Logger
  clock?: Clock
  consoleDir?: string
  /** This server must not work on: the key of its database was changed behind its back. */
  onLost?: (error: Error) => void
}

const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url))
const readyTimeoutMs = 2_000

const withTimeout = async (work: Promise<unknown>, ms: number): Promise<void> => {
  const limit = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms).unref(),
  )
  await Promise.race([work, limit])
}

/** The database, ready to be used, and the notices between the servers that share it. */
async function openData({ config, databaseUrl, audit, log, onLost }: AppOptions, closers: Closers) {
  const applied = await migrate(databaseUrl, migrationsDir, audit?.open)
  await audit?.seal()
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  const keys = await openKeyRing(databaseUrl, config)
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost')
  const connection = connect(databaseUrl, onError, undefined, keys)
  const { db } = connection
  closers.add(() => connection.close())
  closers.add(startSealing(db, log))
  await syncApis(db, allEndpoints)
  const firstPassword = await ensureFirstAdmin(db, config.adminPassword)
  const signal = makePgSignal(databaseUrl, connection.pool, (error) =>
    log.warn({ err: error }, 'the signal connection was lost, opening it again'),
  )
  await signal.start()
  closers.add(() => signal.stop())
  watchKey(db, signal, onLost)
  return { connection, db, signal, firstPassword }
}

function makeMetrics(): Registry {
  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics })
  new Gauge({ name: 'ithings_process_id', help: 'Process id of the server', registers: [metrics] }).set(process.pid)
  return metrics
}

type Data = Awaited<ReturnType<typeof openData>>

/** Everything that works in the background, and the kits of all features. */
async function openKits(
  options: AppOptions,
  { connection, db, signal }: Data,
  metrics: Registry,
  closers: Closers,
  port: () => number,
) {
  const { config, databaseUrl, log, clock = systemClock } = options
  const tokens = makeTokens(await loadKey(db, 'token'), clock, config.tokenLifeSeconds, config.sessionDays * 86_400)
  const access = makeAccessBook({ db, clock, signal, tokens })
  await access.start()
  const scripts = makeScriptRunner()
  await scripts.start()
  closers.add(() => scripts.stop())
  installScriptMetrics(metrics, scripts.counts)
  // Of its own, so that what people try out never takes a thread from devices.
  const trialScripts = makeScriptRunner({ threads: 1, maxWaiting: 50 })
  closers.add(() => trialScripts.stop())
  const bus = makeMemoryBus((error, name) => log.error({ err: error, event: name }, 'a listener failed'))
  const onClose = closers.add
  const late = makeLateDoors()
  const line = await openDeviceLine({
    config,
    databaseUrl,
    connection,
    clock,
    signal,
    bus,
    scripts,
    metrics,
    log,
    operations: late.doors,
    onClose,
  })
  const rules = await openRules({ config, db, clock, signal, bus, line, metrics, log, onClose })
  const rollouts = makeRollouts({ db, clock, bus, signal, log, metrics, serverID: line.serverID })
  const queue = makePgBossQueue(databaseUrl, (error) => log.warn({ err: error }, 'the job queue has trouble'))
  await makePrivateFolder(config.filesDir)
  const kits = makeKits({
    db,
    clock,
    signal,
    bus,
    line,
    rules,
    rollouts,
    publicUrl: () => publicUrl(config, port()),
    log,
    disk: makeDiskFiles(config.filesDir),
    queue,
    scripts,
    trialScripts,
    linkKey: await loadKey(db, 'link'),
    users: { db, clock, signal, tokens, access, captchaRequired: config.captcha, mail: rules.mail },
    publicConfig: {
      mapAccessKey: config.mapAccessKey,
      captcha: config.captcha,
      pwa: config.pwa,
      version,
      mqtt: () => line.broker.address(),
    },
  })
  queue.work((delivery) => runJob(kits.jobs, delivery))
  await queue.start()
  closers.add(() => queue.stop())
  await requeueLost(kits.jobs)
  late.fill(await openOperations(kits, rollouts, onClose))
  closers.add(startHousekeeping(kits, log))
  closers.add(startHomeWork(kits.dashboard))
  return { kits, line, rules }
}

/** All that is served; opened last and closed first. */
async function openHttp(
  options: AppOptions,
  kits: Kits,
  line: DeviceLine,
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
  http.addHook('preClose', async () => kits.commands.pending.close())
  installRequestLog(http, metrics)
  installOperationLogHook(http, (call) => operationLog.record(call))

  installHookGuard(http, config.emqxHookSecret)
  const routes = allRoutes(kits)
  for (const route of routes) mount(http, route, kits.users.access)
  await installFileLinks(http, kits.files, { bandwidth: config.otaBandwidth, metrics })
  await installResumable(http, kits.files)
  for (const [path, entry] of refusedPaths) {
    http.post(path, async () => {
      throw new AppError(entry)
    })
  }

  const mapKey = config.mapAccessKey !== ''
  const page = makeConsolePage({ distDir: consoleDir, pwa: config.pwa, https: tls !== undefined, mapKey })
  await installConsole(http, page, consoleDir)
  await installApiDocs(http, () => openApiDocument(allEndpoints, version))
  installHealth(http, {
    metrics,
    metricsToken: config.metricsToken,
    ready: {
      database: () => withTimeout(sql`select 1`.execute(kits.users.db), readyTimeoutMs),
      broker: async () => {
        if (line.broker.address().port === 0) throw new Error('the MQTT broker does not listen')
      },
    },
  })
  installNotFound(http, new Set([...routes.map((route) => route.endpoint.path), ...refusedPaths.keys()]), page)
  await http.ready()
  return http
}

/** Devices come in when everything behind the door is there, and go out first. */
async function openMqtt({ config }: AppOptions, { broker }: DeviceLine, closers: Closers): Promise<void> {
  const { host, mqttPort, mqttsPort, tls } = config
  await broker.start({ host, port: mqttPort, ...(tls && { tls, tlsPort: mqttsPort }) })
  closers.add(() => broker.stop())
}

/** On the first of the servers only: two that play one device would take its session from each other. */
function openSimulation({ config, log }: AppOptions, data: Data, line: DeviceLine, closers: Closers): void {
  if (line.node !== 0) return
  const { db, signal } = data
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host
  const url = `mqtt://${host}:${line.broker.address().port}`
  closers.add(startSimulation({ db, signal, products: line.products, log, url, curvesOf: demoCurvesOf }))
}

export async function buildApp(options: AppOptions): Promise<App> {
  const { log, clock = systemClock } = options
  const closers = makeClosers(log)
  try {
    const data = await openData(options, closers)
    const metrics = makeMetrics()
    const operationLog = makeOperationLog(data.db, clock, log, metrics)
    closers.add(() => operationLog.stop())
    let http: FastifyInstance | undefined
    const port = () => (http?.server.address() as AddressInfo | null)?.port ?? options.config.port
    const { kits, line, rules } = await openKits(options, data, metrics, closers, port)
    http = await openHttp(options, kits, line, metrics, operationLog, closers)
    const { trustProxy, corsOrigins, publicUrl: address } = options.config
    const origins = [...corsOrigins, ...(address ? [new URL(address).origin] : [])]
    openSockets({ http, kits, line, clock, log, metrics, trustProxy, origins, onClose: closers.add })
    await openMqtt(options, line, closers)
    closers.add(() => rules.stopWatching())
    openSimulation(options, data, line, closers)
    const { firstPassword } = data
    const close = () => closers.closeAll()
    const demo = (wish: DemoWish) => fulfilDemoWish(kits.demo, wish)
    return { http, mqtt: line.broker.address(), db: data.db, operationLog, firstPassword, demo, close }
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}
