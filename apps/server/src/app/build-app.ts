/** The composition root: opens everything in order, closes it in reverse. Tests build the same app. */
import type { AddressInfo } from 'node:net'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { makeBackground } from '#background/background.ts'
import { showCounts } from '#background/gauges.ts'
import { type Connection, connect } from '#db/connect.ts'
import { migrate, migrationsDir } from '#db/migrate.ts'
import { watchSchema } from '#db/rolling-upgrade.ts'
import { makeDiskFiles } from '#engines/disk-files/disk-files.ts'
import type { EmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { readWatermark } from '#engines/pg-journal/hot-rows.ts'
import { makePgLocks } from '#engines/pg-locks/pg-locks.ts'
import { checkStore } from '#engines/s3-files/check-store.ts'
import { makeS3Files } from '#engines/s3-files/s3-files.ts'
import { makeScriptRunner } from '#engines/script-vm/script-runner.ts'
import { syncApis } from '#features/apis/sync-apis.ts'
import { watchAgreement } from '#features/cluster/agreement.ts'
import { checkDatabase } from '#features/cluster/check-database.ts'
import { installClusterMetrics } from '#features/cluster/cluster-metrics.ts'
import { demoCurvesOf } from '#features/demo/fleet/products.ts'
import { startForwarding } from '#features/forwarding/run/forwarder.ts'
import { startHomeWork } from '#features/home/work/home-work.ts'
import { makeJobWork } from '#features/jobs/run-job.ts'
import { makeOperationLog, type OperationLog } from '#features/logs/operation-log.ts'
import { makeReportWork } from '#features/reports/schedule.ts'
import { makeRollouts } from '#features/rollouts/door.ts'
import type { PublicConfig } from '#features/settings/routes.ts'
import { AccessCache } from '#features/users/access-cache.ts'
import { ensureFirstAdmin } from '#features/users/first-admin.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { makeTokens } from '#features/users/token.ts'
import { trustsPeer } from '#http/client-address.ts'
import { type Clock, systemClock } from '#ports/clock.ts'
import type { Files } from '#ports/files.ts'
import { makePrivateFolder } from '#ports/private-folder.ts'
import { openKeyRing, watchKey } from '#secret-key/load-keys.ts'
import { startSealing } from '#secret-key/sealing.ts'
import { version } from '#version.ts'
import { type Closers, makeClosers } from './closers.ts'
import { type Config, connectionsOf } from './config.ts'
import { type DemoWish, fulfilDemoWish } from './demo-wish.ts'
import { type DeviceStack, openDeviceStack } from './device-stack.ts'
import { startHousekeeping } from './housekeeping.ts'
import { makeFeatureDeps } from './make-feature-deps.ts'
import { openHttp } from './open-http.ts'
import { openSignal } from './open-signal.ts'
import { makeLateDoors, openOperations } from './operations.ts'
import { ownOrigins, passkeyPlace, publicUrl } from './public-url.ts'
import { openRules } from './rules.ts'
import { startSimulation } from './simulation.ts'
import { openSockets } from './sockets.ts'

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
  /** Before `close`, if other servers can take the devices: it is no longer ready, and sends them away little by little. */
  drain(): Promise<void>
  close(): Promise<void>
}

export interface AppOptions {
  config: Config
  databaseUrl: string
  /** Of a database in which the operation log is not the program's: opened for migrations alone. */
  audit?: EmbeddedPostgres['audit'] | undefined
  log: Logger
  clock?: Clock
  /** Before this server judges others; absent: as long as one may be silent (features/devices/heartbeat.ts). */
  steadyMs?: number | undefined
  consoleDir?: string
  /** This server must not work on: the key of its database was changed behind its back, or another has its number. */
  onLost?: (error: Error) => void
}

/** The database, ready to be used, and the notices between the servers that share it. */
async function openData({ config, databaseUrl, audit, log, onLost }: AppOptions, closers: Closers) {
  const { applied, own: schema, isNewer } = await migrate(databaseUrl, migrationsDir, audit?.open)
  await audit?.seal()
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  if (isNewer) log.warn({ schema }, 'a newer version of the program has been here; this one runs beside it')
  const keys = await openKeyRing(databaseUrl, config)
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost')
  const connection = connect(databaseUrl, onError, config.databaseConnections, keys)
  const { db } = connection
  closers.add(() => connection.close())
  // An older program must not take the APIs of the newer one away.
  if (!isNewer) await syncApis(db, allEndpoints)
  const firstPassword = await ensureFirstAdmin(db, config.adminPassword)
  const signal = await openSignal({ config, databaseUrl, connection, log })
  closers.add(() => signal.stop())
  watchKey(db, signal, onLost)
  return { connection, db, signal, schema, firstPassword }
}

function makeMetrics(): Registry {
  const metrics = new Registry()
  collectDefaultMetrics({ register: metrics })
  new Gauge({ name: 'ithings_process_id', help: 'Process id of the server', registers: [metrics] }).set(process.pid)
  return metrics
}

/** Forms on their way lie on this machine's disk, wherever files are kept. */
async function openFiles({ filesDir, s3 }: Config): Promise<{ files: Files; spool: Files }> {
  await makePrivateFolder(filesDir)
  const spool = makeDiskFiles(filesDir)
  if (!s3) return { files: spool, spool }
  await checkStore(s3)
  return { files: makeS3Files(s3), spool }
}

type Data = Awaited<ReturnType<typeof openData>>

const publicConfigOf = (
  { mapAccessKey, captcha, pwa }: Config,
  passkeys: () => ReturnType<typeof passkeyPlace>,
  mqtt: PublicConfig['mqtt'],
): PublicConfig => ({
  mapAccessKey,
  captcha,
  passkeyOrigin: () => passkeys()?.origin ?? '',
  pwa,
  version,
  mqtt,
})

/** Everything that works in the background, and the featureDeps of all features. */
async function openKits(
  options: AppOptions,
  { connection, db, signal, schema }: Data,
  metrics: Registry,
  closers: Closers,
  port: () => number,
) {
  const { config, databaseUrl, log, clock = systemClock } = options
  const { onLost = (error: Error) => log.error({ err: error }, 'this server must not work on') } = options
  const background = makeBackground({ clock, log, metrics })
  const operationLog = makeOperationLog({ db, clock, log, metrics, background })
  closers.add(() => operationLog.stop())
  closers.add(watchSchema({ db, background }, schema, onLost))
  closers.add(startSealing(db, log, background))
  const tokens = makeTokens(await loadKey(db, 'token'), clock, config.tokenLifeSeconds, config.sessionDays * 86_400)
  const access = new AccessCache({ db, clock, signal, tokens })
  await access.start()
  const scripts = makeScriptRunner()
  await scripts.start()
  closers.add(() => scripts.stop())
  const help = 'Calls, failures, time-outs, replaced threads and waiting calls of product scripts'
  showCounts(metrics, 'ithings_scripts', help, scripts.counts)
  // Of its own, so that what people try out never takes a thread from devices.
  const trialScripts = makeScriptRunner({ threads: 1, maxWaiting: 50 })
  closers.add(() => trialScripts.stop())
  const bus = makeMemoryBus((error, name) => log.error({ err: error, event: name }, 'a listener failed'))
  const onClose = closers.add
  const late = makeLateDoors()
  const line = await openDeviceStack({
    config,
    databaseUrl,
    connection,
    clock,
    steadyMs: options.steadyMs,
    signal,
    bus,
    scripts,
    metrics,
    log,
    background,
    operations: late.doors,
    schema,
    onLost,
    onClose,
  })
  const stored = await openFiles(config)
  const { files } = stored
  const rules = await openRules({ config, db, clock, signal, bus, line, metrics, files, log, background, onClose })
  const rollouts = makeRollouts({ db, clock, bus, signal, log, background, metrics, serverID: line.serverID })
  const locks = makePgLocks(databaseUrl, signal)
  closers.add(() => locks.stop())
  const passkeys = () => passkeyPlace(config, port())
  const signIn = { tokens, access, captchaRequired: config.captcha, passkeyPlace: passkeys, mail: rules.mail }
  const featureDeps = makeFeatureDeps({
    db,
    clock,
    signal,
    bus,
    line,
    rules,
    rollouts,
    publicUrl: () => publicUrl(config, port()),
    log,
    ...stored,
    locks,
    background,
    scripts,
    trialScripts,
    linkKey: await loadKey(db, 'link'),
    forwarding: { pool: connection.pool, webhookAllow: config.webhookAllow, metrics },
    record: operationLog.record,
    packedUntil: () => readWatermark(connection.pool),
    users: { db, clock, signal, ...signIn },
    publicConfig: publicConfigOf(config, passkeys, () => line.broker.address()),
  })
  const jobs = makeJobWork(featureDeps.jobs)
  jobs.start()
  closers.add(() => jobs.stop())
  late.fill(await openOperations(featureDeps, rollouts, background, onClose))
  const forwarding = startForwarding(featureDeps.forwarding)
  closers.add(() => forwarding.stop())
  const reports = makeReportWork(featureDeps.reports)
  reports.start()
  closers.add(() => reports.stop())
  closers.add(startHousekeeping(featureDeps, background, log))
  closers.add(startHomeWork(featureDeps.home))
  closers.add(await watchAgreement({ ...featureDeps.cluster, background, log }))
  return { featureDeps, line, rules, operationLog }
}

/** Devices come in when everything behind the door is there, and go out first. */
async function openMqtt(
  { config }: AppOptions,
  { broker, upstream, presence }: DeviceStack,
  closers: Closers,
): Promise<void> {
  const { host, mqttPort, mqttsPort, mqttProxyProtocol, trustProxy, tls } = config
  const proxy = mqttProxyProtocol ? { trusts: trustsPeer(trustProxy) } : undefined
  await broker.start({ host, port: mqttPort, proxy, ...(tls && { tls, tlsPort: mqttsPort }) })
  closers.add(() => broker.stop())
  closers.add(async () => void (await presence.handOver()))
  if (!upstream) return
  closers.add(() => upstream.stop())
  await upstream.start()
}

/** On the first of the servers only: two that play one device would take its session from each other. */
function openSimulation({ config, log }: AppOptions, data: Data, line: DeviceStack, closers: Closers): void {
  if (line.node !== 0) return
  const { db, signal } = data
  const isEverywhere = ['0.0.0.0', '::'].includes(config.host) || config.mqttProxyProtocol
  const url = `mqtt://${isEverywhere ? '127.0.0.1' : config.host}:${line.broker.ownPort}`
  closers.add(startSimulation({ db, signal, products: line.products, log, url, curvesOf: demoCurvesOf }))
}

export async function buildApp(options: AppOptions): Promise<App> {
  const { log, clock = systemClock } = options
  const closers = makeClosers(log)
  try {
    const data = await openData(options, closers)
    const metrics = makeMetrics()
    let http: FastifyInstance | undefined
    const port = () => (http?.server.address() as AddressInfo | null)?.port ?? options.config.port
    const { featureDeps, line, rules, operationLog } = await openKits(options, data, metrics, closers, port)
    http = await openHttp(options, featureDeps, line, metrics, operationLog, closers)
    const { trustProxy } = options.config
    const origins = ownOrigins(options.config)
    openSockets({ http, featureDeps, line, clock, log, metrics, trustProxy, origins, onClose: closers.add })
    installClusterMetrics(metrics, featureDeps.cluster, line.drain.state)
    await checkDatabase(featureDeps.cluster, connectionsOf(options.config), log)
    await openMqtt(options, line, closers)
    closers.add(() => rules.stopWatching())
    openSimulation(options, data, line, closers)
    const { firstPassword } = data
    const close = () => closers.closeAll()
    const demo = (wish: DemoWish) => fulfilDemoWish(featureDeps.demo, wish)
    return {
      http,
      mqtt: line.broker.address(),
      db: data.db,
      operationLog,
      firstPassword,
      demo,
      drain: line.drain.run,
      close,
    }
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}
