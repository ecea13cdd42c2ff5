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
import type { DevicesKit } from './devices-kit.ts'
import { startExport } from './export-devices.ts'
import { startFiltered } from './filtered-work.ts'
import { importDevices } from './import/import-devices.ts'
import { listDevicesWithValues } from './list-devices.ts'
import { startMultiCreate } from './multi-create.ts'
import { readDevice } from './read-device.ts'
import { simulateDevices, simulateWork } from './simulate-devices.ts'
import { updateDevice } from './update-device.ts'

export const devicesRoutes = (kit: DevicesKit): MountedEndpoint[] => [
  on(info.createDevice, (input) => createDevice(kit, input)),
  on(info.updateDevice, (input) => updateDevice(kit, input)),
  on(info.deleteDevice, (input) => deleteDevice(kit, input)),
  on(info.readDevice, (input, ctx) => readDevice(kit, input, ctx.user)),
  on(secrets.readDeviceSecret, (input) => readDeviceSecret(kit, input)),
  on(secrets.rotateDeviceSecret, (input) => rotateDeviceSecret(kit, input)),
  on(info.listDevices, (input) => listDevicesWithValues(kit, input)),
  on(info.countDevices, (input) => countDevices(kit.db, input)),
  on(bulk.multiCreateDevices, (input, ctx) => startMultiCreate(kit, input, ctx.user)),
  on(bulk.multiDeleteDevices, ({ filter, ...input }, { user }) =>
    filter ? startFiltered(kit, deleteWork, input, filter, user) : multiDeleteDevices(kit, input),
  ),
  on(bulk.multiUpdateDevices, ({ filter, ...input }, { user }) =>
    filter ? startFiltered(kit, updateWork, input, filter, user) : multiUpdateDevices(kit, input),
  ),
  on(bulk.simulateDevices, ({ filter, ...input }, { user }) =>
    filter ? startFiltered(kit, simulateWork, input, filter, user) : simulateDevices(kit, input),
  ),
  on(bulk.exportDevices, (input, ctx) => startExport(kit, input, ctx.user)),
  onUpload(bulk.importDevices, (input, file) => importDevices(kit, input, file)),
]
