import type { TargetType } from '@ithings/contract/features/forwarding/targets.ts'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Background } from '#background/background.ts'
import type { Db } from '#db/schema.ts'
import type { NotifyDeps } from '#features/notify/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { ForwardTools, OpenTarget } from '#ports/forward-target.ts'
import type { Tail } from '#ports/journal-tail.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { Signal } from '#ports/signal.ts'

/** What forwarding needs; made once in app/. */
export interface ForwardingDeps {
  db: Db
  clock: Clock
  signal: Signal
  log: Logger
  metrics: Registry
  background: Background
  serverID: string
  tail: Tail
  targets: { [T in TargetType]: OpenTarget<T> }
  tools: ForwardTools
  /** Of rules that run, and of tests that people make: one never takes a thread from the other. */
  scripts: ScriptRunner
  trialScripts: ScriptRunner
  notify: NotifyDeps
}
