/** What is sent to many devices: configurations, upgrades and tasks on one machinery of runs. */

import { makeReportVersion, otaKind, reportStep, watchTrials } from '#features/ota/door.ts'
import { configKind, readConfigOf, resendOnSubscribe } from '#features/remote-config/door.ts'
import type { Rollouts } from '#features/rollouts/door.ts'
import { makeTaskWork } from '#features/tasks/task-work.ts'
import type { CorridorDoors } from '#uplink/corridor-kit.ts'
import type { Kits } from './kit-types.ts'

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
  kits: Kits,
  rollouts: Rollouts,
  onClose: (close: () => Promise<void>) => void,
): Promise<OperationDoors> {
  rollouts.register(configKind(kits.remoteConfig))
  rollouts.register(otaKind(kits.ota))
  const tasks = makeTaskWork(kits.tasks)
  rollouts.register(tasks.kind)
  await rollouts.start()
  onClose(() => rollouts.stop())
  tasks.start()
  onClose(() => tasks.stop())
  onClose(watchTrials(kits.ota))
  const endResending = resendOnSubscribe(kits.remoteConfig)
  onClose(async () => endResending())
  return {
    readConfig: (device) => readConfigOf(kits.remoteConfig, device),
    reportVersion: makeReportVersion(kits.ota),
    reportStep: (device, report) => reportStep(kits.ota, device, report),
  }
}
