/** Everything between devices and the platform, opened in order: journal, memory, presence, corridor, broker. */
import { join } from 'node:path'
import { ServerState } from '@ithings/contract/features/cluster.ts'
import { Counter, type Registry } from 'prom-client'
import { showFigure } from '#background/gauges.ts'
import type { Common } from '#common-deps.ts'
import type { Connection } from '#db/connect.ts'
import { installPendingMetrics, PendingReplies } from '#downlink/pending-replies.ts'
import { type DeviceName, Relay } from '#downlink/relay.ts'
import { AedesBroker } from '#engines/aedes/broker.ts'
import { takenOver } from '#engines/aedes/sign-in.ts'
import { makePgBackfill } from '#engines/pg-journal/backfill.ts'
import { JournalKeeper } from '#engines/pg-journal/keeper.ts'
import { PgLatest } from '#engines/pg-journal/latest.ts'
import { claimNodeNumber } from '#engines/pg-journal/node-number.ts'
import { makePgJournal, type PgJournal } from '#engines/pg-journal/pg-journal.ts'
import { makePgHistory } from '#engines/pg-journal/series.ts'
import { importLevel } from '#engines/pg-sessions/import-level.ts'
import { PgSessions } from '#engines/pg-sessions/pg-sessions.ts'
import { type CommandsDeps, makeCommandsDeps } from '#features/commands/commands-deps.ts'
import { reopenUnanswered, startCommandSweep } from '#features/commands/housekeeping.ts'
import { hearAnswers } from '#features/commands/replied.ts'
import { type DeviceAuth, makeDeviceAuth } from '#features/device-auth/door.ts'
import { type DeviceCache, makeDeviceCache, type PresenceChange } from '#features/devices/door.ts'
import { Presence } from '#features/devices/presence.ts'
import { makeSessionEpochs } from '#features/devices/session-epochs.ts'
import { makeProductCache, type ProductCache } from '#features/products/door.ts'
import type { Backfill } from '#ports/backfill.ts'
import type { BrokerHooks } from '#ports/broker.ts'
import type { History } from '#ports/history.ts'
import type { Journal } from '#ports/journal.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { SessionStore } from '#ports/session-store.ts'
import { type Corridor, makeCorridor } from '#uplink/corridor.ts'
import { sendDeviceNotices } from '#uplink/device-notices.ts'
import { expelDevices } from '#uplink/expel.ts'
import { makeHubLogWriter } from '#uplink/hub-log-writer.ts'
import { makeSessionLog, writePassages } from '#uplink/session-log.ts'
import { agreedSettings } from './agreed-settings.ts'
import { type Config, connectionsOf } from './config.ts'
import { followUnbound, makeCorridorDoors } from './corridor-doors.ts'
import { type Drain, makeDrain } from './drain.ts'
import type { OperationDoors } from './operations.ts'
import { makeServerFacts, type ServerCounts } from './server-facts.ts'
import { joinUpstream, type UpstreamStack } from './upstream.ts'

export interface DeviceStackParts extends Common<'clock' | 'signal' | 'bus' | 'log' | 'background'> {
  config: Config
  databaseUrl: string
  connection: Connection
  /** Before this server judges others. */
  steadyMs?: number | undefined
  scripts: ScriptRunner
  metrics: Registry
  operations: OperationDoors
  /** The newest migration that this program knows. */
  schema: number
  /** This server must not work on. */
  onLost(error: Error): void
  /** Closers run in reverse order. */
  onClose(close: () => Promise<void>): void
}

export interface DeviceStack {
  /** Among the servers on this database; the first is 0. */
  node: number
  /** The same for those who look for servers that died (platform_server). */
  serverID: string
  /** The database is this server's own: there are no others. */
  alone: boolean
  presence: Presence
  broker: AedesBroker
  /** A broker that others run, if there is one. */
  upstream: UpstreamStack | undefined
  drain: Drain
  journal: PgJournal
  latest: PgLatest
  history: History
  backfill: Backfill
  products: ProductCache
  devices: DeviceCache
  commands: CommandsDeps
  auth: DeviceAuth
}

/** Days of logs of a product that is gone. */
const defaultLogDays = 7

function makeCounters(metrics: Registry, waiting: () => number) {
  const counter = new Counter({
    name: 'ithings_uplink_messages_total',
    help: 'Messages of devices by what became of them',
    labelNames: ['result'],
    registers: [metrics],
  })
  showFigure(metrics, 'ithings_uplink_lanes', 'Devices whose message waits inside the corridor', waiting)
  return counter
}

/** The journal of messages, its care, and the newest values. */
async function openStore({
  config,
  databaseUrl,
  connection,
  clock,
  metrics,
  log,
  background,
  onLost,
  onClose,
}: DeviceStackParts) {
  const { pool } = connection
  const node = await claimNodeNumber(databaseUrl, () => onLost(new Error('another server took our node number')))
  onClose(() => node.release())
  const journal = makePgJournal({ databaseUrl, nodeNumber: node.number, log, metrics })
  const keeper = new JournalKeeper({ pool, clock, log, background, metrics, diskBudget: config.diskBudget })
  await keeper.start()
  onClose(() => keeper.stop())
  await journal.start()
  onClose(() => journal.stop())
  const { memoryDevices: mostDevices } = config
  const latest = new PgLatest({ pool, clock, nodeNumber: node.number, mostDevices, log, metrics })
  await latest.start()
  onClose(() => latest.stop())
  return { node: node.number, journal, latest }
}

/** Who the devices are, whether they are there, and the log of their coming and going. */
async function openPresence(parts: DeviceStackParts, node: number, journal: Journal) {
  const { config, connection, clock, signal, bus, scripts, metrics, log, background, onClose } = parts
  const { db } = connection
  const products = makeProductCache({ db, scripts, signal })
  const devices = makeDeviceCache({ db, clock, signal, mostDevices: 2 * config.memoryDevices })
  const logDaysOf = async (productID: string) => (await products.get(productID))?.logDays ?? defaultLogDays
  const lines = makeHubLogWriter({ journal, bus, clock, log, metrics, logDaysOf })
  onClose(() => lines.settled())
  const writeDown = (changes: PresenceChange[]) => writePassages(lines, changes)
  const alone = config.databaseUrl === undefined
  /** The broker and what it stands for are made after presence. */
  const late: {
    end?: (device: DeviceName, epoch: number) => void
    drain?: Drain
    counts?: ServerCounts
    upstream?: UpstreamStack
  } = {}
  const replaced = (device: DeviceName, epoch: number) => late.end?.(device, epoch)
  const facts = makeServerFacts({
    ...{ node, schema: parts.schema, clock, signal, counts: () => late.counts },
    ...{ databaseConnections: connectionsOf(config), settings: agreedSettings(config) },
  })
  const drainWished = (wish: boolean) => late.drain?.follow(wish)
  const presence = new Presence({
    ...{ db, clock, bus, signal, log, background, writeDown, replaced, alone, facts, drainWished },
    upstream: config.upstream !== undefined,
    steadyMs: parts.steadyMs,
  })
  await presence.start()
  onClose(() => presence.stop())
  const auth = makeDeviceAuth({ db, clock, signal, devices, products })
  const sessions = makeSessionLog({ lines, bus, clock, log, presence, deviceOf: auth.deviceOf })
  return { products, devices, presence, auth, sessions, alone, late }
}

type Known = Awaited<ReturnType<typeof openPresence>>

/** @param carry the corridor, which is made after the broker that it answers through */
function makeBroker(
  parts: DeviceStackParts,
  known: Known,
  stored: SessionStore,
  carry: BrokerHooks['message'],
): AedesBroker {
  const { config, connection, clock, signal, bus, metrics, log, background, onClose } = parts
  const { auth, sessions, devices, presence, alone } = known
  const epochs = makeSessionEpochs(connection.db)
  const hooks: BrokerHooks = {
    async login(attempt) {
      const answer = await auth.login(attempt)
      return answer.ok && !answer.registering && !alone ? { ...answer, epoch: await epochs.next() } : answer
    },
    maySubscribe: (who, topic) => auth.maySubscribe(who, topic),
    message: carry,
    ...sessions,
    connected(session) {
      known.late.upstream?.there.forgetOne(session.device)
      expel.connected(session)
      sessions.connected(session)
    },
    disconnected(session, reason, takenOver) {
      expel.disconnected(session)
      sessions.disconnected(session, reason, takenOver)
    },
  }
  // By then a balancer has passed it by, and devices have lost their patience.
  const standstillMs = known.alone ? undefined : 5_000
  const broker = new AedesBroker({
    hooks,
    log,
    metrics,
    clock,
    limits: config.mqttLimits,
    sessions: stored,
    standstillMs,
  })
  const expel = expelDevices({ signal, bus, devices, broker, presence, clock, log })
  const look = background.every({ name: 'devices.expel', everyMs: 3_000, run: expel.lookWhileDeaf })
  onClose(() => look.stop())
  known.late.end = ({ productID, deviceName }, epoch) => {
    known.late.upstream?.there.claimedElsewhere({ productID, deviceName })
    const session = broker.sessionOf(productID, deviceName)
    if (session && (session.epoch ?? 0) <= epoch) void broker.kick(productID, deviceName, takenOver)
  }
  return broker
}

/** What was stored is ready before the first device may speak; the broker itself is started by `listen`. */
export async function openDeviceStack(parts: DeviceStackParts): Promise<DeviceStack> {
  const { connection, clock, signal, bus, scripts, metrics, log, background, operations, onClose } = parts
  const { db, pool } = connection
  const { node, journal, latest } = await openStore(parts)
  const known = await openPresence(parts, node, journal)
  const { products, devices, presence, auth, alone } = known
  const { serverID } = presence
  const pending = new PendingReplies(clock)
  installPendingMetrics(metrics, pending)
  onClose(async () => pending.close())

  await importLevel(join(parts.config.dataDir, 'mqtt'), pool, log)
  const stored = new PgSessions({ pool, signal, serverID, background, log, metrics })
  stored.start()
  onClose(() => stored.stop())
  const carry: BrokerHooks['message'] = (packet) => corridor.carry(packet)
  const broker = makeBroker(parts, known, stored, carry)
  const gatewayOf = async (key: DeviceName) => (await devices.get(key.productID, key.deviceName))?.gateway
  const isServing = () => known.late.drain?.state() === ServerState.serving
  const { both, upstream } = joinUpstream(parts, { ...known, broker, node, gatewayOf, isServing, carry })
  if (upstream) known.late.upstream = upstream
  const way = { broker: both, upstream: upstream?.wayDown }
  const relay = new Relay({ db, signal, clock, log, background, ...way, serverID, gatewayOf })
  if (!alone) {
    await relay.start()
    onClose(() => relay.stop())
    const endDoubts = bus.on('device.session', ({ device }) => latest.doubt(device.deviceID))
    onClose(async () => endDoubts())
  }
  const down = { broker: alone ? both : relay, scripts, journal, bus, clock, log }
  const commands = makeCommandsDeps({ ...down, db, signal, products, pending })
  hearAnswers(commands)
  await reopenUnanswered(commands)
  onClose(startCommandSweep(commands, background))
  const counter = makeCounters(metrics, () => corridor.devicesWaiting)
  let messages = 0
  const corridor: Corridor = makeCorridor({
    ...down,
    // Whoever is answered is connected here, or speaks through a gateway that is.
    broker: both,
    products,
    devices,
    latest,
    pending,
    doors: makeCorridorDoors({ db, clock, signal, bus, commands, presence, auth, operations }),
    count(result) {
      messages += 1
      counter.inc({ result })
    },
    startedAt: clock.now(),
    memoryDevices: parts.config.memoryDevices,
    alone,
  })
  const endNotices = sendDeviceNotices({ ...down, relay, devices, products })
  onClose(async () => endNotices())
  const endFollowing = followUnbound({ bus, presence, clock }, both)
  onClose(async () => endFollowing())
  const history = makePgHistory(pool)
  const backfill = makePgBackfill(pool, journal.nextSeq)
  const drain = makeDrain({ presence, broker }, parts.config.drainSeconds, (error) =>
    log.error({ err: error }, 'devices were not sent to other servers'),
  )
  known.late.drain = drain
  const connected = () => broker.connections + (upstream?.there.size ?? 0)
  known.late.counts = { devices: connected, messages: () => messages, state: drain.state }
  return {
    ...{ node, serverID, alone, presence, broker, upstream, drain, journal, latest, history, backfill },
    ...{ products, devices, commands, auth },
  }
}
