import * as contract from '@ithings/contract/features/ota/firmware.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createFirmware } from './create-firmware.ts'
import { deleteFirmware } from './delete-firmware.ts'
import { readDeviceVersions } from './device-versions.ts'
import type { FirmwareKit } from './firmware-kit.ts'
import { listFirmware } from './list-firmware.ts'
import { readFirmware } from './read-firmware.ts'
import { readSigningKey, saveSigningKey } from './signing-key.ts'
import { updateFirmware } from './update-firmware.ts'

export const firmwareRoutes = (kit: FirmwareKit): MountedEndpoint[] => [
  on(contract.createFirmware, (input, { user }) => createFirmware(kit, input, user.userName)),
  on(contract.updateFirmware, (input) => updateFirmware(kit, input)),
  on(contract.deleteFirmware, (input) => deleteFirmware(kit, input)),
  on(contract.readFirmware, (input) => readFirmware(kit, input)),
  on(contract.listFirmware, (input) => listFirmware(kit, input)),
  on(contract.readDeviceVersions, (input) => readDeviceVersions(kit, input)),
  on(contract.saveSigningKey, (input) => saveSigningKey(kit, input)),
  on(contract.readSigningKey, (input) => readSigningKey(kit, input)),
]
