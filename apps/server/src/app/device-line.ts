/** Everything between devices and the platform, opened in order: journal, memory, presence, corridor, broker. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Connection } from '#db/connect.ts'
import { installPendingMetrics } from '#downlink/pending-metrics.ts'
import { makePendingReplies } from '#downlink/pending-replies.ts'
import { makeRelay } from '#downlink/relay.ts'
import { type AedesBroker, makeAedesBroker } from '#engines/aedes/broker.ts'
import { makePgBackfill } from '#engines/pg-journal/backfill.ts'
import { makeJournalKeeper } from '#engines/pg-journal/keeper.ts'
import { makePgLatest, type PgLatest } from '#engines/pg-journal/latest.ts'
import { claimNodeNumber } from '#engines/pg-journal/node-number.ts'
import { makePgJournal, type PgJournal } from '#engines/pg-journal/pg-journal.ts'
import { makePgHistory } from '#engines/pg-journal/series.ts'
import { type CommandsKit, makeCommandsKit } from '#features/commands/commands-kit.ts'
import { reopenUnanswered, startCommandSweep } from '#features/commands/housekeeping.ts'
import { hearAnswers } from '#features/commands/replied.ts'
import { type DeviceAuth, makeDeviceAuth } from '#features/device-auth/door.ts'
import { type DeviceBook, makeDeviceBook, type PresenceChange } from '#features/devices/door.ts'
import { makePresence } from '#features/devices/presence.ts'
import { makeProductBook, type ProductBook } from '#features/products/door.ts'
import type { Backfill } from '#ports/backfill.ts'
import type { BrokerHooks } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { History } from '#ports/history.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { Signal } from '#ports/signal.ts'
import { type Corridor, makeCorridor } from '#uplink/corridor.ts'
import { sendDeviceNotices } from '#uplink/device-notices.ts'
import { type Expel, expelDevices } from '#uplink/expel.ts'
import { makeHubLines } from '#uplink/hub-lines.ts'
import { makeSessionLog, writePassages } from '#uplink/session-log.ts'
import type { Config } from './config.ts'
import { makeCorridorDoors } from './corridor-doors.ts'
import type { OperationDoors } from './operations.ts'

export interface DeviceLineParts {
  config: Config
  databaseUrl: string
  connection: Connection
  clock: Clock
  signal: Signal
  bus: EventBus
  scripts: ScriptRunner
  metrics: Registry
  log: Logger
  operations: OperationDoors
  /** Closers run in reverse order. */
  onClose(close: () => Promise<void>): void
}

export interface DeviceLine {
  /** Among the servers on this database; the first is 0. */
  node: number
  /** The same for those who look for servers that died (platform_server). */
  serverID: string
  broker: AedesBroker
  journal: PgJournal
  latest: PgLatest
  history: History
  backfill: Backfill
  products: ProductBook
  devices: DeviceBook
  commands: CommandsKit
  auth: DeviceAuth
}

/** Days of logs of a product that is gone. */
const defaultLogDays = 7

function makeCounters(metrics: Registry, corridor: () => Corridor | undefined) {
  const counter = new Counter({
    name: 'ithings_uplink_messages_total',
    help: 'Messages of devices by what became of them',
    labelNames: ['result'],
    registers: [metrics],
  })
  new Gauge({
    name: 'ithings_uplink_lanes',
    help: 'Devices whose message waits inside the corridor',
    registers: [metrics],
    collect() {
      this.set(corridor()?.lanesBusy ?? 0)
    },
  })
  return counter
}

/** What is stored before the first device may speak; the broker itself is started by `listen`. */
export async function openDeviceLine(parts: DeviceLineParts): Promise<DeviceLine> {
  const { config, databaseUrl, connection, clock, signal, bus, scripts, metrics, log, operations, onClose } = parts
  const { db, pool } = connection
  const node = await claimNodeNumber(databaseUrl, () => log.error('another server took our node number'))
  onClose(() => node.release())
  const journal = makePgJournal({ databaseUrl, nodeNumber: node.number, log, metrics })
  const keeper = makeJournalKeeper({ pool, clock, log, metrics, diskBudget: config.diskBudget })
  await keeper.start()
  onClose(() => keeper.stop())
  await journal.start()
  onClose(() => journal.stop())
  const latest = makePgLatest({ pool, clock, nodeNumber: node.number, log, metrics })
  await latest.start()
  onClose(() => latest.stop())

  const products = makeProductBook({ db, scripts, signal })
  const devices = makeDeviceBook({ db, clock, signal })
  const pending = makePendingReplies(clock)
  installPendingMetrics(metrics, pending)
  onClose(async () => pending.close())
  const logDaysOf = async (productID: string) => (await products.get(productID))?.logDays ?? defaultLogDays
  const lines = makeHubLines({ journal, bus, clock, log, metrics, logDaysOf })
  onClose(() => lines.settled())
  const alone = config.databaseUrl === undefined
  const writeDown = (changes: PresenceChange[]) => writePassages(lines, changes)
  const presence = makePresence({ db, clock, bus, signal, log, writeDown, alone })
  await presence.start()
  onClose(() => presence.stop())
  const auth = makeDeviceAuth({ db, clock, signal, devices, products })
  const sessions = makeSessionLog({ lines, bus, clock, log, presence, deviceOf: auth.deviceOf })

  let corridor: Corridor | undefined
  let expel: Expel | undefined
  const hooks: BrokerHooks = {
    login: (attempt) => auth.login(attempt),
    maySubscribe: (who, topic) => auth.maySubscribe(who, topic),
    message: (packet) => (corridor as Corridor).carry(packet),
    ...sessions,
    connected(session) {
      expel?.connected(session)
      sessions.connected(session)
    },
    disconnected(session, reason, takenOver) {
      expel?.disconnected(session)
      sessions.disconnected(session, reason, takenOver)
    },
  }
  const broker = makeAedesBroker({
    hooks,
    log,
    metrics,
    clock,
    limits: config.mqttLimits,
    persistenceDir: join(config.dataDir, 'mqtt'),
  })
  expel = expelDevices({ signal, devices, broker, presence, clock, log })
  const relay = makeRelay({
    db,
    signal,
    clock,
    log,
    broker,
    serverID: presence.serverID,
    gatewayOf: async ({ productID, deviceName }) => (await devices.get(productID, deviceName))?.gateway,
  })
  await relay.start()
  onClose(() => relay.stop())
  const down = { broker: alone ? broker : relay, scripts, journal, bus, clock, log }
  const commands = makeCommandsKit({ ...down, db, signal, products, pending })
  hearAnswers(commands)
  await reopenUnanswered(commands)
  onClose(startCommandSweep(commands))
  const counter = makeCounters(metrics, () => corridor)
  corridor = makeCorridor({
    ...down,
    // Whoever is answered is connected here, or speaks through a gateway that is.
    broker,
    products,
    devices,
    latest,
    pending,
    doors: makeCorridorDoors({ db, clock, signal, bus, commands, presence, auth, operations }),
    count: (result) => counter.inc({ result }),
    startedAt: clock.now(),
    alone,
  })
  const endNotices = sendDeviceNotices({ ...down, relay, devices, products })
  onClose(async () => endNotices())
  // Nobody speaks for them any more; one with a connection of its own goes on.
  const endFollowing = bus.on('gateway.children', ({ bound, children }) => {
    const left = bound ? [] : children.filter((one) => !broker.sessionOf(one.productID, one.deviceName))
    for (const child of left) presence.offline(child, '已从网关解绑', clock.now())
  })
  onClose(async () => endFollowing())
  return {
    node: node.number,
    serverID: presence.serverID,
    broker,
    journal,
    latest,
    history: makePgHistory(pool),
    backfill: makePgBackfill(pool, journal.nextSeq),
    products,
    devices,
    commands,
    auth,
  }
}
