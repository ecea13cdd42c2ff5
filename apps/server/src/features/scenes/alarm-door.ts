/** What scenes ask of alarms; given by app/, because alarms stand above scenes (architecture.md "Levels of features"). */
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import type { SeenCause } from '#db/tables/scenes.ts'
import type { DeviceRef } from '#ports/event-bus.ts'

export interface RaisingRun {
  runID: number
  sceneID: number
  sceneName: string
  /** undefined: timer and manual scenes. */
  device: DeviceRef | undefined
  triggerText: string
  seen: SeenCause
  conditions: CheckedCondition[]
  traceID: string
  firedAt: number
}

export interface AlarmDoor {
  /** All enabled alarms linked to the scene; resolves to what was done, for the log: names of alarms. */
  raise(run: RaisingRun): Promise<{ alarms: string[]; text: string }>
  /** Open records of linked alarms: of the device that started the run, else all. */
  clear(run: RaisingRun): Promise<{ records: number; text: string }>
}
