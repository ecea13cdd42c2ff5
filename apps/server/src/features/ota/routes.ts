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
import type { OtaKit } from './ota-kit.ts'
import { previewTask } from './preview-task.ts'
import { readTask } from './read-task.ts'

export const otaRoutes = (kit: OtaKit): MountedEndpoint[] => [
  on(contract.createOtaTask, (input, ctx) => createTask(kit, input, ctx.user)),
  on(contract.previewOtaTask, (input) => previewTask(kit, input)),
  on(contract.listOtaTasks, (input) => listTasks(kit.db, input)),
  on(contract.readOtaTask, (input) => readTask(kit.db, input)),
  on(contract.cancelOtaTask, (input) => cancelTask(kit, input)),
  on(contract.pauseOtaTask, (input) => pauseTask(kit, input)),
  on(contract.resumeOtaTask, (input) => resumeTask(kit, input)),
  on(contract.adjustOtaTask, (input) => adjustTask(kit, input)),
  on(contract.analyseOtaTask, (input) => analyseTask(kit.db, input)),
  on(devices.listOtaDevices, (input) => listDevices(kit.db, input)),
  on(devices.retryOtaDevice, (input) => retryDevice(kit, input)),
  on(devices.cancelOtaDevice, (input) => cancelDevice(kit, input)),
  on(devices.retryOtaDevices, (input) => retryDevices(kit, input)),
  on(devices.cancelOtaDevices, (input) => cancelDevices(kit, input)),
  on(devices.exportOtaDevices, (input, ctx) => startExport(kit, input, ctx.user)),
]
