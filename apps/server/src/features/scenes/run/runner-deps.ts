import { sceneLimits } from '@ithings/contract/rules/scene-limits.ts'
import type { Registry } from 'prom-client'
import type { CommonDeps } from '#common-deps.ts'
import type { CommandsDeps } from '#features/commands/door.ts'
import type { NotifyDeps } from '#features/notify/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { AlarmDoor } from '../alarm-door.ts'

export interface RunLimits {
  /** Of one scene, by this server. */
  runsPerMinute: number
  /** At work at the same time; the others wait. */
  concurrent: number
  waiting: number
  chainDepth: number
  /** Commands to devices under way at the same time, of all runs together. */
  sends: number
  /** After the start: what goes on or is made up for waits so long for devices to come back. */
  comeBackMs: number
  /** Stopping waits so long for what has been taken. */
  stopMs: number
}

export const defaultLimits: RunLimits = {
  runsPerMinute: sceneLimits.runsPerMinute,
  concurrent: 32,
  waiting: 10_000,
  chainDepth: sceneLimits.chainDepth,
  sends: 16,
  comeBackMs: 15_000,
  stopMs: 5_000,
}

/** What running scenes needs; made once in app/. */
export interface RunnerDeps extends CommonDeps {
  metrics: Registry
  /** Of this server in platform_server: others take its runs over when it is no longer seen there. */
  serverID: string
  products: ProductCache
  latest: Pick<LatestValues, 'readMany'>
  commands: CommandsDeps
  notify: Pick<NotifyDeps, 'db' | 'clock' | 'bell'>
  alarms: AlarmDoor
  limits?: Partial<RunLimits>
  /** How often due delays, schedules and runs of dead servers are looked for, besides the moments known here. */
  lookMs?: number
}
