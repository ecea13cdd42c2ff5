/** What each feature needs, made once: the wiring of the platform, without routes. */
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import { hasDemo } from '#features/demo/read-demo.ts'
import type { DevicesKit } from '#features/devices/devices-kit.ts'
import type { FilesKit } from '#features/files/files-kit.ts'
import { makeLinkSigner } from '#features/files/signed-link.ts'
import { fileLink } from '#features/files/take-upload.ts'
import type { HistoryKit } from '#features/history/history-kit.ts'
import type { JobKind } from '#features/jobs/job-kinds.ts'
import type { JobsKit } from '#features/jobs/jobs-kit.ts'
import type { OtaKit } from '#features/ota/ota-kit.ts'
import { makeModelReferences } from '#features/products/model-references.ts'
import type { ProductsKit } from '#features/products/products-kit.ts'
import type { RemoteConfigKit } from '#features/remote-config/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import { findSceneReferences, scenesOfTrace } from '#features/scenes/door.ts'
import type { PublicConfig } from '#features/settings/routes.ts'
import { findTaskReferences } from '#features/tasks/task-references.ts'
import type { TasksKit } from '#features/tasks/tasks-kit.ts'
import type { UsersKit } from '#features/users/users-kit.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Files } from '#ports/files.ts'
import type { JobQueue } from '#ports/job-queue.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { Signal } from '#ports/signal.ts'
import { makeAsk } from './ask.ts'
import type { DeviceLine } from './device-line.ts'
import { allJobKinds, allRoutes } from './features.ts'
import type { Kits } from './kit-types.ts'
import type { Rules } from './rules.ts'

export interface Parts {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  line: DeviceLine
  rules: Rules
  rollouts: Rollouts
  /** Where devices reach the platform. */
  publicUrl(): string
  log: Logger
  disk: Files
  queue: JobQueue
  scripts: ScriptRunner
  trialScripts: ScriptRunner
  linkKey: Uint8Array
  users: UsersKit
  publicConfig: PublicConfig
}

export function makeKits(parts: Parts): Kits {
  const { db, clock, signal, bus, line, rules, rollouts, log, disk, queue, scripts, linkKey, users, publicConfig } =
    parts
  const files: FilesKit = { db, files: disk, clock, links: makeLinkSigner(linkKey, clock), gate: users.access }
  const kinds = new Map<string, JobKind>()
  const jobs: JobsKit = {
    db,
    clock,
    files: disk,
    queue,
    log,
    kinds,
    signLink: async (path, name) => fileLink(files, path, name),
  }
  const references = makeModelReferences()
  references.register(findSceneReferences)
  references.register(findTaskReferences)
  const { allows } = users.access
  const products: ProductsKit = { db, clock, signal, files, scripts: parts.trialScripts, references, allows }
  const devices: DevicesKit = { db, clock, signal, bus, jobs, latest: line.latest, allows }
  const { commands, products: productBook, devices: deviceBook, auth, latest } = line
  const history: HistoryKit = {
    db,
    clock,
    history: line.history,
    latest,
    products: productBook,
    scenesOf: (traceID) => scenesOfTrace(db, traceID),
  }
  const deviceAuth = { kit: { db, clock, signal, devices: deviceBook, products: productBook }, auth }
  const scenes = { ...rules.scenes, latest, allows: users.access.allows }
  const { notify, alarms } = rules
  const { broker, journal } = commands
  const down = { broker, scripts, journal, bus, clock, log }
  const remoteConfig: RemoteConfigKit = { ...down, db, products: productBook, rollouts, jobs }
  const ota: OtaKit = {
    ...down,
    db,
    signal,
    products: productBook,
    rollouts,
    jobs,
    files,
    publicUrl: parts.publicUrl,
  }
  const tasks: TasksKit = {
    db,
    clock,
    bus,
    signal,
    log,
    products: productBook,
    commands,
    remoteConfig,
    rollouts,
    jobs,
    allows,
  }
  const kits: Kits = {
    notify,
    alarms,
    scenes,
    users,
    files,
    jobs,
    products,
    devices,
    commands,
    history,
    deviceAuth,
    remoteConfig,
    firmware: { db, clock, files },
    ota,
    tasks,
    dashboard: { db, clock, bus, log, allows, hasDemo: () => hasDemo(db) },
    demo: {
      db,
      clock,
      signal,
      bus,
      log,
      jobs,
      files: disk,
      latest,
      backfill: line.backfill,
      ask: makeAsk(() => allRoutes(kits), log),
    },
    publicConfig,
  }
  for (const kind of allJobKinds(kits)) kinds.set(kind.kind, kind)
  return kits
}
