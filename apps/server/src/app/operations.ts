/** What is sent to many devices: configurations, upgrades and tasks on one machinery of runs. */

import type { Background } from '#background/background.ts'
import { makeReportVersion, otaKind, reportStep, watchTrials } from '#features/ota/door.ts'
import { configKind, readConfigOf, resendOnSubscribe } from '#features/remote-config/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import { makeTaskWork } from '#features/tasks/task-work.ts'
import type { CorridorDoors } from '#uplink/corridor-deps.ts'
import type { FeatureDeps } from './feature-deps.ts'

export type OperationDoors = Pick<CorridorDoors, 'readConfig' | 'reportVersion' | 'reportStep'>

/** Operations need the device line, and the line asks operations: filled before the first device may speak. */
export function makeLateDoors(): { doors: OperationDoors; fill(doors: OperationDoors): void } {
  let filled: OperationDoors | undefined
  const given = (): OperationDoors => {
    if (!filled) throw new Error('a device spoke before the platform was open')
    return filled
  }
  return {
    doors: {
      readConfig: (device) => given().readConfig(device),
      reportVersion: (device, report) => given().reportVersion(device, report),
      reportStep: (device, report) => given().reportStep(device, report),
    },
    fill(doors) {
      filled = doors
    },
  }
}

/** Registers what each feature sends and opens the machinery. @returns what device messages can ask for */
export async function openOperations(
  featureDeps: FeatureDeps,
  rollouts: Rollouts,
  background: Background,
  onClose: (close: () => Promise<void>) => void,
): Promise<OperationDoors> {
  rollouts.register(configKind(featureDeps.remoteConfig))
  rollouts.register(otaKind(featureDeps.ota))
  const tasks = makeTaskWork(featureDeps.tasks)
  rollouts.register(tasks.kind)
  await rollouts.start()
  onClose(() => rollouts.stop())
  tasks.start()
  onClose(() => tasks.stop())
  const trials = watchTrials(featureDeps.ota, background)
  onClose(() => trials.stop())
  const endResending = resendOnSubscribe(featureDeps.remoteConfig)
  onClose(async () => endResending())
  return {
    readConfig: (device) => readConfigOf(featureDeps.remoteConfig, device),
    reportVersion: makeReportVersion(featureDeps.ota),
    reportStep: (device, report) => reportStep(featureDeps.ota, device, report),
  }
}
