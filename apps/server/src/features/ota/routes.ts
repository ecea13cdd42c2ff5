import * as devices from '@ithings/contract/features/ota/device.ts'
import * as contract from '@ithings/contract/features/ota/task.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { analyseTask } from './analyse-task.ts'
import { createTask } from './create-task.ts'
import { startExport } from './export-devices.ts'
import { listDevices } from './list-devices.ts'
import { listTasks } from './list-tasks.ts'
import { cancelDevice, cancelDevices, retryDevice, retryDevices } from './manage-devices.ts'
import { adjustTask, cancelTask, pauseTask, resumeTask } from './manage-task.ts'
import type { OtaDeps } from './ota-deps.ts'
import { previewTask } from './preview-task.ts'
import { readTask } from './read-task.ts'

export const otaRoutes = (deps: OtaDeps): MountedEndpoint[] => [
  on(contract.createOtaTask, (input, ctx) => createTask(deps, input, ctx.user)),
  on(contract.previewOtaTask, (input) => previewTask(deps, input)),
  on(contract.listOtaTasks, (input) => listTasks(deps.db, input)),
  on(contract.readOtaTask, (input) => readTask(deps.db, input)),
  on(contract.cancelOtaTask, (input) => cancelTask(deps, input)),
  on(contract.pauseOtaTask, (input) => pauseTask(deps, input)),
  on(contract.resumeOtaTask, (input) => resumeTask(deps, input)),
  on(contract.adjustOtaTask, (input) => adjustTask(deps, input)),
  on(contract.analyseOtaTask, (input) => analyseTask(deps.db, input)),
  on(devices.listOtaDevices, (input) => listDevices(deps.db, input)),
  on(devices.retryOtaDevice, (input) => retryDevice(deps, input)),
  on(devices.cancelOtaDevice, (input) => cancelDevice(deps, input)),
  on(devices.retryOtaDevices, (input) => retryDevices(deps, input)),
  on(devices.cancelOtaDevices, (input) => cancelDevices(deps, input)),
  on(devices.exportOtaDevices, (input, ctx) => startExport(deps, input, ctx.user)),
]
