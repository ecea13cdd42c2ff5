/** A run that this server is at, and what the stored row says about it. */
import type { CheckedCondition, LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import type { SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import type { SeenCause } from '#db/tables/scenes.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { RaisingRun } from '../alarm-door.ts'

export interface OpenRun {
  runID: number
  sceneID: number
  sceneName: string
  /** The actions as they were when it fired. */
  plan: SceneAction[]
  /** Next action of the plan. */
  step: number
  /** One for each action that was tried. */
  actions: LoggedAction[]
  device: DeviceRef | undefined
  triggerText: string
  seen: SeenCause
  conditions: CheckedCondition[]
  traceID: string
  userName: string
  depth: number
  firedAt: number
  startedAt: number
  /** ms from the trigger to the first action; -1: none yet. */
  latency: number
  /** Read again from the database: answers of devices may have been noted there since. */
  resumed: boolean
  /** Belongs to a time before this server was started, perhaps: devices may still be on their way back. */
  patient: boolean
}

export const toRaising = (run: OpenRun): RaisingRun => ({
  runID: run.runID,
  sceneID: run.sceneID,
  sceneName: run.sceneName,
  device: run.device,
  triggerText: run.triggerText,
  seen: run.seen,
  conditions: run.conditions,
  traceID: run.traceID,
  firedAt: run.firedAt,
})
