import { AppError, errors } from '@ithings/contract/errors.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import type { Phrase } from '@ithings/contract/text.ts'
import type { SceneFiring } from '../../engine/engine-types.ts'
import type { OpenRun } from '../open-run.ts'
import type { RunLimits, RunnerDeps } from '../runner-deps.ts'
import type { Slots } from '../slots.ts'
import { success } from '../summarise.ts'

export interface ActionDeps extends RunnerDeps {
  bounds: RunLimits
  sends: Slots
  /** Devices that were connected before this server was started may take until then (ms) to come back. */
  patientUntil(): number
  /** @returns why it is not run; undefined: it is */
  fire(firing: SceneFiring): Phrase | undefined
}

/** What an action came to; what is said about it is added by whoever logs it. */
export interface ActionOutcome extends Pick<LoggedAction, 'ok' | 'code' | 'msg' | 'devices'> {
  /** The run goes no further after a failing delay or an unknown action (decisions.md 2 "Scene actions"). */
  fatal?: boolean
  /** A delay: go on after so many ms. */
  waitMs?: number
}

export const done = (msg: string): ActionOutcome => ({ ok: true, code: success, msg, devices: [] })

export const failed = (error: AppError): ActionOutcome => ({
  ok: false,
  code: error.code,
  msg: error.kept(),
  devices: [],
})

/** A fault of ours is not told in detail. */
export const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError(errors.system)

/** The first thing that was done decides how long the trigger took to have an effect. */
export function noteFirst(deps: Pick<ActionDeps, 'clock'>, run: OpenRun): void {
  if (run.latency < 0) run.latency = Math.max(0, Math.min(deps.clock.now() - run.firedAt, 2_147_483_647))
}
