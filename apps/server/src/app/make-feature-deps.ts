/** What each feature needs, made once: the wiring of the platform, without routes. */

import { makeBell } from '#background/bell.ts'
import type { CommonDeps } from '#common-deps.ts'
import { KeyGate } from '#features/api-keys/key-gate.ts'
import { hasDemo } from '#features/demo/read-demo.ts'
import type { DevicesDeps } from '#features/devices/devices-deps.ts'
import type { FilesDeps } from '#features/files/files-deps.ts'
import { makeLinkSigner } from '#features/files/signed-link.ts'
import { fileLink } from '#features/files/take-upload.ts'
import type { HistoryDeps } from '#features/history/history-deps.ts'
import type { JobKind } from '#features/jobs/job-kinds.ts'
import type { JobsDeps } from '#features/jobs/jobs-deps.ts'
import type { OtaDeps } from '#features/ota/ota-deps.ts'
import { makeModelReferences } from '#features/products/model-references.ts'
import type { ProductsDeps } from '#features/products/products-deps.ts'
import type { RemoteConfigDeps } from '#features/remote-config/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import { findSceneReferences, scenesOfTrace } from '#features/scenes/door.ts'
import type { PublicConfig } from '#features/settings/routes.ts'
import { findTaskReferences } from '#features/tasks/task-references.ts'
import type { TasksDeps } from '#features/tasks/tasks-deps.ts'
import type { UsersDeps } from '#features/users/users-deps.ts'
import type { FinishedCall } from '#http/operation-log-hook.ts'
import type { Files } from '#ports/files.ts'
import type { Locks } from '#ports/locks.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import { makeAsk } from './ask.ts'
import { makePlansDeps } from './config-scope.ts'
import type { DeviceStack } from './device-stack.ts'
import type { FeatureDeps } from './feature-deps.ts'
import { allJobKinds, allRoutes } from './features.ts'
import { type ForwardingParts, makeForwardingDeps } from './forwarding.ts'
import { makeLists } from './lists.ts'
import type { Rules } from './rules.ts'
import { makeSignOnDeps } from './sign-on.ts'

export interface Parts extends CommonDeps {
  line: DeviceStack
  rules: Rules
  rollouts: Rollouts
  /** Where devices reach the platform. */
  publicUrl(): string
  files: Files
  spool: Files
  locks: Locks
  scripts: ScriptRunner
  trialScripts: ScriptRunner
  linkKey: Uint8Array
  users: UsersDeps
  forwarding: Pick<ForwardingParts, 'pool' | 'webhookAllow' | 'metrics'>
  packedUntil(): Promise<number>
  /** Of the operation log. */
  record(call: FinishedCall): void
  publicConfig: PublicConfig
}

export function makeFeatureDeps(parts: Parts): FeatureDeps {
  const { db, clock, signal, bus, log, background } = parts
  const { line, rules, rollouts, files: stored, spool, locks, scripts, linkKey, users, publicConfig } = parts
  const gate = new KeyGate({ db, clock, signal }, users.access)
  const links = makeLinkSigner(linkKey, clock)
  const files: FilesDeps = { db, files: stored, spool, locks, clock, links, gate }
  const kinds = new Map<string, JobKind>()
  /** What nearly every feature needs; those that need less are given it all the same. */
  const common = { db, clock, signal, bus, log, background }
  const signLink = async (path: string, name: string) => fileLink(files, path, name)
  const lists = makeLists(() => allRoutes(featureDeps), gate, log)
  const jobs: JobsDeps = { ...common, files: stored, bell: makeBell(), kinds, signLink, lists }
  const references = makeModelReferences()
  references.register(findSceneReferences)
  references.register(findTaskReferences)
  const { allows } = users.access
  const products: ProductsDeps = { ...common, files, scripts: parts.trialScripts, references, allows }
  const devices: DevicesDeps = { ...common, jobs, latest: line.latest, allows }
  const { commands, products: productCache, devices: deviceCache, auth, latest } = line
  const history: HistoryDeps = {
    ...common,
    history: line.history,
    latest,
    products: productCache,
    scenesOf: (traceID) => scenesOfTrace(db, traceID),
  }
  const deviceAuth = { deps: { ...common, devices: deviceCache, products: productCache }, auth }
  const scenes = { ...rules.scenes, latest, allows }
  const { notify, alarms } = rules
  const { broker, journal } = commands
  const remoteConfig: RemoteConfigDeps = { ...common, broker, scripts, journal, products: productCache, rollouts, jobs }
  const ota: OtaDeps = { ...remoteConfig, signal, files, publicUrl: parts.publicUrl }
  const tasks: TasksDeps = { ...common, products: productCache, commands, remoteConfig, rollouts, jobs, allows }
  const featureDeps: FeatureDeps = {
    notify,
    forwarding: makeForwardingDeps({ ...common, ...parts.forwarding, ...parts, notify, serverID: line.serverID }),
    alarms,
    scenes,
    users,
    signOn: makeSignOnDeps(parts),
    apiKeys: { ...common, writeUsed: gate.writeUsed, allows },
    gate,
    files,
    jobs,
    products,
    devices,
    commands,
    history,
    prom: { db, clock, history: line.history, gate },
    deviceAuth,
    remoteConfig,
    firmware: { ...common, files },
    ota,
    tasks,
    reports: {
      ...common,
      files: stored,
      history: line.history,
      products: productCache,
      jobs,
      notify,
      signLink: (path, name, seconds) => fileLink(files, path, name, seconds),
      publicUrl: parts.publicUrl,
    },
    plans: makePlansDeps(() => featureDeps, common, parts.record),
    home: { ...common, allows, hasDemo: () => hasDemo(db) },
    demo: {
      ...common,
      jobs,
      files: stored,
      latest,
      backfill: line.backfill,
      ask: makeAsk(() => allRoutes(featureDeps), log),
    },
    cluster: { ...common, serverID: line.serverID, alone: line.alone, packedUntil: parts.packedUntil },
    publicConfig,
  }
  for (const kind of allJobKinds(featureDeps)) kinds.set(kind.kind, kind)
  return featureDeps
}
