import * as bulk from '@ithings/contract/features/devices/bulk.ts'
import * as info from '@ithings/contract/features/devices/info.ts'
import * as secrets from '@ithings/contract/features/secrets.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { onUpload } from '#http/upload-route.ts'
import { multiUpdateDevices, updateWork } from './bulk-edit.ts'
import { countDevices } from './count-devices.ts'
import { createDevice } from './create-device.ts'
import { deleteDevice, deleteWork, multiDeleteDevices } from './delete-device.ts'
import { readDeviceSecret, rotateDeviceSecret } from './device-secret.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { startExport } from './export-devices.ts'
import { startFiltered } from './filtered-work.ts'
import { importDevices } from './import/import-devices.ts'
import { listDevicesWithValues } from './list-devices.ts'
import { startMultiCreate } from './multi-create.ts'
import { readDevice } from './read-device.ts'
import { simulateDevices, simulateWork } from './simulate-devices.ts'
import { updateDevice } from './update-device.ts'

export const devicesRoutes = (deps: DevicesDeps): MountedEndpoint[] => [
  on(info.createDevice, (input) => createDevice(deps, input)),
  on(info.updateDevice, (input) => updateDevice(deps, input)),
  on(info.deleteDevice, (input) => deleteDevice(deps, input)),
  on(info.readDevice, (input, ctx) => readDevice(deps, input, ctx.user)),
  on(secrets.readDeviceSecret, (input) => readDeviceSecret(deps, input)),
  on(secrets.rotateDeviceSecret, (input) => rotateDeviceSecret(deps, input)),
  on(info.listDevices, (input) => listDevicesWithValues(deps, input)),
  on(info.countDevices, (input) => countDevices(deps.db, input)),
  on(bulk.multiCreateDevices, (input, ctx) => startMultiCreate(deps, input, ctx.user)),
  on(bulk.multiDeleteDevices, ({ filter, ...input }, { user }) =>
    filter ? startFiltered(deps, deleteWork, input, filter, user) : multiDeleteDevices(deps, input),
  ),
  on(bulk.multiUpdateDevices, ({ filter, ...input }, { user }) =>
    filter ? startFiltered(deps, updateWork, input, filter, user) : multiUpdateDevices(deps, input),
  ),
  on(bulk.simulateDevices, ({ filter, ...input }, { user }) =>
    filter ? startFiltered(deps, simulateWork, input, filter, user) : simulateDevices(deps, input),
  ),
  on(bulk.exportDevices, (input, ctx) => startExport(deps, input, ctx.user)),
  onUpload(bulk.importDevices, (input, file) => importDevices(deps, input, file)),
]
